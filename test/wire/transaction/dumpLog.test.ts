import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'mocha';
import { startCluster } from '../../../src/embedded.ts';
import { runKafkaTool } from '../../support/kafka/java.ts';
import { RawClient } from '../broker/support/rawClient.ts';
import { createTopic } from '../broker/support/servers.ts';
import { RawProducer } from './support/rawProducer.ts';

const dumpTool = 'org.apache.kafka.tools.DumpLogSegments';

describe('kafka-dump-log and transactions', function () {
  this.timeout(120_000);

  it('[A4] [A6] reads our transaction log, our markers and our index of aborted transactions', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'transactions-'));
    try {
      const configs = { 'transaction.state.log.num.partitions': '1' };
      const cluster = await startCluster({ dataDir, configs });
      const client = await RawClient.open(cluster.bootstrap);
      await createTopic(client, 'orders');
      const producer = await RawProducer.start(client, 'dumped');
      await producer.send('orders', ['a']);
      await producer.abort();
      await producer.settled();
      await producer.send('orders', ['b']);
      await producer.commit();
      await producer.settled();
      const { producerId } = producer;
      await cluster.stop();

      const [broker = ''] = (await readdir(dataDir)).filter((name) => /^\d+$/.test(name));
      const file = (folder: string, name: string): string =>
        path.join(dataDir, broker, folder, `00000000000000000000.${name}`);
      const [states, records, aborted] = await Promise.all([
        dump('--transaction-log-decoder', '--files', file('__transaction_state-0', 'log')),
        dump('--files', file('orders-0', 'log')),
        dump('--files', file('orders-0', 'txnindex')),
      ]);
      const steps = [...states.matchAll(/payload: (.*)/g)].map(([, payload = '']) => payload);
      assert.deepEqual(
        steps.map((step) => /"transactionStatus":"(\w+)"/.exec(step)?.[1]),
        [
          ...['Empty', 'Ongoing', 'PrepareAbort', 'CompleteAbort'],
          ...['Ongoing', 'PrepareCommit', 'CompleteCommit'],
        ],
      );
      assert.match(states, /"transactionalId":"dumped"/);
      assert.match(steps[1] ?? '', /"topic":"orders","partitionIds":\[0\]/);
      assert.match(steps[6] ?? '', /"clientTransactionVersion":2/);
      assert.match(records, /endTxnMarker: ABORT coordinatorEpoch: 0/);
      assert.match(records, /endTxnMarker: COMMIT coordinatorEpoch: 0/);
      const index = `producerId: ${producerId} firstOffset: 0 lastOffset: 1 lastStableOffset: 2`;
      assert(aborted.includes(index), aborted);
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });
});

async function dump(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runKafkaTool(dumpTool, ['--print-data-log', ...args]);
  assert.equal(code, 0, stdout + stderr);
  return stdout;
}
