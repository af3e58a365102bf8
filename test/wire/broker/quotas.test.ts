// Quotas of clients, the same to our broker and to Kafka.
import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'mocha';
import type { RawClient, RequestInput, Response } from './support/rawClient.ts';
import {
  batchOf,
  connections,
  createTopic,
  errorName,
  freshName,
  patienceMs,
  servers,
} from './support/servers.ts';

type Entry = NonNullable<RequestInput<'alterClientQuotas'>['entries']>[number];
type Entity = NonNullable<Entry['entity']>;
type Op = NonNullable<Entry['ops']>[number];

const user = (entityName: string | null): Entity => [{ entityType: 'user', entityName }];
const clientId = (entityName: string | null): Entity => [{ entityType: 'client-id', entityName }];

for (const server of servers) {
  describe(`Quotas of clients (${server.name})`, function () {
    this.timeout(patienceMs);
    const connect = connections(server);
    const made: { entity: Entity; keys: string[] }[] = [];
    let client: RawClient;

    before(async () => {
      client = await connect();
    });
    afterEach(async () => {
      for (const { entity, keys } of made.splice(0)) {
        await alter(
          entity,
          keys.map((key) => ({ key, value: 0, remove: true })),
        );
      }
    });

    async function alter(entity: Entity, ops: Op[], validateOnly = false): Promise<string> {
      const { entries } = await client.call('alterClientQuotas', 1, {
        entries: [{ entity, ops }],
        validateOnly,
      });
      const [entry] = entries;
      return `${errorName(entry?.errorCode)}: ${entry?.errorMessage ?? 'nothing'}`;
    }

    async function set(entity: Entity, values: Record<string, number>): Promise<void> {
      const ops = Object.entries(values).map(([key, value]) => ({ key, value, remove: false }));
      made.push({ entity, keys: Object.keys(values) });
      assert.equal(await alter(entity, ops), 'NONE: nothing');
    }

    type Component = NonNullable<RequestInput<'describeClientQuotas'>['components']>[number];

    async function told(components: Component[], strict = false): Promise<string[]> {
      const answer = await client.call('describeClientQuotas', 1, { components, strict });
      if (answer.errorCode !== 0) return [`${errorName(answer.errorCode)}: ${answer.errorMessage}`];
      return (answer.entries ?? [])
        .map(({ entity, values }) => {
          const who = entity.map(({ entityType, entityName }) => `${entityType}=${entityName}`);
          const what = values.map(({ key, value }) => `${key}=${value}`);
          return `${who.sort().join('+')}: ${what.sort().join(' ')}`;
        })
        .sort();
    }

    /** Kafka's broker follows its metadata a little later. */
    async function untilTold(components: Component[], expected: string[]): Promise<void> {
      for (let i = 0; i < 200 && (await told(components)).join() !== expected.join(); i++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.deepEqual(await told(components), expected);
    }

    it('[A9] tells what was set, by whom it is for', async () => {
      const bob = freshName('bob');
      const app = freshName('app');
      await set(user(bob), { producer_byte_rate: 1000, request_percentage: 12.5 });
      await set([...user(bob), ...clientId(app)], { consumer_byte_rate: 5000 });
      const both = `client-id=${app}+user=${bob}: consumer_byte_rate=5000`;
      const alone = `user=${bob}: producer_byte_rate=1000 request_percentage=12.5`;
      const exactly = { entityType: 'user', matchType: 0, match: bob };
      await untilTold([exactly], [both, alone]);
      assert.deepEqual(await told([exactly], true), [alone]);
      const anyClient = { entityType: 'client-id', matchType: 2, match: null };
      assert.deepEqual(await told([exactly, anyClient]), [both]);
      assert.deepEqual(await told([exactly, { ...anyClient, matchType: 1 }]), []);
      await alter(user(bob), [{ key: 'producer_byte_rate', value: 0, remove: true }]);
      await untilTold([exactly], [both, `user=${bob}: request_percentage=12.5`]);
    });

    it('[A9] changes nothing where it is only asked whether it could', async () => {
      const zed = freshName('zed');
      const op = { key: 'producer_byte_rate', value: 5, remove: false };
      assert.equal(await alter(user(zed), [op], true), 'NONE: nothing');
      assert.deepEqual(await told([{ entityType: 'user', matchType: 0, match: zed }]), []);
    });

    const byteRate = (value: number): Op[] => [{ key: 'producer_byte_rate', value, remove: false }];
    const refusals: [string, Entity, Op[], string][] = [
      ['nobody', [], byteRate(1), 'Invalid empty client quota entity'],
      [
        'another kind of entity',
        [{ entityType: 'group', entityName: 'g' }],
        byteRate(1),
        'Unhandled client quota entity type: group',
      ],
      ['an empty name', user(''), byteRate(1), 'Empty user not supported'],
      [
        'an address with a user',
        [{ entityType: 'ip', entityName: '127.0.0.9' }, ...user('x')],
        [{ key: 'connection_creation_rate', value: 1, remove: false }],
        'Invalid quota entity combination, IP entity shouldnot be combined with User or ClientId',
      ],
      [
        "a client's quota of an address",
        [{ entityType: 'ip', entityName: '127.0.0.9' }],
        byteRate(1),
        'Invalid configuration key producer_byte_rate',
      ],
      [
        'an unknown quota',
        user('x'),
        [{ key: 'nonsense', value: 1, remove: false }],
        'Invalid configuration key nonsense',
      ],
      ['nothing', user('x'), byteRate(0), 'Quota producer_byte_rate must be greater than 0'],
      ['half a byte', user('x'), byteRate(1.5), 'producer_byte_rate cannot be a fractional value.'],
      [
        'more than there is',
        user('x'),
        byteRate(1e30),
        'Proposed value for producer_byte_rate is too large for a LONG.',
      ],
      [
        'a quota twice',
        user('x'),
        [...byteRate(1), ...byteRate(2)],
        'Ignoring duplicate entity ClientQuotaEntity(entries={user=x})',
      ],
    ];
    for (const [what, entity, ops, message] of refusals) {
      it(`[A9] refuses a quota for ${what}`, async () => {
        assert.equal(await alter(entity, ops), `INVALID_REQUEST: ${message}`);
      });
    }

    const questions: [string, Component[], string][] = [
      [
        'an unknown kind',
        [{ entityType: 'nonsense', matchType: 0, match: 'x' }],
        'UNSUPPORTED_VERSION: Unsupported entity type nonsense',
      ],
      [
        'no kind',
        [{ entityType: '', matchType: 0, match: 'x' }],
        'INVALID_REQUEST: Invalid empty entity type.',
      ],
      [
        'an unknown match',
        [{ entityType: 'user', matchType: 9, match: 'x' }],
        'INVALID_REQUEST: Unknown match type 9',
      ],
      [
        'exactly nobody',
        [{ entityType: 'user', matchType: 0, match: null }],
        'INVALID_REQUEST: Request specified MATCH_TYPE_EXACT, but set match string to null.',
      ],
      [
        'a default with a name',
        [{ entityType: 'user', matchType: 1, match: 'x' }],
        'INVALID_REQUEST: Request specified MATCH_TYPE_DEFAULT, but also specified a match string.',
      ],
      [
        'a kind twice',
        [1, 2].map(() => ({ entityType: 'user', matchType: 2, match: null })),
        'INVALID_REQUEST: Entity type user cannot appear more than once in the filter.',
      ],
    ];
    for (const [what, components, answer] of questions) {
      it(`[A9] does not answer a question for ${what}`, async () => {
        assert.deepEqual(await told(components), [answer]);
      });
    }

    const produce = (on: RawClient, topic: string, bytes: number): Promise<Response<'produce'>> => {
      const partitionData = [{ index: 0, records: batchOf(['x'.repeat(bytes)]) }];
      return on.call('produce', 9, {
        acks: 1,
        timeoutMs: 10_000,
        topicData: [{ name: topic, partitionData }],
      });
    };

    /** Says it until it is throttled: a quota takes effect a moment after it was set, and lets a burst through. */
    async function untilThrottled<T extends { readonly throttleTimeMs: number }>(
      ask: () => Promise<T>,
    ): Promise<T> {
      for (let attempt = 0; attempt < 200; attempt++) {
        const answer = await ask();
        if (answer.throttleTimeMs > 0) return answer;
      }
      throw new Error('it was never throttled');
    }

    it('[A9] throttles a producer that is faster than its quota, and reads it no further meanwhile', async () => {
      const topic = freshName('fast');
      await createTopic(client, topic);
      const app = freshName('app');
      await set(clientId(app), { producer_byte_rate: 1_000_000 });
      const producer = await connect(app);
      const { throttleTimeMs, responses } = await untilThrottled(() =>
        produce(producer, topic, 500_000),
      );
      assert.equal(errorName(responses[0]?.partitionResponses[0]?.errorCode), 'NONE');
      const beganMs = performance.now();
      await producer.call('metadata', 12, { topics: [] });
      const waitedMs = performance.now() - beganMs;
      assert.ok(waitedMs >= throttleTimeMs * 0.9 - 50, `${waitedMs} of ${throttleTimeMs} ms`);
    });

    it('[A9] does not throttle another client', async () => {
      const topic = freshName('other');
      await createTopic(client, topic);
      await set(clientId(freshName('app')), { producer_byte_rate: 1 });
      const producer = await connect(freshName('another'));
      for (let i = 0; i < 5; i++) {
        assert.equal((await produce(producer, topic, 100_000)).throttleTimeMs, 0);
      }
    });

    it('[A9] gives a consumer that is faster than its quota nothing, and all of it later', async () => {
      const topic = freshName('eager');
      await createTopic(client, topic);
      for (let i = 0; i < 4; i++) await produce(client, topic, 250_000);
      const app = freshName('app');
      await set(clientId(app), { consumer_byte_rate: 1_000_000 });
      const consumer = await connect(app);
      const partitions = [{ partition: 0, fetchOffset: 0n, partitionMaxBytes: 250_000 }];
      const fetch = (): Promise<Response<'fetch'>> =>
        consumer.call('fetch', 11, {
          maxWaitMs: 0,
          minBytes: 1,
          topics: [{ topic, partitions }],
          sessionEpoch: -1,
        });
      const throttled = await untilThrottled(fetch);
      assert.equal(errorName(throttled.errorCode), 'NONE');
      assert.deepEqual(throttled.responses, []);
      let later = await fetch();
      for (let i = 0; i < 20 && later.responses.length === 0; i++) later = await fetch();
      assert.ok((later.responses[0]?.partitions[0]?.records?.length ?? 0) > 250_000);
    });

    it('[A9] throttles a client that takes more of the processor than its share, for a second at most', async () => {
      const app = freshName('app');
      await set(clientId(app), { request_percentage: 0.01 });
      const busy = await connect(app);
      const ask = (): Promise<Response<'metadata'>> => busy.call('metadata', 12, { topics: null });
      const { throttleTimeMs } = await untilThrottled(ask);
      assert.ok(throttleTimeMs <= 1000, `${throttleTimeMs}`);
      const beganMs = performance.now();
      await ask();
      const waitedMs = performance.now() - beganMs;
      assert.ok(waitedMs >= throttleTimeMs * 0.9 - 50, `${waitedMs} of ${throttleTimeMs} ms`);
    });

    for (const entityName of ['127.0.0.1', 'localhost', '127.1', '::ffff:127.0.0.1'])
      it(`[A9] does not serve an address that makes more connections than its quota, set for ${entityName}`, async () => {
        await client.call('apiVersions', 0, {});
        await set([{ entityType: 'ip', entityName }], { connection_creation_rate: 1 });
        let isServed = true;
        for (let made = 0; made < 200 && isServed; made++) {
          const another = await connect();
          another.send('apiVersions', 0, {});
          isServed = !(await another.isClosedByServer());
          another.close();
        }
        assert.equal(isServed, false);
        // Those from before go on.
        await client.call('apiVersions', 0, {});
      });

    it('[A9] makes no more partitions than the quota has permits for, and says when there will be', async () => {
      const app = freshName('app');
      await set(clientId(app), { controller_mutation_rate: 1 });
      const admin = await connect(app);
      const make = (): Promise<Response<'createTopics'>> =>
        admin.call('createTopics', 7, {
          topics: [{ name: freshName('made'), numPartitions: 12, replicationFactor: 1 }],
          validateOnly: true,
        });
      const { topics, throttleTimeMs } = await untilThrottled(make);
      assert.equal(errorName(topics[0]?.errorCode), 'THROTTLING_QUOTA_EXCEEDED');
      assert.ok(throttleTimeMs > 0);
    });

    it('[A9] throttles clients that do not know the error for all the partitions that they make', async () => {
      const app = freshName('app');
      await set(clientId(app), { controller_mutation_rate: 1 });
      const admin = await connect(app);
      const make = (): Promise<Response<'createTopics'>> =>
        admin.call('createTopics', 5, {
          topics: [{ name: freshName('made'), numPartitions: 12, replicationFactor: 1 }],
          validateOnly: true,
        });
      const first = await untilThrottled(make);
      const next = await make();
      assert.equal(errorName(first.topics[0]?.errorCode), 'NONE');
      assert.equal(errorName(next.topics[0]?.errorCode), 'NONE');
      assert.ok(next.throttleTimeMs > first.throttleTimeMs + 5000);
    });
  });
}
