// Transactions of an application, and what Kafka's own tool says of them.
import assert from 'node:assert/strict';
import { CompressionTypes, type Producer } from 'kafkajs';
import { runKafkaTool } from '../../support/kafka/java.ts';
import type { Cluster } from './bothClusters.ts';

/** Two committed in one batch, one aborted, and one whose transaction is open until `end`. */
export async function writeTransactions(
  { kafka }: Cluster,
  topic: string,
): Promise<{ producer: Producer; end: () => Promise<void> }> {
  const producer = kafka.producer({
    ...{ transactionalId: topic, idempotent: true, maxInFlightRequests: 1 },
  });
  await producer.connect();
  const send = async (...values: readonly string[]) => {
    const transaction = await producer.transaction();
    const messages = values.map((value) => ({ value }));
    await transaction.send({ topic, messages, compression: CompressionTypes.GZIP });
    return transaction;
  };
  await (await send('c1', 'c2')).commit();
  await (await send('a1')).abort();
  const open = await send('o1');
  return { producer, end: () => open.commit() };
}

/** What Kafka's own tool says of a transactional id. */
export async function describeTransaction(
  { bootstrap }: Cluster,
  id: string,
): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await runKafkaTool(
    'org.apache.kafka.tools.TransactionsCommand',
    [...['--bootstrap-server', bootstrap, 'describe', '--transactional-id', id]],
  );
  assert.equal(code, 0, stderr);
  const [names = '', values = ''] = stdout.trim().split('\n').slice(-2);
  const cells = values.split(/\s+/);
  return Object.fromEntries(names.split(/\s+/).map((name, index) => [name, cells[index] ?? '']));
}
