// Requests of administrators, the same to our broker and to Kafka with one node: the same answers, to the letter.
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
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

const notHosted = 'This server does not host this topic-partition.';

for (const server of servers) {
  describe(`Requests of administrators (${server.name})`, function () {
    this.timeout(patienceMs);
    const connect = connections(server);
    const topic = freshName('admin');
    let client: RawClient;

    before(async () => {
      client = await connect();
      await createTopic(client, topic, { partitions: 2 });
    });

    describe('ElectLeaders', () => {
      for (const version of [0, 1, 2]) {
        it(`[C7] says which elections make no sense, in version ${version}`, async () => {
          const answer = await client.call('electLeaders', version, {
            electionType: 0,
            topicPartitions: [
              { topic, partitions: [0, 7] },
              { topic: 'no-such', partitions: [0] },
            ],
          });
          assert.equal(answer.errorCode, 0);
          assert.deepEqual(answer.replicaElectionResults, [
            {
              topic,
              partitionResult: [
                {
                  partitionId: 0,
                  errorCode: 84,
                  errorMessage: 'Leader election not needed for topic partition.',
                },
                {
                  partitionId: 7,
                  errorCode: 3,
                  errorMessage: `No such partition as ${topic}-7`,
                },
              ],
            },
            {
              topic: 'no-such',
              partitionResult: [
                { partitionId: 0, errorCode: 3, errorMessage: 'No such topic as no-such' },
              ],
            },
          ]);
        });
      }

      it('[C7] leaves out of all partitions those that need none', async () => {
        const answer = await client.call('electLeaders', 2, { topicPartitions: null });
        const { replicaElectionResults: results } = answer;
        assert.deepEqual(results.find((each) => each.topic === topic)?.partitionResult, []);
      });

      it('[C7] knows two kinds of election', async () => {
        const answer = await client.call('electLeaders', 2, {
          electionType: 5,
          topicPartitions: [{ topic, partitions: [1] }],
        });
        assert.equal(errorName(answer.errorCode), 'INVALID_REQUEST');
        assert.deepEqual(answer.replicaElectionResults[0]?.partitionResult, [
          { partitionId: 1, errorCode: 42, errorMessage: 'Unknown election type 5' },
        ]);
      });
    });

    describe('AlterPartitionReassignments and its list', () => {
      const reassign = async (
        name: string,
        replicas: number[] | null,
        partitionIndex = 0,
      ): Promise<string> => {
        const partitions = [{ partitionIndex, replicas }];
        const answer = await client.call('alterPartitionReassignments', 1, {
          topics: [{ name, partitions }],
        });
        assert.equal(answer.errorCode, 0);
        assert.equal(answer.errorMessage, null);
        const [result] = answer.responses[0]?.partitions ?? [];
        return `${errorName(result?.errorCode)}: ${result?.errorMessage ?? 'nothing'}`;
      };
      const assignment = 'INVALID_REPLICA_ASSIGNMENT: The manual partition assignment includes';
      const cases: [string, () => Promise<string>, string][] = [
        ['the present replicas', () => reassign(topic, [1]), 'NONE: nothing'],
        ['an end to none', () => reassign(topic, null), 'NO_REASSIGNMENT_IN_PROGRESS: nothing'],
        [
          'a broker twice',
          () => reassign(topic, [1, 1]),
          `${assignment} the broker 1 more than once.`,
        ],
        [
          'a broker that is not there',
          () => reassign(topic, [1, 2]),
          `${assignment} broker 2, but no such broker is registered.`,
        ],
        ['no broker', () => reassign(topic, []), `${assignment} an empty replica list.`],
        [
          'a partition that is not there',
          () => reassign(topic, [1], 9),
          `UNKNOWN_TOPIC_OR_PARTITION: Unable to find partition ${topic}:9.`,
        ],
        [
          'a topic that is not there',
          () => reassign('no-such', [1]),
          'UNKNOWN_TOPIC_OR_PARTITION: Unable to find a topic named no-such.',
        ],
      ];
      for (const [what, ask, expected] of cases) {
        it(`[C7] answers ${what} with ${expected.split(':')[0]}`, async () => {
          assert.equal(await ask(), expected);
        });
      }

      it('[C7] has none under way', async () => {
        for (const topics of [null, [{ name: topic, partitionIndexes: [0] }]]) {
          const answer = await client.call('listPartitionReassignments', 0, { topics });
          assert.deepEqual([answer.errorCode, answer.errorMessage, answer.topics], [0, null, []]);
        }
      });
    });

    describe('DescribeQuorum', () => {
      const ask = (topicName: string, version = 2): Promise<Response<'describeQuorum'>> =>
        client.call('describeQuorum', version, {
          topics: [{ topicName, partitions: [{ partitionIndex: 0 }] }],
        });

      for (const version of [0, 1, 2]) {
        it(`[C7] shows one voter, which leads and has everything, in version ${version}`, async () => {
          const { errorCode, topics } = await ask('__cluster_metadata', version);
          assert.equal(errorCode, 0);
          const [partition] = topics[0]?.partitions ?? [];
          assert.ok(partition);
          const { currentVoters, leaderId, leaderEpoch, highWatermark } = partition;
          assert.deepEqual(
            currentVoters.map(({ replicaId, logEndOffset }) => [replicaId, logEndOffset]),
            [[leaderId, highWatermark]],
          );
          assert.ok(leaderEpoch > 0 && highWatermark > 0n);
          assert.equal(currentVoters[0]?.lastFetchTimestamp === -1n, version === 0);
        });
      }

      it('[C7] knows the quorum of the metadata only', async () => {
        const { errorCode, topics, nodes } = await ask(topic);
        assert.equal(errorCode, 0);
        assert.deepEqual(nodes, []);
        const [partition] = topics[0]?.partitions ?? [];
        assert.equal(errorName(partition?.errorCode), 'UNKNOWN_TOPIC_OR_PARTITION');
        assert.equal(partition?.errorMessage, notHosted);
      });
    });

    describe('UpdateFeatures', () => {
      type Update = NonNullable<RequestInput<'updateFeatures'>['featureUpdates']>[number];
      const update = async (...featureUpdates: Update[]): Promise<Response<'updateFeatures'>> =>
        client.call('updateFeatures', 2, { featureUpdates, validateOnly: true });
      const cases: [string, Update, RegExp][] = [
        [
          'a level that it does not have',
          { feature: 'metadata.version', maxVersionLevel: 99 },
          /Invalid update version 99 for feature metadata\.version\. Local controller \d+ only supports versions 7-33$/,
        ],
        [
          'a lower level as an upgrade',
          { feature: 'metadata.version', maxVersionLevel: 30 },
          /Invalid update version 30 for feature metadata\.version\. Can't downgrade the version of this feature without setting the upgrade type to either safe or unsafe downgrade\.$/,
        ],
        [
          'a downgrade that would lose metadata',
          { feature: 'metadata.version', maxVersionLevel: 30, upgradeType: 2 },
          /Unsupported metadata\.version downgrade from 33 to 30\. Refusing to perform the requested downgrade because it might delete metadata information\.$/,
        ],
        [
          'an unsafe downgrade',
          { feature: 'metadata.version', maxVersionLevel: 30, upgradeType: 3 },
          /Unsupported metadata\.version downgrade from 33 to 30\. Unsafe metadata downgrade is not supported in this version\.$/,
        ],
        [
          'a feature that it does not know',
          { feature: 'nonsense', maxVersionLevel: 1 },
          /Invalid update version 1 for feature nonsense\. Local controller \d+ does not support this feature\.$/,
        ],
        [
          'a level below 0',
          { feature: 'metadata.version', maxVersionLevel: -1 },
          /Invalid update version -1 for feature metadata\.version\. A feature version cannot be less than 0\.$/,
        ],
        [
          'a kind of change that it does not know',
          { feature: 'metadata.version', maxVersionLevel: 33, upgradeType: 9 },
          /Invalid update version 33 for feature metadata\.version\. The controller does not support the given upgrade type\.$/,
        ],
      ];
      for (const [what, feature, message] of cases) {
        it(`[C7] refuses ${what}`, async () => {
          const { errorCode, errorMessage, results } = await update(feature);
          assert.equal(errorName(errorCode), 'INVALID_UPDATE_VERSION');
          assert.match(errorMessage ?? '', message);
          assert.match(errorMessage ?? '', /^The update failed for all features since/);
          assert.deepEqual(results, []);
        });
      }

      it('[C7] takes the level that there is', async () => {
        const present = { feature: 'metadata.version', maxVersionLevel: 33 };
        const { errorCode, errorMessage } = await update(present);
        assert.deepEqual([errorCode, errorMessage], [0, null]);
        const older = await client.call('updateFeatures', 1, { featureUpdates: [present] });
        assert.deepEqual(older.results, [
          { feature: 'metadata.version', errorCode: 0, errorMessage: 'NONE' },
        ]);
      });
    });

    describe('DescribeProducers', () => {
      it('[C7] shows who has written with an id', async () => {
        const timestamp = BigInt(Date.now());
        const records = [{ timestamp, value: Buffer.from('a') }];
        const producer = { producerId: 77n, producerEpoch: 3, baseSequence: 0 };
        await client.call('produce', 9, {
          acks: -1,
          timeoutMs: 10_000,
          topicData: [
            {
              name: topic,
              partitionData: [{ index: 0, records: batchOf([...records, ...records], producer) }],
            },
          ],
        });
        const answer = await client.call('describeProducers', 0, {
          topics: [
            { name: topic, partitionIndexes: [0, 1, 5] },
            { name: 'no-such', partitionIndexes: [0] },
            { name: 'bad name', partitionIndexes: [0] },
          ],
        });
        const [first, second, third] = answer.topics;
        const none = { errorMessage: null, activeProducers: [] };
        assert.deepEqual(first?.partitions, [
          {
            partitionIndex: 0,
            errorCode: 0,
            errorMessage: null,
            activeProducers: [
              {
                producerId: 77n,
                producerEpoch: 3,
                lastSequence: 1,
                lastTimestamp: timestamp,
                coordinatorEpoch: -1,
                currentTxnStartOffset: -1n,
              },
            ],
          },
          { partitionIndex: 1, errorCode: 0, ...none },
          { partitionIndex: 5, errorCode: 3, ...none },
        ]);
        assert.deepEqual(second?.partitions, [
          { partitionIndex: 0, errorCode: 3, errorMessage: notHosted, activeProducers: [] },
        ]);
        assert.equal(errorName(third?.partitions[0]?.errorCode), 'INVALID_TOPIC_EXCEPTION');
      });
    });

    describe('Telemetry', () => {
      const zero = 'AAAAAAAAAAAAAAAAAAAAAA';
      const subscribe = (clientInstanceId = zero): Promise<Response<'getTelemetrySubscriptions'>> =>
        client.call('getTelemetrySubscriptions', 0, { clientInstanceId });

      it('[A3] asks for no metrics', async () => {
        const answer = await subscribe();
        const { clientInstanceId, subscriptionId, ...rest } = answer;
        assert.notEqual(clientInstanceId, zero);
        assert.notEqual(subscriptionId, 0);
        assert.deepEqual(
          { ...rest },
          {
            throttleTimeMs: 0,
            errorCode: 0,
            acceptedCompressionTypes: [4, 3, 1, 2],
            pushIntervalMs: 300_000,
            telemetryMaxBytes: 1_048_576,
            deltaTemporality: true,
            requestedMetrics: [],
          },
        );
      });

      it('[A3] has one subscription for an id, and does not want to be asked again', async () => {
        const id = 'cG9zc2libHkgYSB1dWlkIQ';
        const first = await subscribe(id);
        assert.deepEqual([first.errorCode, first.subscriptionId], [0, -1_732_116_352]);
        assert.equal(errorName((await subscribe(id)).errorCode), 'THROTTLING_QUOTA_EXCEEDED');
      });

      it('[A3] takes what is pushed with the right subscription, until the client says that it ends', async () => {
        const { clientInstanceId, subscriptionId } = await subscribe();
        const push = async (body: RequestInput<'pushTelemetry'>): Promise<string> => {
          const all = { clientInstanceId, subscriptionId, metrics: Buffer.alloc(0), ...body };
          return errorName((await client.call('pushTelemetry', 0, all)).errorCode);
        };
        assert.equal(await push({ clientInstanceId: zero }), 'INVALID_REQUEST');
        assert.equal(await push({ clientInstanceId: 'AAAAAAAAAAAAAAAAAAAAAQ' }), 'INVALID_REQUEST');
        assert.equal(await push({}), 'NONE');
        assert.equal(await push({}), 'THROTTLING_QUOTA_EXCEEDED');
        const last = { terminating: true };
        assert.equal(await push({ ...last, subscriptionId: 1 }), 'UNKNOWN_SUBSCRIPTION_ID');
        assert.equal(await push(last), 'INVALID_REQUEST');
      });
    });
  });
}
