// Configs of brokers that are changed while they run, the same to our broker and to Kafka.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, before, describe, it } from 'mocha';
import { startCluster } from '../../../src/embedded.ts';
import { RawClient, type Response } from './support/rawClient.ts';
import {
  batchOf,
  connections,
  createTopic,
  errorName,
  freshName,
  patienceMs,
  servers,
} from './support/servers.ts';

type Entry = Response<'describeConfigs'>['results'][number]['configs'][number];
type Change = [name: string, operation: number, value: string | null];

const topicType = 2;
const brokerType = 4;
const [set, remove, append, subtract] = [0, 1, 2, 3];

async function alter(
  client: RawClient,
  resourceName: string,
  changes: readonly Change[],
  { validateOnly = false, resourceType = brokerType } = {},
): Promise<string> {
  const configs = changes.map(([name, configOperation, value]) => ({
    name,
    configOperation,
    value,
  }));
  const { responses } = await client.call('incrementalAlterConfigs', 1, {
    resources: [{ resourceType, resourceName, configs }],
    validateOnly,
  });
  const [response] = responses;
  return `${errorName(response?.errorCode)}: ${response?.errorMessage ?? 'nothing'}`;
}

async function entryOf(
  client: RawClient,
  resourceType: number,
  resourceName: string,
  name: string,
): Promise<Entry | undefined> {
  const { results } = await client.call('describeConfigs', 4, {
    resources: [{ resourceType, resourceName, configurationKeys: [name] }],
    includeSynonyms: true,
  });
  return results[0]?.configs[0];
}

/** Where the value comes from, and all that it could be. */
function sourcesOf(entry: Entry | undefined): string[] {
  return (entry?.synonyms ?? []).map(({ value, source }) => `${value}@${source}`);
}

for (const server of servers) {
  describe(`Configs of brokers (${server.name})`, function () {
    this.timeout(patienceMs);
    const connect = connections(server);
    let client: RawClient;

    before(async () => {
      client = await connect();
    });
    afterEach(async () => {
      const names = [
        'log.cleanup.policy',
        'log.flush.interval.messages',
        'log.roll.jitter.ms',
        'message.max.bytes',
      ];
      for (const resource of ['', '1']) {
        await alter(
          client,
          resource,
          names.map((name): Change => [name, remove, null]),
        );
      }
    });

    /** Kafka's broker follows its metadata a little later. */
    async function untilEqual<T>(read: () => Promise<T>, expected: T): Promise<void> {
      for (let attempt = 0; attempt < 200; attempt++) {
        try {
          assert.deepEqual(await read(), expected);
          return;
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
      assert.deepEqual(await read(), expected);
    }

    it('[C7] has its own before that of all brokers, before its default', async () => {
      const name = 'log.flush.interval.messages';
      const sources = async (resource: string): Promise<string[]> =>
        sourcesOf(await entryOf(client, brokerType, resource, name));
      const standard = '9223372036854775807@5';
      assert.deepEqual(await sources('1'), [standard]);
      assert.equal(await alter(client, '', [[name, set, '2000']]), 'NONE: nothing');
      await untilEqual(() => sources('1'), ['2000@3', standard]);
      assert.equal(await alter(client, '1', [[name, set, '1000']]), 'NONE: nothing');
      await untilEqual(() => sources('1'), ['1000@2', '2000@3', standard]);
      assert.deepEqual(await sources(''), ['2000@3']);
      assert.equal((await entryOf(client, brokerType, '1', name))?.value, '1000');
      assert.equal(await alter(client, '1', [[name, remove, null]]), 'NONE: nothing');
      await untilEqual(() => sources('1'), ['2000@3', standard]);
      assert.equal(await alter(client, '', [[name, remove, null]]), 'NONE: nothing');
      await untilEqual(() => sources('1'), [standard]);
    });

    it('[C7] tells what would hold otherwise, where a time is set more finely', async () => {
      const topic = freshName();
      await createTopic(client, topic);
      const name = 'log.roll.jitter.ms';
      const sources = async (): Promise<string[]> =>
        sourcesOf(await entryOf(client, topicType, topic, 'segment.jitter.ms'));
      assert.deepEqual(await sources(), []);
      await alter(client, '', [[name, set, '7']]);
      await untilEqual(sources, ['7@3', '0@5']);
    });

    it('[C7] gives topics their defaults at once', async () => {
      const topic = freshName('limited');
      await createTopic(client, topic);
      const produce = async (bytes: number): Promise<string> => {
        const partitionData = [{ index: 0, records: batchOf(['x'.repeat(bytes)]) }];
        const { responses } = await client.call('produce', 9, {
          acks: -1,
          timeoutMs: 10_000,
          topicData: [{ name: topic, partitionData }],
        });
        return errorName(responses[0]?.partitionResponses[0]?.errorCode);
      };
      assert.equal(await produce(2000), 'NONE');
      await alter(client, '', [['message.max.bytes', set, '1000']]);
      await untilEqual(() => produce(2000), 'MESSAGE_TOO_LARGE');
      const inherited = await entryOf(client, topicType, topic, 'max.message.bytes');
      assert.deepEqual([inherited?.value, inherited?.configSource], ['1000', 3]);
      assert.deepEqual(sourcesOf(inherited), ['1000@3', '1048588@5']);
      const own = { resourceType: topicType };
      await alter(client, topic, [['max.message.bytes', set, '5000']], own);
      await untilEqual(() => produce(2000), 'NONE');
      await alter(client, topic, [['max.message.bytes', remove, null]], own);
      await alter(client, '', [['message.max.bytes', remove, null]]);
      await untilEqual(() => produce(2000), 'NONE');
    });

    it('[C7] appends to lists and takes from them', async () => {
      const name = 'log.cleanup.policy';
      const value = async (): Promise<string | null | undefined> =>
        (await entryOf(client, brokerType, '1', name))?.value;
      assert.equal(await alter(client, '1', [[name, append, 'compact']]), 'NONE: nothing');
      await untilEqual(value, 'delete,compact');
      assert.equal(await alter(client, '1', [[name, subtract, 'compact']]), 'NONE: nothing');
      await untilEqual(value, 'delete');
      await alter(client, '1', [[name, remove, null]]);
    });

    it('[C7] changes nothing where it is only asked whether it could', async () => {
      const change: Change = ['log.flush.interval.messages', set, '77'];
      assert.equal(await alter(client, '1', [change], { validateOnly: true }), 'NONE: nothing');
      const entry = await entryOf(client, brokerType, '1', change[0]);
      assert.equal(entry?.value, '9223372036854775807');
    });

    it('[C7] takes for a broker what a topic may not have, and another interval of assignments', async () => {
      const changes: Change[] = [
        ['log.flush.interval.ms', set, '-1'],
        ['group.consumer.assignment.interval.ms', set, '15000'],
      ];
      assert.equal(await alter(client, '', changes, { validateOnly: true }), 'NONE: nothing');
    });

    it('[C7] says which configs can be changed', async () => {
      for (const [name, readOnly] of [
        ['group.consumer.assignment.interval.ms', false],
        ['log.retention.bytes', false],
        ['num.partitions', true],
        ['socket.request.max.bytes', true],
        ['producer.id.expiration.ms', false],
      ] as const) {
        assert.equal((await entryOf(client, brokerType, '1', name))?.readOnly, readOnly, name);
      }
    });

    const refusals: [string, string, Change[], RegExp][] = [
      [
        'what is read at the start only',
        '1',
        [['num.partitions', set, '3']],
        /^INVALID_REQUEST: Cannot update these configs dynamically: \[num\.partitions\]$/,
      ],
      [
        'the same for all brokers',
        '',
        [['group.max.size', set, '3']],
        /^INVALID_REQUEST: Cannot update these configs dynamically: \[group\.max\.size\]$/,
      ],
      [
        'an interval past its limits',
        '',
        [['group.consumer.assignment.interval.ms', set, '15001']],
        /^INVALID_REQUEST: group\.consumer\.assignment\.interval\.ms must be .* group\.consumer\.max\.assignment/,
      ],
      [
        'what only a topic may have',
        '',
        [['log.retention.ms', set, '0']],
        /^INVALID_REQUEST: .*log\.retention\.ms/,
      ],
      [
        'the same item of a list twice',
        '1',
        [['log.cleanup.policy', set, 'compact,compact']],
        /^INVALID_REQUEST: /,
      ],
      [
        'a value of another type',
        '1',
        [['log.retention.ms', set, 'many']],
        /^INVALID_REQUEST: Invalid value many for configuration log\.retention\.ms/,
      ],
      [
        'a value out of range',
        '1',
        [['log.segment.bytes', set, '60000']],
        /^INVALID_REQUEST: Invalid value 60000 for configuration log\.segment\.bytes/,
      ],
      [
        'a choice that there is not',
        '1',
        [['compression.type', set, 'brotli']],
        /^INVALID_REQUEST: Invalid value brotli for configuration compression\.type/,
      ],
      [
        'an append to what is no list',
        '1',
        [['log.retention.ms', append, '5']],
        /^INVALID_CONFIG: Config value append is not allowed for config key: log\.retention\.ms$/,
      ],
      [
        'an operation that there is not',
        '1',
        [['log.retention.ms', 9, '5']],
        /^INVALID_REQUEST: Unknown operations type 9$/,
      ],
      [
        'no value',
        '1',
        [['log.retention.ms', set, null]],
        /^INVALID_REQUEST: Null value not supported for : log\.retention\.ms$/,
      ],
      [
        'a config twice',
        '1',
        [
          ['log.retention.ms', set, '5'],
          ['log.retention.ms', set, '6'],
        ],
        /^INVALID_REQUEST: Error due to duplicate config keys$/,
      ],
      [
        'another broker',
        '7',
        [['log.retention.ms', set, '5']],
        /^INVALID_REQUEST: Unexpected broker id, expected 1, but received 7$/,
      ],
      [
        'what is no broker',
        'x',
        [['log.retention.ms', set, '5']],
        /^INVALID_REQUEST: Node id must be an integer, but it is: x$/,
      ],
    ];
    for (const [what, resource, changes, answer] of refusals) {
      it(`[C7] refuses ${what}`, async () => {
        assert.match(await alter(client, resource, changes), answer);
      });
    }

    it('[C7] refuses what has no configs, and all topics at once', async () => {
      const change: Change[] = [['retention.ms', set, '5']];
      assert.equal(
        await alter(client, 'x', change, { resourceType: 1 }),
        'INVALID_REQUEST: Unknown resource type 1',
      );
      assert.equal(
        await alter(client, '', change, { resourceType: topicType }),
        'INVALID_REQUEST: Default topic resources are not allowed.',
      );
    });

    it('[C7] lists what has configs', async () => {
      const topic = freshName('listed');
      await createTopic(client, topic);
      const list = async (version: number, resourceTypes: number[]): Promise<string[]> => {
        const answer = await client.call('listConfigResources', version, { resourceTypes });
        if (answer.errorCode !== 0) return [errorName(answer.errorCode)];
        return answer.configResources
          .filter(({ resourceType, resourceName }) => resourceType !== 2 || resourceName === topic)
          .map(({ resourceType, resourceName }) => `${resourceType} ${resourceName}`);
      };
      assert.deepEqual(await list(0, []), []);
      assert.deepEqual(await list(1, []), ['8 1', '4 1', `2 ${topic}`]);
      assert.deepEqual(await list(1, [2, 4]), ['4 1', `2 ${topic}`]);
      assert.deepEqual(await list(1, [16, 32]), []);
      assert.deepEqual(await list(1, [1]), ['UNSUPPORTED_VERSION']);
    });
  });
}

describe('Configs of brokers, kept (embedded)', () => {
  it('[C7] has what was set after a restart, before what it was started with', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'configs-'));
    const name = 'log.retention.bytes';
    const read = async (change?: Change): Promise<string[]> => {
      const cluster = await startCluster({ dataDir, configs: { [name]: '5000' } });
      const client = await RawClient.open(cluster.bootstrap);
      if (change) await alter(client, '1', [change]);
      const sources = sourcesOf(await entryOf(client, brokerType, '1', name));
      client.close();
      await cluster.stop();
      return sources;
    };
    assert.deepEqual(await read([name, set, '7000']), ['7000@2', '5000@4', '-1@5']);
    assert.deepEqual(await read(), ['7000@2', '5000@4', '-1@5']);
    assert.deepEqual(await read([name, remove, null]), ['5000@4', '-1@5']);
    assert.deepEqual(await read(), ['5000@4', '-1@5']);
    await rm(dataDir, { recursive: true, force: true });
  });
});
