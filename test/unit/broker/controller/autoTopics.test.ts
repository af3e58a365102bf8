import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { BrokerConfig } from '../../../../src/broker/config/brokerConfigs.ts';
import { AutoTopics } from '../../../../src/broker/controller/autoTopics.ts';
import type { Controller } from '../../../../src/broker/controller/controller.ts';
import type { TopicFailure } from '../../../../src/broker/controller/createTopics.ts';

/** A controller that refuses all topics, and notes how often their names are looked at. */
function refusing(names: readonly string[]) {
  let looks = 0;
  let changes = 0;
  const failures = new Map(
    names.map((name) => [
      name,
      {
        get name() {
          looks++;
          return name;
        },
        error: 'INVALID_REPLICATION_FACTOR',
        message: 'no',
      },
    ]),
  );
  const change = (): Promise<unknown> => {
    changes++;
    return Promise.resolve(failures);
  };
  const autoTopics = new AutoTopics({
    config: new BrokerConfig(),
    controller: { change } as unknown as Controller,
    topicRules: () => assert.fail('nothing is planned'),
  });
  return { autoTopics, looks: () => looks, changes: () => changes };
}

describe('Topics that one request asks for', () => {
  const names = Array.from({ length: 1000 }, (_, index) => `topic-${index}`);
  const namesOf = (failures: readonly TopicFailure[]): string[] => failures.map(({ name }) => name);

  it('[A2] and that cannot be made are told, each looked up once', async () => {
    const { autoTopics, looks } = refusing(names);
    const failures = await autoTopics.createTogether(names);
    assert.ok(looks() <= 2 * names.length, `names were looked at ${looks()} times`);
    assert.deepEqual(namesOf(failures), names);
  });

  it('[A2] are not made twice where others ask for them meanwhile, and are told to all', async () => {
    const { autoTopics, changes } = refusing(names.slice(0, 2));
    const first = autoTopics.createTogether(['topic-0', 'topic-1']);
    const second = autoTopics.createTogether(['topic-1', '__cluster_metadata']);
    assert.deepEqual(namesOf(await first), ['topic-0', 'topic-1']);
    assert.deepEqual(namesOf(await second), ['topic-1']);
    assert.equal(changes(), 1);
    await autoTopics.createTogether(['topic-1']);
    assert.equal(changes(), 2);
  });
});
