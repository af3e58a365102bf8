import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { type Disposable, toDisposable } from '../../../src/base/disposable.ts';
import { commitGroupOffsets } from '../../../src/client/admin/groupOffsets.ts';
import { deleteGroup } from '../../../src/client/admin/groups.ts';
import { listOffsets, offsetSpec } from '../../../src/client/admin/listOffsets.ts';
import { createPartitions, createTopic, deleteTopics } from '../../../src/client/admin/topics.ts';
import { KafkaClient, type KafkaClientOptions } from '../../../src/client/kafkaClient.ts';
import { ConnectionError, DeadlineError, KafkaError } from '../../../src/client/kafkaError.ts';
import { produce, produceMany, type ProducerStamp } from '../../../src/client/produce.ts';
import { errorCodes } from '../../../src/protocol/errors.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { until } from '../../support/until.ts';
import { type Reaction, type Script, ScriptedBroker } from '../../support/scriptedBroker.ts';

/** The pauses between tries are over at once. */
class PauselessClock extends ManualClock {
  override setTimer(delayMs: number, fire: () => void): Disposable {
    if (delayMs > 1200) return super.setTimer(delayMs, fire);
    const immediate = setImmediate(() => {
      this.advance(delayMs);
      fire();
    });
    return toDisposable(() => clearImmediate(immediate));
  }
}

describe("a client's requests", () => {
  const brokers: ScriptedBroker[] = [];
  const clients: KafkaClient[] = [];

  afterEach(() => {
    for (const client of clients.splice(0)) client.dispose();
    for (const broker of brokers.splice(0)) broker.dispose();
  });

  const serve = async (script: Script, partitionCount = 1): Promise<ScriptedBroker> => {
    const metadata = (): Reaction<'metadata'> => broker.metadata({ orders: partitionCount });
    const broker = await ScriptedBroker.start({ metadata, ...script });
    brokers.push(broker);
    return broker;
  };

  const connect = (
    bootstrap: readonly ScriptedBroker[],
    options: Partial<KafkaClientOptions> = {},
  ): KafkaClient => {
    const addresses = bootstrap.map(({ address }) => address);
    const client = new KafkaClient({ bootstrap: addresses, ...options });
    clients.push(client);
    return client;
  };

  const times = (broker: ScriptedBroker, api: string): number =>
    broker.asked.filter((asked) => asked === api).length;

  const findCoordinator: Script['findCoordinator'] = ({ coordinatorKeys }) => ({
    coordinators: coordinatorKeys.map((key) => ({
      ...{ key, nodeId: 1, host: '', port: 0, errorCode: 0, errorMessage: null },
    })),
  });

  const record = { topic: 'orders', partition: 0, key: null, value: null, headers: [] };
  const stamp = { producerId: 1n, producerEpoch: 0, baseSequence: 0, transactionalId: null };

  const topic = { name: 'new', partitionCount: 1, replicationFactor: 1 };
  const onceOnly: [string, Script, (client: KafkaClient) => Promise<unknown>][] = [
    ['createTopics', { createTopics: () => 'close' }, (client) => createTopic(client, topic)],
    ['deleteTopics', { deleteTopics: () => 'close' }, (client) => deleteTopics(client, ['orders'])],
    [
      'createPartitions',
      { createPartitions: () => 'close' },
      (client) => createPartitions(client, 'orders', 2),
    ],
    [
      'deleteGroups',
      { findCoordinator, deleteGroups: () => 'close' },
      (client) => deleteGroup(client, 'billing'),
    ],
  ];
  for (const [api, script, change] of onceOnly) {
    it(`are not repeated where they may have been carried out: ${api}`, async () => {
      const broker = await serve(script);
      await assert.rejects(change(connect([broker])), (error) => {
        assert.ok(error instanceof ConnectionError);
        return error.mayHaveBeenSent;
      });
      assert.equal(times(broker, api), 1);
    });
  }

  it('ask for the controller again where it has moved', async () => {
    let asked = 0;
    const result = { name: 'orders', errorMessage: null };
    const broker = await serve({
      createPartitions: () => ({
        results: [{ ...result, errorCode: ++asked === 1 ? errorCodes.NOT_CONTROLLER : 0 }],
      }),
      deleteTopics: () => ({
        responses: [{ ...result, errorCode: ++asked === 3 ? errorCodes.NOT_CONTROLLER : 0 }],
      }),
      metadata: () => broker.metadata({ orders: 2 }),
    });
    const client = connect([broker]);
    await createPartitions(client, 'orders', 2);
    assert.deepEqual(broker.asked, [
      ...['metadata', 'createPartitions'],
      ...['metadata', 'createPartitions'],
      // The topic is looked at, as it is now.
      'metadata',
    ]);
    const outcomes = await deleteTopics(client, ['orders']);
    assert.deepEqual(outcomes.get('orders'), { value: undefined });
    assert.equal(asked, 4);
  });

  it('ask where a broker is by now, once it cannot be reached where it was', async () => {
    const describeConfigs: Script['describeConfigs'] = () => ({ results: [] });
    const first = await serve({ describeConfigs });
    const second = await serve({ describeConfigs });
    const client = connect([first, second]);
    await client.request('describeConfigs', {}, { to: 1 });
    first.dispose();
    await client.request('describeConfigs', {}, { to: 1 });
    assert.equal(times(second, 'describeConfigs'), 1);
  });

  it('are tried as often as one alone, however many are in one another', async () => {
    const broker = await serve({ produce: () => 'close' });
    const producing = produce(connect([broker]), record, { stamp: () => Promise.resolve(stamp) });
    await assert.rejects(producing, ConnectionError);
    assert.equal(times(broker, 'produce'), 6);
  });

  it('are not begun again by who waits for them among other things', async () => {
    const broker = await serve({ metadata: () => 'close' });
    const client = connect([broker], { clock: new PauselessClock() });
    await assert.rejects(
      client.retry(() => client.metadata(null)),
      ConnectionError,
    );
    assert.equal(times(broker, 'metadata'), 6);
  });

  it('of one call have its time together: what one took is not there for the next', async () => {
    const clock = new ManualClock();
    const partitionResponses = [{ index: 0, errorCode: 0, baseOffset: 0n }];
    const broker = await serve({
      produce: () => ({ responses: [{ name: 'orders', partitionResponses }] }),
    });
    const slowStamp = (): Promise<ProducerStamp> => {
      clock.advance(2000);
      return Promise.resolve(stamp);
    };
    const client = connect([broker], { clock });
    await produce(client, record, { stamp: slowStamp, timeoutMs: 2500 });
    const late = produce(client, record, { stamp: slowStamp, timeoutMs: 1500 });
    await assert.rejects(late, DeadlineError);
    assert.equal(times(broker, 'produce'), 1);
  });

  it('for a topic that was just created wait until a broker has heard of it', async () => {
    let lookups = 0;
    const broker = await serve({
      createTopics: () => ({ topics: [{ name: 'new', errorCode: 0, errorMessage: null }] }),
      metadata: () => broker.metadata(++lookups > 12 ? { new: 1 } : {}),
    });
    const client = connect([broker], { clock: new PauselessClock() });
    await createTopic(client, topic);
    assert.ok(lookups < 12, `${lookups} lookups: it is created, whether a broker says so or not`);
    assert.equal((await client.topic('new')).name, 'new');
    assert.equal(lookups, 13);
  });

  it('for a partition that a topic was not created with end after a few tries', async () => {
    const broker = await serve({
      createTopics: () => ({ topics: [{ name: 'new', errorCode: 0, errorMessage: null }] }),
      metadata: () => broker.metadata({ new: 1 }),
    });
    const client = connect([broker], { clock: new PauselessClock() });
    await createTopic(client, topic);
    const lookupsBefore = times(broker, 'metadata');
    const queries = [{ topic: 'new', partition: 7, timestamp: offsetSpec.latest }];
    const missing = (await listOffsets(client, queries)).get('new', 7);
    assert.ok(missing && 'error' in missing && missing.error instanceof KafkaError);
    assert.equal(missing.error.kafkaName, 'UNKNOWN_TOPIC_OR_PARTITION');
    assert.equal(times(broker, 'metadata') - lookupsBefore, 5);
  });

  it('for a topic that nobody knows end after a few tries, and name it', async () => {
    const broker = await serve({});
    const client = connect([broker], { clock: new PauselessClock() });
    const kafkaName = 'UNKNOWN_TOPIC_OR_PARTITION';
    await assert.rejects(client.topic('typo'), { kafkaName, topic: 'typo' });
    assert.equal(times(broker, 'metadata'), 6);
  });

  it('for a topic that has grown elsewhere find its new partitions', async () => {
    let partitionCount = 1;
    const broker = await serve({
      metadata: () => broker.metadata({ orders: partitionCount }),
      produce: () => ({
        responses: [
          { name: 'orders', partitionResponses: [{ index: 3, errorCode: 0, baseOffset: 7n }] },
        ],
      }),
    });
    const client = connect([broker]);
    await client.topic('orders');
    partitionCount = 4;
    assert.equal((await produce(client, { ...record, partition: 3 })).offset, 7n);
    await assert.rejects(produce(client, { ...record, partition: 4 }), /no partition 4/);
  });

  it('go over a new connection where the last was idle for long: it may be dead by now', async () => {
    const clock = new ManualClock();
    const broker = await serve({});
    const client = connect([broker], { clock });
    await client.metadata(null);
    clock.advance(170_000);
    await client.metadata(null);
    assert.equal(broker.accepted, 1);
    clock.advance(190_000);
    await client.metadata(null);
    assert.equal(broker.accepted, 2);
    await until(
      () => broker.connections === 1,
      () => `${broker.connections} connections are open`,
    );
  });

  it('find a broker that came back with another id', async () => {
    let nodeId = 1;
    const partitionResponses = [{ index: 0, errorCode: 0, baseOffset: 5n }];
    const broker = await serve({
      metadata: () => broker.metadata({ orders: 1 }, nodeId),
      produce: () => {
        if (nodeId === 7) return { responses: [{ name: 'orders', partitionResponses }] };
        nodeId = 7;
        return 'close';
      },
    });
    const produced = await produce(connect([broker]), record, {
      stamp: () => Promise.resolve(stamp),
    });
    assert.equal(produced.offset, 5n);
  });

  it('go to who leads now as the broker that did before says, without asking for it again', async () => {
    const after = await serve({
      metadata: () => 'silence',
      produce: () => ({
        responses: [
          { name: 'orders', partitionResponses: [{ index: 0, errorCode: 0, baseOffset: 7n }] },
        ],
      }),
    });
    const before = await serve({
      produce: () => ({
        responses: [
          {
            name: 'orders',
            partitionResponses: [
              {
                ...{ index: 0, errorCode: errorCodes.NOT_LEADER_OR_FOLLOWER, baseOffset: -1n },
                currentLeader: { leaderId: 2, leaderEpoch: 1 },
              },
            ],
          },
        ],
        nodeEndpoints: [{ nodeId: 2, host: '127.0.0.1', port: after.port, rack: null }],
      }),
    });
    const produced = await produce(connect([before]), record);
    assert.equal(produced.offset, 7n);
    assert.equal(times(before, 'metadata'), 1);
    assert.equal(times(before, 'produce'), 1);
  });

  it('are asked of another broker where one does not answer within 30 s', async () => {
    const clock = new PauselessClock();
    const mute = await serve({ metadata: () => 'silence' });
    const other = await serve({});
    const asked = connect([mute, other], { clock }).metadata(null, { timeoutMs: 90_000 });
    await until(
      () => times(mute, 'metadata') === 1,
      () => 'nothing was asked',
    );
    clock.advance(29_000);
    assert.equal(times(other, 'metadata'), 0);
    clock.advance(2000);
    assert.equal((await asked).brokers.length, 1);
    assert.equal(times(mute, 'metadata'), 1);
  });

  it('wait for a leader in the place of one that is down, as long as the call may take', async () => {
    let asked = 0;
    const gone = await serve({});
    const led = gone.metadata({ orders: 1 }, 2);
    gone.dispose();
    const partitionResponses = [{ index: 0, errorCode: 0, baseOffset: 7n }];
    const alive: ScriptedBroker = await serve({
      metadata: () => {
        const elected = alive.metadata({ orders: 1 });
        if (++asked > 12) return elected;
        return { ...led, brokers: [...(elected.brokers ?? []), ...(led.brokers ?? [])] };
      },
      produce: () => ({ responses: [{ name: 'orders', partitionResponses }] }),
    });
    const client = connect([alive], { clock: new PauselessClock() });
    assert.equal((await produce(client, record)).offset, 7n);
  });

  it('wait for connections no longer than the call may take', async () => {
    const apiVersions: Script['apiVersions'] = () => 'silence';
    const silent = await Promise.all([serve({ apiVersions }), serve({ apiVersions })]);
    const client = connect(silent, { connectTimeoutMs: 3_600_000 });
    await assert.rejects(client.metadata(null, { timeoutMs: 50 }), (error) => {
      assert.ok(error instanceof DeadlineError);
      assert.ok(error.message.includes(silent[0].address), error.message);
      return true;
    });
    assert.equal(silent[1].accepted, 0);
  });

  it('stop at the first batch that is not taken, after those under way', async () => {
    const broker = await serve(
      {
        produce: ({ topicData: [data] }) => {
          const index = data?.partitionData[0]?.index ?? -1;
          const errorCode = index === 0 ? errorCodes.TOPIC_AUTHORIZATION_FAILED : 0;
          const partitionResponses = [{ index, errorCode, baseOffset: 0n }];
          return { responses: [{ name: 'orders', partitionResponses }] };
        },
      },
      2,
    );
    const client = connect([broker]);
    const value = Buffer.alloc(600 * 1024);
    const records = Array.from({ length: 10 }, (_, i) => ({
      ...{ partition: i % 2, key: null, value, headers: [] },
    }));
    const progress: number[] = [];
    const onProgress = (acknowledged: number): number => progress.push(acknowledged);
    await assert.rejects(produceMany(client, 'orders', records, { onProgress }), KafkaError);
    assert.deepEqual(progress, [1]);
    await client.metadata(null);
    assert.equal(times(broker, 'produce'), 2);
  });

  it('tell which partitions were committed before one request of several failed', async () => {
    let commits = 0;
    const broker = await serve({
      findCoordinator,
      offsetCommit: ({ topics }) => {
        if (++commits > 1) return 'close';
        return {
          topics: topics.map(({ name, partitions }) => ({
            name,
            partitions: partitions.map(({ partitionIndex }) => ({ partitionIndex, errorCode: 0 })),
          })),
        };
      },
    });
    const client = connect([broker]);
    const offsets = Array.from({ length: 2001 }, (_, partition) => ({
      ...{ topic: 'orders', partition, offset: 1n, leaderEpoch: -1, metadata: '' },
    }));
    const outcomes = [
      ...(await commitGroupOffsets(client, 'billing', offsets, { timeoutMs: 500 })),
    ];
    assert.equal(outcomes.length, 2001);
    assert.equal(outcomes.filter(({ value }) => !('error' in value)).length, 1000);
  });

  it('have an error for a group of which FindCoordinator says nothing', async () => {
    const broker = await serve({ findCoordinator: () => ({ coordinators: [] }) });
    const found = await connect([broker]).coordinators.of(['billing']);
    const error = found.get('billing');
    assert.ok(error instanceof KafkaError);
    assert.equal(error.kafkaName, 'COORDINATOR_NOT_AVAILABLE');
  });
});
