// Transactions that hang: their records are in a partition, and no coordinator knows of them. Only a broker that
// does not verify (KIP-890) lets them come about; kafka-transactions.sh finds and ends them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { type EmbeddedKafka, startCluster } from '../../../src/embedded.ts';
import { runKafkaTool } from '../../support/kafka/java.ts';
import { type RealKafka, startKafka } from '../../support/kafka/realKafka.ts';
import { RawClient } from '../broker/support/rawClient.ts';
import { createTopic, freshName, patienceMs } from '../broker/support/servers.ts';
import { consume, fetchOnce, RawProducer } from './support/rawProducer.ts';

const configs = { 'transaction.partition.verification.enable': 'false' };
const transactionsTool = 'org.apache.kafka.tools.TransactionsCommand';

/** What the tool prints as a table, without the heading. */
async function table(bootstrap: string, ...args: string[]): Promise<string[][]> {
  const { code, stdout, stderr } = await runKafkaTool(transactionsTool, [
    ...['--bootstrap-server', bootstrap],
    ...args,
  ]);
  assert.equal(code, 0, stdout + stderr);
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(1).map((line) => line.split('\t').map((cell) => cell.trim()));
}

for (const server of ['embedded', 'Kafka 4.4']) {
  describe(`kafka-transactions (${server})`, function () {
    this.timeout(patienceMs);
    let running: EmbeddedKafka | RealKafka;
    let client: RawClient;

    before(async () => {
      running =
        server === 'embedded'
          ? await startCluster({ configs })
          : await startKafka({ config: configs });
      client = await RawClient.open(running.bootstrap);
    });

    after(async () => {
      client.close();
      await running.stop();
    });

    it('[A6] [C7] lists, describes, finds what hangs and aborts it', async () => {
      const { bootstrap } = running;
      const topic = freshName();
      await createTopic(client, topic);
      const known = await RawProducer.start(client, freshName('known'), 'v2');
      await known.send(topic, ['known']);
      const stray = await RawProducer.start(client, freshName('stray'), 'v1');
      const records = stray.nextBatch(topic, 0, ['stray']);
      const { errorCode } = await stray.sendBatch(topic, 0, records);
      assert.equal(errorCode, 0);

      const [list, described, hanging] = await Promise.all([
        table(bootstrap, 'list'),
        table(bootstrap, 'describe', '--transactional-id', known.transactionalId),
        table(bootstrap, 'find-hanging', '--topic', topic, '--max-transaction-timeout', '0'),
      ]);
      const mine = list.filter(([id]) =>
        [known, stray].some((each) => each.transactionalId === id),
      );
      assert.deepEqual(mine.map(([, , , state]) => state).sort(), ['Empty', 'Ongoing']);
      const [coordinator = '', id = '', producerId = '', epoch = '', state = ''] =
        described[0] ?? [];
      assert.deepEqual(
        [coordinator, id, producerId, epoch, state],
        ['1', known.transactionalId, String(known.producerId), '0', 'Ongoing'],
      );
      assert(described[0]?.includes(`${topic}-0`));
      assert.deepEqual(
        hanging.map(([name, partition, producer]) => [name, partition, producer]),
        [[topic, '0', String(stray.producerId)]],
      );

      await known.commit();
      await known.settled();
      assert.equal((await fetchOnce(client, topic)).lastStableOffset, 1n);
      const place = ['--topic', topic, '--partition', '0', '--start-offset', '1'];
      await table(bootstrap, 'abort', ...place);
      assert.deepEqual(await consume(client, topic), ['known']);
      assert.equal((await fetchOnce(client, topic)).lastStableOffset, 4n);
    });
  });
}
