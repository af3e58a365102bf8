import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { commitGroupOffsets } from '../../../src/client/admin/groupOffsets.ts';
import { deleteGroup } from '../../../src/client/admin/groups.ts';
import { createPartitions, createTopic, deleteTopics } from '../../../src/client/admin/topics.ts';
import { KafkaClient, type KafkaClientOptions } from '../../../src/client/kafkaClient.ts';
import { ConnectionError, DeadlineError, KafkaError } from '../../../src/client/kafkaError.ts';
import { produceMany } from '../../../src/client/produce.ts';
import { errorCodes } from '../../../src/protocol/errors.ts';
import { type Reaction, type Script, ScriptedBroker } from '../../support/scriptedBroker.ts';

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
    });
    const client = connect([broker]);
    await createPartitions(client, 'orders', 2);
    assert.deepEqual(broker.asked, [
      ...['metadata', 'createPartitions'],
      ...['metadata', 'createPartitions'],
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
    const found = await connect([broker]).coordinators(['billing']);
    const error = found.get('billing');
    assert.ok(error instanceof KafkaError);
    assert.equal(error.kafkaName, 'COORDINATOR_NOT_AVAILABLE');
  });
});
