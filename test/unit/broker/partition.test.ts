import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Partition, PartitionError } from '../../../src/broker/partition.ts';
import type { PartitionImage } from '../../../src/broker/controller/metadataImage.ts';
import type { PartitionLog } from '../../../src/storage/partitionLog.ts';

const nodeId = 1;
const leaderEpoch = 5;

function ledBy(leader: number): Partition {
  const log = { logEndOffset: 0n, highWatermark: 0n, config: { minInsyncReplicas: 1 } };
  const image = { partition: 0, leader, leaderEpoch, replicas: [1, 2], isr: [1, 2] };
  return new Partition({
    topic: 'orders',
    topicId: 'id',
    log: log as unknown as PartitionLog,
    nodeId,
    image: image as unknown as PartitionImage,
  });
}

function refusalOf(partition: Partition, currentLeaderEpoch: number): string | undefined {
  try {
    partition.checkLeadership(currentLeaderEpoch);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof PartitionError);
    return error.error;
  }
}

describe('A partition that another broker leads', () => {
  for (const [epoch, error] of [
    [4, 'FENCED_LEADER_EPOCH'],
    [6, 'UNKNOWN_LEADER_EPOCH'],
    [5, 'NOT_LEADER_OR_FOLLOWER'],
    [-1, 'NOT_LEADER_OR_FOLLOWER'],
  ] as const)
    it(`[A3] answers ${error} to who knows epoch ${epoch} of ${leaderEpoch}: the epoch comes first`, () => {
      assert.equal(refusalOf(ledBy(2), epoch), error);
    });
});
