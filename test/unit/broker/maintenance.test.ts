import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { BrokerNode } from '../../../src/broker/brokerNode.ts';
import { maintenance } from '../../../src/broker/maintenance.ts';
import { appendAsClient, clientBatch, openLogs } from '../storage/support.ts';

describe('Maintenance on request', () => {
  it('[A15] forgets producers that have been silent for too long, with retention', async () => {
    const { log, clock } = await openLogs({ options: { producerIdExpirationMs: 1000 } });
    const sent = { producerId: 7n, producerEpoch: 0, baseSequence: 0 };
    await appendAsClient(log, clientBatch(1, sent));
    const node = { partitions: () => [{ log }] } as unknown as BrokerNode;
    clock.advance(999);
    await maintenance.retention(node);
    assert.equal((await log.activeProducers()).length, 1);
    clock.advance(1);
    assert.equal(await maintenance.retention(node), 'no segment is over its limits');
    assert.deepEqual(await log.activeProducers(), []);
  });
});
