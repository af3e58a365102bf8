// `--emulate kafka-3.9` beside a real Kafka 3.9.2: what it says of itself, and what follows from that.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { type EmbeddedKafka, startCluster } from '../../../src/embedded.ts';
import { apiByKey } from '../../../src/protocol/apiIndex.ts';
import { sharedKafka } from '../../support/kafka/sharedKafka.ts';
import { RawClient, type Response } from './support/rawClient.ts';
import { batchOf, createTopic, errorName, freshName, patienceMs } from './support/servers.ts';

/** APIs of Kafka 3.9 that we have in no version. */
const notOurs = [
  ...[38, 39, 40, 41], // delegation tokens
  64, // UnregisterBroker
  ...[80, 81], // AddRaftVoter, RemoveRaftVoter
];

const software = { clientSoftwareName: 'test', clientSoftwareVersion: '1' };

describe('A broker that behaves as Kafka 3.9', function () {
  this.timeout(patienceMs);
  let ours: EmbeddedKafka;
  let latest: EmbeddedKafka;
  let clients: Record<'embedded' | 'Kafka 3.9', RawClient>;

  before(async () => {
    ours = await startCluster({ emulate: 'kafka-3.9' });
    latest = await startCluster();
    const kafka = await sharedKafka('3.9');
    clients = {
      embedded: await RawClient.open(ours.bootstrap),
      'Kafka 3.9': await RawClient.open(kafka.bootstrap),
    };
  });
  after(async () => {
    for (const client of Object.values(clients)) client.close();
    await ours.stop();
    await latest.stop();
  });

  /** What both sides answer, theirs first. */
  async function both<T>(ask: (client: RawClient) => Promise<T>): Promise<[T, T]> {
    return [await ask(clients['Kafka 3.9']), await ask(clients.embedded)];
  }

  for (const version of [0, 1, 2, 3, 4])
    it(`[A16] tells in ApiVersions v${version} what Kafka 3.9 tells, field by field (embedded) (Kafka 3.9)`, async () => {
      const [theirs, mine] = await both((client) =>
        client.call('apiVersions', version, version < 3 ? {} : software),
      );
      const served = await oldestVersions(latest.bootstrap);
      assert.deepEqual(withoutKeys(mine), withoutKeys(theirs));
      assert.deepEqual(mine.apiKeys, expectedKeys(theirs.apiKeys, served));
    });

  it('[A16] answers a version of ApiVersions that Kafka 3.9 does not have as that does (embedded) (Kafka 3.9)', async () => {
    const [theirs, mine] = await both(async (client) => {
      client.send('apiVersions', 5, software);
      return (await client.nextFrame())?.subarray(4);
    });
    assert.ok(theirs);
    assert.deepEqual(mine, theirs);
  });

  it('[A16] refuses the consumer protocol, which is off in Kafka 3.9 (embedded) (Kafka 3.9)', async () => {
    const heartbeat = { groupId: freshName('group'), memberId: '', memberEpoch: 0 };
    const beats = await both((client) =>
      client.call('consumerGroupHeartbeat', 0, {
        ...heartbeat,
        rebalanceTimeoutMs: 1000,
        subscribedTopicNames: ['t'],
        topicPartitions: [],
      }),
    );
    const told = beats.map(({ errorCode }) => errorName(errorCode));
    assert.deepEqual(told, ['UNSUPPORTED_VERSION', 'UNSUPPORTED_VERSION']);
    const [theirs, mine] = await both((client) =>
      client.call('consumerGroupDescribe', 0, { groupIds: ['a', 'b'] }),
    );
    const codes = ({ groups }: Response<'consumerGroupDescribe'>) =>
      groups.map(({ groupId, errorCode }) => [groupId, errorName(errorCode)]);
    assert.deepEqual(codes(mine), codes(theirs));
  });

  it('[A16] takes records from the future, as Kafka did before 4.0 (embedded) (Kafka 3.9)', async () => {
    const name = freshName('future');
    const day = 86_400_000n;
    const answers = await both(async (client) => {
      await createTopic(client, name);
      const records = batchOf([{ timestamp: BigInt(Date.now()) + day, value: Buffer.from('v') }]);
      const { responses } = await client.call('produce', 11, {
        acks: -1,
        timeoutMs: 5000,
        topicData: [{ name, partitionData: [{ index: 0, records }] }],
      });
      const { results } = await client.call('describeConfigs', 4, {
        resources: [
          {
            resourceType: 2,
            resourceName: name,
            configurationKeys: ['message.timestamp.after.max.ms', 'min.insync.replicas'],
          },
        ],
        includeSynonyms: true,
      });
      const configs = results[0]?.configs.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      return { error: errorName(responses[0]?.partitionResponses[0]?.errorCode), configs };
    });
    assert.equal(answers[0].error, 'NONE');
    assert.deepEqual(answers[1], answers[0]);
  });

  it('[A16] has no features to be changed but those of Kafka 3.9 (embedded) (Kafka 3.9)', async () => {
    for (const [feature, maxVersionLevel] of [
      ['group.version', 1],
      ['metadata.version', 22],
      ['metadata.version', 21],
    ] as const) {
      const [theirs, mine] = await both((client) =>
        client.call('updateFeatures', 1, {
          timeoutMs: 5000,
          featureUpdates: [{ feature, maxVersionLevel, upgradeType: 1 }],
          validateOnly: true,
        }),
      );
      // Kafka 3.9 says it for each feature, 4.0 and later for all of them at once.
      const refused = ({ errorCode, results }: Response<'updateFeatures'>) =>
        [errorCode, ...results.map((each) => each.errorCode)].find((code) => code !== 0);
      assert.equal(refused(mine), refused(theirs), `${feature} ${maxVersionLevel}`);
    }
  });
});

type ApiKeys = Response<'apiVersions'>['apiKeys'];

/** All but the APIs, and what two clusters never have in common. */
function withoutKeys(answer: Response<'apiVersions'>) {
  return { ...answer, apiKeys: [], finalizedFeaturesEpoch: 0n };
}

async function oldestVersions(bootstrap: string): Promise<ReadonlyMap<number, number>> {
  const client = await RawClient.open(bootstrap);
  const { apiKeys } = await client.call('apiVersions', 0, {});
  client.close();
  return new Map(apiKeys.map(({ apiKey, minVersion }) => [apiKey, minVersion]));
}

/**
 * As Kafka 3.9 tells them, without versions that no client since Kafka 2.1 needs, which 4.0 has dropped and we never
 * had.
 */
function expectedKeys(theirs: ApiKeys, oldest: ReadonlyMap<number, number>): ApiKeys {
  return theirs
    .filter(({ apiKey }) => !notOurs.includes(apiKey))
    .map((each) => {
      const ours = oldest.get(each.apiKey);
      assert.ok(ours !== undefined, `${apiByKey(each.apiKey)?.name ?? each.apiKey} is not served`);
      return { ...each, minVersion: Math.max(each.minVersion, ours) };
    })
    .sort((a, b) => a.apiKey - b.apiKey);
}
