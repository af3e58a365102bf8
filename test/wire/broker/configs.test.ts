import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { RawClient, Response } from './support/rawClient.ts';
import {
  connections,
  createTopic,
  errorName,
  freshName,
  patienceMs,
  servers,
} from './support/servers.ts';

type Described = Response<'describeConfigs'>['results'][number];

const topicType = 2;
const brokerType = 4;
const clientMetricsType = 16;
const [set, remove, append, subtract] = [0, 1, 2, 3];

async function describeOne(
  client: RawClient,
  resourceType: number,
  resourceName: string,
  configurationKeys: readonly string[] | null = null,
): Promise<Described> {
  const { results } = await client.call('describeConfigs', 4, {
    resources: [{ resourceType, resourceName, configurationKeys }],
    includeSynonyms: true,
    includeDocumentation: true,
  });
  const [result] = results;
  assert.ok(result);
  return result;
}

for (const server of servers) {
  describe(`Configs (${server.name})`, function () {
    this.timeout(patienceMs);
    const connect = connections(server);
    let client: RawClient;

    beforeEach(async () => {
      client = await connect();
    });

    const valueOf = async (topic: string, name: string): Promise<string | null | undefined> =>
      (await describeOne(client, topicType, topic, [name])).configs[0]?.value;

    const alter = async (
      resourceName: string,
      changes: readonly [name: string, operation: number | undefined, value: string | null][],
      { validateOnly = false, resourceType = topicType } = {},
    ): Promise<string> => {
      const { responses } = await client.call('incrementalAlterConfigs', 1, {
        resources: [
          {
            resourceType,
            resourceName,
            configs: changes.map(([name, configOperation, value]) => ({
              name,
              configOperation: configOperation ?? -1,
              value,
            })),
          },
        ],
        validateOnly,
      });
      return errorName(responses[0]?.errorCode);
    };

    /** A broker hears of a change a moment after it was made. */
    const settled = async (topic: string, name: string, expected: string): Promise<void> => {
      for (let attempt = 0; attempt < 100; attempt++) {
        if ((await valueOf(topic, name)) === expected) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.equal(await valueOf(topic, name), expected);
    };

    it('[C6] tells where each value of a topic comes from', async () => {
      const topic = freshName();
      await createTopic(client, topic, { configs: { 'retention.ms': '1000000' } });
      const { configs } = await describeOne(client, topicType, topic, ['retention.ms', 'flush.ms']);
      const byName = new Map(configs.map((config) => [config.name, config]));
      const retention = byName.get('retention.ms');
      assert.equal(retention?.value, '1000000');
      assert.equal(retention.configSource, 1);
      assert.equal(retention.configType, 5);
      assert.equal(retention.readOnly, false);
      assert.notEqual(retention.documentation, null);
      assert.deepEqual(
        { ...retention.synonyms[0] },
        { name: 'retention.ms', value: '1000000', source: 1 },
      );
      assert.equal(byName.get('flush.ms')?.configSource, 5);
    });

    it('[C6] sets and deletes values, appends to and takes from lists', async () => {
      const topic = freshName();
      await createTopic(client, topic);
      assert.equal(await alter(topic, [['retention.ms', set, '5000000']]), 'NONE');
      await settled(topic, 'retention.ms', '5000000');
      assert.equal(await alter(topic, [['retention.ms', remove, null]]), 'NONE');
      await settled(topic, 'retention.ms', '604800000');
      assert.equal(await alter(topic, [['cleanup.policy', append, 'compact']]), 'NONE');
      await settled(topic, 'cleanup.policy', 'delete,compact');
      assert.equal(await alter(topic, [['cleanup.policy', append, 'compact']]), 'NONE');
      await settled(topic, 'cleanup.policy', 'delete,compact');
      assert.equal(await alter(topic, [['cleanup.policy', subtract, 'delete']]), 'NONE');
      await settled(topic, 'cleanup.policy', 'compact');
    });

    it('[C6] takes items of a list as they were set, blanks and all', async () => {
      const topic = freshName();
      await createTopic(client, topic, { configs: { 'cleanup.policy': 'compact, delete' } });
      await settled(topic, 'cleanup.policy', 'compact,delete');
      assert.equal(await alter(topic, [['cleanup.policy', subtract, 'delete']]), 'NONE');
      assert.equal(await alter(topic, [['cleanup.policy', subtract, 'compact']]), 'NONE');
      await settled(topic, 'cleanup.policy', 'delete');
    });

    it('[C6] tells what it has read of a value, not what was set', async () => {
      const topic = freshName();
      await createTopic(client, topic);
      const readings = [
        ['retention.ms', '+5', '5'],
        ['retention.ms', ' 077 ', '77'],
        ['preallocate', ' TRUE', 'true'],
        ['compression.type', ' gzip ', 'gzip'],
        ['min.cleanable.dirty.ratio', '1e-1', '0.1'],
        ['min.cleanable.dirty.ratio', '1d', '1.0'],
        ['min.cleanable.dirty.ratio', '0.00001', '1.0E-5'],
        ['cleanup.policy', ' delete , compact', 'delete,compact'],
        ['cleanup.policy', 'compact,compact', 'compact'],
        ['leader.replication.throttled.replicas', '0:1, 1:1', '0:1,1:1'],
      ] as const;
      for (const [name, value, shown] of readings) {
        assert.equal(await alter(topic, [[name, set, value]]), 'NONE', `${name}=${value}`);
        await settled(topic, name, shown);
      }
    });

    it("[C6] appends to no list of a subscription to clients' metrics", async () => {
      const name = freshName();
      const resource = { resourceType: clientMetricsType };
      const prefix = 'org.apache.kafka';
      assert.equal(await alter(name, [['metrics', append, prefix]], resource), 'INVALID_CONFIG');
      assert.equal(await alter(name, [['metrics', set, prefix]], resource), 'NONE');
      assert.equal(await alter(name, [['metrics', remove, null]], resource), 'NONE');
    });

    it('[C6] changes nothing where it is only asked whether it could', async () => {
      const topic = freshName();
      await createTopic(client, topic);
      const changes: [string, number | undefined, string][] = [['retention.ms', set, '5000000']];
      assert.equal(await alter(topic, changes, { validateOnly: true }), 'NONE');
      assert.equal(await valueOf(topic, 'retention.ms'), '604800000');
    });

    const refusals: [string, [string, number | undefined, string | null][], string][] = [
      ['an unknown config', [['no.such.config', set, '1']], 'INVALID_CONFIG'],
      ['a value of another type', [['retention.ms', set, 'soon']], 'INVALID_CONFIG'],
      ['a value out of range', [['min.insync.replicas', set, '0']], 'INVALID_CONFIG'],
      ['appending to what is no list', [['retention.ms', append, '1']], 'INVALID_CONFIG'],
      ['a level that gzip does not have', [['compression.gzip.level', set, '0']], 'INVALID_CONFIG'],
      ['an empty item', [['cleanup.policy', set, 'compact,']], 'INVALID_CONFIG'],
      [
        'replicas that are none',
        [['leader.replication.throttled.replicas', set, '0:1,*']],
        'INVALID_CONFIG',
      ],
      [
        'compaction that has to be before it may',
        [
          ['min.compaction.lag.ms', set, '100'],
          ['max.compaction.lag.ms', set, '50'],
        ],
        'INVALID_CONFIG',
      ],
      ['no value', [['retention.ms', set, null]], 'INVALID_REQUEST'],
      [
        'the same config twice',
        [
          ['retention.ms', set, '1'],
          ['retention.ms', set, '2'],
        ],
        'INVALID_REQUEST',
      ],
    ];
    for (const [what, changes, error] of refusals) {
      it(`[C6] refuses ${what}: ${error}`, async () => {
        const topic = freshName();
        await createTopic(client, topic);
        assert.equal(await alter(topic, changes), error);
        assert.equal(await valueOf(topic, 'retention.ms'), '604800000');
      });
    }

    it('[C6] knows no configs of what is not there', async () => {
      const topic = freshName();
      assert.equal(await alter(topic, [['retention.ms', set, '1']]), 'UNKNOWN_TOPIC_OR_PARTITION');
      const missing = await describeOne(client, topicType, topic);
      assert.equal(errorName(missing.errorCode), 'UNKNOWN_TOPIC_OR_PARTITION');
      const invalid = await describeOne(client, topicType, 'a b');
      assert.equal(errorName(invalid.errorCode), 'INVALID_TOPIC_EXCEPTION');
      const stranger = await describeOne(client, brokerType, '77');
      assert.equal(errorName(stranger.errorCode), 'INVALID_REQUEST');
    });

    it('[C6] replaces all of a topic with AlterConfigs', async () => {
      const topic = freshName();
      await createTopic(client, topic, { configs: { 'retention.ms': '1000000' } });
      const { responses } = await client.call('alterConfigs', 2, {
        resources: [
          {
            resourceType: topicType,
            resourceName: topic,
            configs: [{ name: 'flush.ms', value: '5' }],
          },
        ],
        validateOnly: false,
      });
      assert.equal(errorName(responses[0]?.errorCode), 'NONE');
      await settled(topic, 'flush.ms', '5');
      await settled(topic, 'retention.ms', '604800000');
    });

    it('[C6] obeys a changed limit at once', async () => {
      const topic = freshName();
      await createTopic(client, topic);
      await alter(topic, [['max.message.bytes', set, '100']]);
      await settled(topic, 'max.message.bytes', '100');
    });
  });
}

describe('Configs beside Apache Kafka', function () {
  this.timeout(patienceMs);
  const connectors = servers.map((server) => connections(server));

  async function both(resourceType: number, resourceName: string): Promise<[Described, Described]> {
    const [ours, kafkas] = await Promise.all(
      connectors.map(async (connect) => describeOne(await connect(), resourceType, resourceName)),
    );
    assert.ok(ours && kafkas);
    return [ours, kafkas];
  }

  it('[C6] a topic has the configs that Kafka has, with type, default and synonyms (embedded, Kafka 4.4)', async () => {
    const topic = freshName();
    for (const connect of connectors) await createTopic(await connect(), topic);
    const [ours, kafkas] = await both(topicType, topic);
    const facts = ({ configs }: Described) =>
      new Map(
        configs.map(({ name, configType, readOnly, isSensitive, synonyms }) => {
          const standard = synonyms.findLast(({ source }) => source === 5)?.value;
          return [name, { configType, readOnly, isSensitive, standard }];
        }),
      );
    const [mine, theirs] = [facts(ours), facts(kafkas)];
    assert.deepEqual([...mine.keys()].sort(), [...theirs.keys()].sort());
    for (const [name, fact] of theirs) {
      // Where a default is not a value of its own, Kafka shows no synonym for it.
      const { standard = mine.get(name)?.standard } = fact;
      assert.deepEqual(mine.get(name), { ...fact, standard }, name);
    }
  });

  it('[C6] every config of our broker is one of Kafka, with its type and default (embedded, Kafka 4.4)', async () => {
    const [ours, kafkas] = await both(brokerType, '1');
    for (const { name, configType, synonyms } of ours.configs) {
      const theirs = kafkas.configs.find((config) => config.name === name);
      assert.ok(theirs, `Kafka has no ${name}`);
      assert.equal(configType, theirs.configType, name);
      const standard = theirs.synonyms.findLast((synonym) => synonym.source === 5)?.value;
      if (standard !== undefined) assert.equal(synonyms.at(-1)?.value, standard, name);
    }
  });
});
