import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decodeInSlices } from '../../../src/client/decodeInSlices.ts';
import { apis } from '../../../src/protocol/apis.ts';
import { decodeResponse, encodeResponse } from '../../../src/protocol/frames.ts';
import { CountedTurns } from '../../support/countedTurns.ts';

const version = 12;
const topicCount = 10_000;
const partitionCount = 3;
/**
 * On a clock on which each look takes a millisecond, a slice is over at the fourth; a step is a few tens of structs.
 */
const structsInSlice = 200;

describe('a response about ten thousand topics', () => {
  const topics = Array.from({ length: topicCount }, (_, i) => ({
    name: `topic-${i}`,
    partitions: Array.from({ length: partitionCount }, (_each, partitionIndex) => ({
      partitionIndex,
      leaderId: 1,
      replicaNodes: [1],
      isrNodes: [1],
    })),
  }));
  const body = { brokers: [], clusterId: 'c', controllerId: 1, topics };
  const frame = encodeResponse({ api: apis.metadata, version, correlationId: 7, body }).subarray(4);

  it('is read a few structs at a time, with turns for others in between [C5]', async () => {
    const turns = new CountedTurns();
    const read = await decodeInSlices('metadata', version, frame, turns.clock);
    turns.dispose();
    assert.deepEqual(read, decodeResponse(apis.metadata, version, frame).body);
    const structs = topicCount * (1 + partitionCount);
    assert.ok(turns.count >= structs / structsInSlice, `${turns.count} turns`);
  });

  it('is refused where it is cut short, in the words of one that is read at once', async () => {
    const cut = frame.subarray(0, frame.length - 20);
    const turns = new CountedTurns();
    const words = (error: unknown): boolean => {
      assert.throws(() => decodeResponse(apis.metadata, version, cut), {
        message: String(error).replace(/^\w+: /, ''),
      });
      return true;
    };
    await assert.rejects(decodeInSlices('metadata', version, cut, turns.clock), words);
    turns.dispose();
  });
});
