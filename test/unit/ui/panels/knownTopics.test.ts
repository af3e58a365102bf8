import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { TopicSummary } from '../../../../src/cluster/model.ts';
import { KnownTopics } from '../../../../src/ui/panels/knownTopics.ts';

function topic(name: string, isInternal = false): TopicSummary {
  return { name, topicId: '', isInternal, partitionCount: 3, underReplicated: 0, offline: 0 };
}

describe('The topics that a produce panel knows', () => {
  const { signal } = new AbortController();
  let listed: TopicSummary[] | undefined;
  let reads: number;
  let nowMs: number;
  let topics: KnownTopics;
  const names = (): string[] => topics.all.map(({ name }) => name);

  beforeEach(async () => {
    listed = [topic('refunds'), topic('orders'), topic('__consumer_offsets', true)];
    reads = 0;
    nowMs = 0;
    topics = new KnownTopics({
      read: (given) => {
        reads++;
        given.throwIfAborted();
        return listed ? Promise.resolve(listed) : Promise.reject(new Error('cannot reach it'));
      },
      nowMs: () => nowMs,
    });
    await topics.read(signal);
  });

  it('are those that are not internal, by name', () => {
    assert.deepEqual(topics.all, [
      { name: 'orders', partitionCount: 3 },
      { name: 'refunds', partitionCount: 3 },
    ]);
  });

  it('are read again where one is missing, once in two seconds', async () => {
    await topics.refresh(signal);
    listed = [topic('many')];
    nowMs = 1999;
    await topics.refresh(signal);
    assert.deepEqual([names(), reads], [['orders', 'refunds'], 2]);
    nowMs = 2000;
    await topics.refresh(signal);
    assert.deepEqual([names(), reads], [['many'], 3]);
  });

  it('stay where the list cannot be read', async () => {
    listed = undefined;
    await topics.refresh(signal);
    assert.deepEqual([names(), reads], [['orders', 'refunds'], 2]);
  });

  it('are read by the next who asks where the last gave up', async () => {
    await topics.refresh(AbortSignal.abort());
    listed = [topic('many')];
    await topics.refresh(signal);
    assert.deepEqual(names(), ['many']);
  });
});
