import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readMetadata } from '../../../src/client/metadata.ts';
import type { ResponseOf } from '../../../src/client/request.ts';
import { CountedTurns } from '../../support/countedTurns.ts';

/** Of a clock on which each look takes a millisecond, four looks are a slice. */
const topicsInSlice = 5;
const count = 10_000;

describe('metadata of ten thousand topics', () => {
  it('is read a few topics at a time, with turns for others in between [C5]', async () => {
    const turns = new CountedTurns();
    const topics = Array.from({ length: count }, (_, i) => ({
      errorCode: 0,
      name: `topic-${i}`,
      topicId: '',
      isInternal: false,
      topicAuthorizedOperations: 0,
      partitions: [2, 0, 1].map((partitionIndex) => ({
        errorCode: 0,
        partitionIndex,
        leaderId: 1,
        leaderEpoch: 0,
        replicaNodes: [1],
        isrNodes: [1],
        offlineReplicas: [],
      })),
    }));
    topics[Symbol.iterator] = () => turns.counted(topics.values());
    const response: ResponseOf<'metadata'> = {
      throttleTimeMs: 0,
      errorCode: 0,
      clusterId: 'c',
      controllerId: 1,
      clusterAuthorizedOperations: 0,
      brokers: [],
      topics,
    };
    const metadata = await readMetadata(response, turns.clock);
    turns.dispose();
    assert.equal(metadata.topics.size, count);
    const last = metadata.topics.get(`topic-${count - 1}`);
    assert.deepEqual(
      last?.partitions.map(({ partition }) => partition),
      [0, 1, 2],
    );
    assert.ok(turns.most <= topicsInSlice, `${turns.most} topics in one turn`);
    assert.ok(turns.count >= count / topicsInSlice, `${turns.count} turns`);
  });
});
