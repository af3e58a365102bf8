import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { KafkaClient } from '../../../../src/client/kafkaClient.ts';
import { TopicWatch } from '../../../../src/cluster/tail/tailTopic.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const lookEveryMs = 5000;

describe('The watch over the topic of a tail', () => {
  let clock: ManualClock;
  /** The topic that is there, by its id. */
  let topicId: string | undefined;
  let isPaused: boolean;
  let changes: number;
  let watch: TopicWatch;

  beforeEach(async () => {
    clock = new ManualClock();
    topicId = 'first';
    isPaused = true;
    changes = 0;
    const metadata = () =>
      Promise.resolve({
        topics: new Map(topicId === undefined ? [] : [['orders', { topicId, partitions: [{}] }]]),
      });
    watch = new TopicWatch({
      client: { clock, metadata } as unknown as KafkaClient,
      topic: 'orders',
      partitionCount: 1,
      isUnread: () => isPaused,
      onGrown: () => true,
      onChange: () => changes++,
    });
    await nextTurn();
  });

  afterEach(() => watch.dispose());

  async function look(): Promise<void> {
    clock.advance(lookEveryMs);
    await nextTurn();
  }

  it('takes a topic that nobody reads for deleted when it is missed twice', async () => {
    topicId = undefined;
    await look();
    assert.equal(watch.gone, undefined);
    await look();
    assert.deepEqual([watch.gone, changes], ['deleted', 1]);
    topicId = 'second';
    await look();
    assert.deepEqual([watch.gone, changes], ['back', 2]);
  });

  it('leaves it to the reader to learn of what it reads', async () => {
    isPaused = false;
    topicId = undefined;
    await look();
    await look();
    assert.equal(watch.gone, undefined);
  });

  it('sees that a topic is there as it was, which a broker did not know for a while', async () => {
    topicId = undefined;
    await look();
    await look();
    topicId = 'first';
    await look();
    assert.deepEqual([watch.gone, changes], [undefined, 2]);
    topicId = undefined;
    await look();
    assert.equal(watch.gone, undefined);
    await look();
    assert.equal(watch.gone, 'deleted');
  });
});
