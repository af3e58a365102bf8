import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Steps } from '../../../../src/base/turns.ts';
import { PartitionError } from '../../../../src/broker/partition.ts';
import { NoCodec, type PartitionBatch } from '../../../../src/broker/produce/partitionBatch.ts';
import { unlessFailed } from '../../../../src/broker/produce/requestFailure.ts';

const count = 100;

function stepped<T>(steps: Steps<T>): { readonly result: T; readonly stepCount: number } {
  for (let stepCount = 0; ; stepCount++) {
    const { done, value } = steps.next();
    if (done === true) return { result: value, stepCount };
  }
}

const refused = (index: number, refusal: Error): PartitionBatch => ({ topic: 't', index, refusal });

const topicOf = (last: Error) => {
  const unknown = new PartitionError('UNKNOWN_TOPIC_OR_PARTITION', 'not there');
  const batches = Array.from({ length: count }, (_, n) => refused(n, unknown));
  return { name: 't', topicId: '', batches: [...batches, refused(count, last)] };
};

const request = { acks: -1, timeoutMs: 0, transactionalId: null, topicData: [] };

describe('a request to produce that may fail as a whole', () => {
  it('is looked at batch by batch, each in a step of its own', () => {
    const topics = [topicOf(new PartitionError('INVALID_TOPIC_EXCEPTION', 'not to be written'))];
    const { result, stepCount } = stepped(unlessFailed(topics, request));
    assert.equal(result, topics);
    assert.equal(stepCount, count + 1);
  });

  it('and refused in as many', () => {
    const failure = new NoCodec(7);
    const { result, stepCount } = stepped(unlessFailed([topicOf(failure)], request));
    const refusals = result[0]?.batches.map((batch) => 'refusal' in batch && batch.refusal);
    assert.deepEqual([...new Set(refusals)], [failure]);
    assert.equal(stepCount, (count + 1) * 2);
  });
});
