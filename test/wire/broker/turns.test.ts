// Requests that are heavy by what they name or by what there is: others are served meanwhile.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { type EmbeddedKafka, startCluster } from '../../../src/embedded.ts';
import type { ApiName } from '../../../src/protocol/apis.ts';
import { RawClient, type RequestInput, type Response } from './support/rawClient.ts';
import { errorName } from './support/servers.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
/** Each takes a few turns: none fits in while a request is worked on in one go. */
const leastPings = 5;
/** Between two readings of the clock, so that a turn is a number of steps, however fast the machine is. */
const readingMs = 0.5;

describe('While a heavy request is worked on (embedded)', function () {
  this.timeout(120_000);
  let cluster: EmbeddedKafka;
  let client: RawClient;
  let pinging: RawClient;

  before(async () => {
    let nowMs = performance.now();
    Object.defineProperty(performance, 'now', {
      configurable: true,
      value: () => (nowMs += readingMs),
    });
    cluster = await startCluster({
      configs: {
        'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
        'super.users': 'User:ANONYMOUS',
      },
    });
    client = await RawClient.open(cluster.bootstrap);
    pinging = await RawClient.open(cluster.bootstrap);
  });
  after(async () => {
    client.close();
    pinging.close();
    await cluster.stop();
    Reflect.deleteProperty(performance, 'now');
  });

  /** The answer, and how many requests of another client were answered before it. */
  async function whilePinging<A extends ApiName>(
    api: A,
    version: number,
    body: RequestInput<A>,
  ): Promise<{ answer: Response<A>; pings: number }> {
    const answered = client.call(api, version, body);
    const pings = await pingsBefore(answered);
    return { answer: await answered, pings };
  }

  /** How many requests of another client are answered before `answered` is. */
  async function pingsBefore(answered: Promise<unknown>): Promise<number> {
    let isAnswered = false;
    const end = (): void => void (isAnswered = true);
    answered.then(end, end);
    let sent = 0;
    for (; !isAnswered; sent++) await pinging.call('describeCluster', 0, {});
    return sent - 1;
  }

  function assertServed(pings: number, least = leastPings): void {
    assert.ok(pings >= least, `${pings} requests were answered meanwhile`);
  }

  const acls = {
    resourceTypeFilter: 1,
    resourceNameFilter: null,
    patternTypeFilter: 1,
    principalFilter: null,
    hostFilter: null,
    operation: 1,
    permissionType: 1,
  };

  async function describedByMany(count: number): Promise<void> {
    const many = await Promise.all(numbers(count).map(() => RawClient.open(cluster.bootstrap)));
    const answered = Promise.all(many.map((each) => each.call('describeAcls', 3, acls)));
    const pings = await pingsBefore(answered);
    for (const { resources } of await answered) assert.equal(resources.length, 10_000);
    for (const each of many) each.close();
    assertServed(pings);
  }

  it('[A3] [A9] others are served: CreateAcls, DescribeAcls and DeleteAcls of ten thousand', async () => {
    const made = await whilePinging('createAcls', 3, {
      creations: numbers(10_000).map((n) => ({
        resourceType: 2,
        resourceName: `topic-${n}`,
        resourcePatternType: 3,
        principal: 'User:alice',
        host: '*',
        operation: 3,
        permissionType: 3,
      })),
    });
    assert.ok(made.answer.results.every(({ errorCode }) => errorCode === 0));
    assertServed(made.pings);
    await describedByMany(20);
    const deleted = await whilePinging('deleteAcls', 3, {
      filters: numbers(10_000).map((n) => ({ ...acls, resourceNameFilter: `topic-${n}` })),
    });
    assert.ok(deleted.answer.filterResults.every(({ matchingAcls }) => matchingAcls.length === 1));
    assertServed(deleted.pings);
  });

  it('[A3] others are served: configs of ten thousand groups', async () => {
    const { answer, pings } = await whilePinging('incrementalAlterConfigs', 1, {
      resources: numbers(10_000).map((n) => ({
        resourceType: 32,
        resourceName: `group-${n}`,
        configs: [
          { name: 'consumer.session.timeout.ms', configOperation: 0, value: `${50_000 + (n % 7)}` },
        ],
      })),
    });
    assert.ok(answer.responses.every(({ errorCode }) => errorCode === 0));
    assertServed(pings);
    const described = await whilePinging('describeConfigs', 4, {
      resources: numbers(10_000).map((n) => ({
        resourceType: 32,
        resourceName: `group-${n}`,
        configurationKeys: null,
      })),
    });
    const values = described.answer.results.map(
      ({ configs }) => configs.find(({ name }) => name === 'consumer.session.timeout.ms')?.value,
    );
    assert.deepEqual(values, numbers(10_000).map((n) => `${50_000 + (n % 7)}`)); // prettier-ignore
    assertServed(described.pings);
  });

  it('[A3] [A6] others are served: a transaction of half a million partitions', async () => {
    await client.call('findCoordinator', 4, { keyType: 0, coordinatorKeys: ['makes the topic'] });
    const { answer, pings } = await whilePinging('addPartitionsToTxn', 5, {
      transactions: [
        {
          transactionalId: 'id',
          producerId: 1n,
          producerEpoch: 0,
          verifyOnly: false,
          topics: [{ name: '__consumer_offsets', partitions: numbers(500_000) }],
        },
      ],
    });
    const results = answer.resultsByTransaction[0]?.topicResults[0]?.resultsByPartition ?? [];
    assert.equal(results.length, 500_000);
    assert.deepEqual(
      [0, 50].map((n) => errorName(results[n]?.partitionErrorCode)),
      ['OPERATION_NOT_ATTEMPTED', 'UNKNOWN_TOPIC_OR_PARTITION'],
    );
    assertServed(pings);
  });

  it('[A3] [A6] others are served: ten thousand transactions in one request, added to and verified', async () => {
    await client.call('findCoordinator', 4, { keyType: 1, coordinatorKeys: ['makes the topic'] });
    for (const verifyOnly of [false, true]) {
      const { answer, pings } = await whilePinging('addPartitionsToTxn', 5, {
        transactions: numbers(10_000).map((n) => ({
          transactionalId: `id-${n}`,
          producerId: BigInt(n),
          producerEpoch: 0,
          verifyOnly,
          topics: [{ name: '__transaction_state', partitions: [0] }],
        })),
      });
      const results = answer.resultsByTransaction;
      assert.deepEqual(
        results.map(({ transactionalId }) => transactionalId),
        numbers(10_000).map((n) => `id-${n}`),
      );
      const code = results.at(-1)?.topicResults[0]?.resultsByPartition[0]?.partitionErrorCode;
      assert.equal(errorName(code), 'INVALID_PRODUCER_ID_MAPPING');
      assertServed(pings);
    }
  });

  it('[A3] [A6] others are served: markers for a hundred thousand partitions, and a hundred thousand markers', async () => {
    const marker = { producerId: 7n, producerEpoch: 0, transactionResult: true };
    const { answer, pings } = await whilePinging('writeTxnMarkers', 1, {
      markers: [
        { ...marker, topics: [{ name: 'none', partitionIndexes: numbers(100_000) }] },
        ...numbers(100_000).map((n) => {
          const topics = [{ name: 'none', partitionIndexes: [0] }];
          return { ...marker, producerId: BigInt(100 + n), topics };
        }),
      ],
    });
    assert.equal(answer.markers.length, 100_001);
    const partitions = answer.markers[0]?.topics[0]?.partitions ?? [];
    assert.equal(partitions.length, 100_000);
    assert.equal(errorName(partitions.at(-1)?.errorCode), 'UNKNOWN_TOPIC_OR_PARTITION');
    assertServed(pings);
  });

  it('[A3] others are served: moves of half a million replicas, and no time left for elections', async () => {
    const partitions = numbers(100_000).map((partitionIndex) => ({ partitionIndex, replicas: [] }));
    const topics = [
      { name: 'none', partitions },
      { name: 'more', partitions: [{ partitionIndex: 0, replicas: numbers(400_000) }] },
    ];
    await client.call('createTopics', 7, {
      topics: [{ name: 'more', numPartitions: 1, replicationFactor: 1 }],
    });
    const timeoutMs = 10_000;
    const moved = await whilePinging('alterPartitionReassignments', 1, { topics, timeoutMs });
    const codes = moved.answer.responses.map(({ partitions: [first] }) => first?.errorCode);
    assert.deepEqual(codes.map(errorName), [
      'UNKNOWN_TOPIC_OR_PARTITION',
      'INVALID_REPLICA_ASSIGNMENT',
    ]);
    const topicPartitions = [{ topic: 'none', partitions: numbers(500_000) }];
    const elected = await whilePinging('electLeaders', 2, { topicPartitions, timeoutMs: 0 });
    assert.equal(errorName(elected.answer.errorCode), 'REQUEST_TIMED_OUT');
    // To read the request and to write the answer takes some tens alone.
    for (const { pings } of [moved, elected]) assertServed(pings, 200);
  });

  it('[A3] others are served, and see all of it or nothing: two thousand topics', async () => {
    let isAnswered = false;
    const created = client.call('createTopics', 7, {
      topics: numbers(2000).map((n) => ({
        name: `many-${n}`,
        numPartitions: 3,
        replicationFactor: 1,
      })),
      timeoutMs: 60_000,
    });
    void created.finally(() => (isAnswered = true));
    const seen: number[] = [];
    while (!isAnswered) {
      const { topics } = await pinging.call('metadata', 12, {
        topics: [{ name: 'many-0' }, { name: 'many-1999' }],
        allowAutoTopicCreation: false,
      });
      seen.push(topics.reduce((sum, { partitions }) => sum + partitions.length, 0));
    }
    assert.ok((await created).topics.every(({ errorCode }) => errorCode === 0));
    assertServed(seen.length);
    assert.deepEqual(
      [...new Set(seen)].filter((partitions) => partitions % 6 !== 0),
      [],
    );
    const all = await whilePinging('metadata', 12, { topics: null });
    assert.equal(all.answer.topics.filter(({ name }) => name?.startsWith('many-')).length, 2000);
  });

  it('[A3] others are served: a topic with a hundred thousand assignments, and as many configs', async () => {
    const topic = { numPartitions: -1, replicationFactor: -1 };
    const { answer, pings } = await whilePinging('createTopics', 7, {
      topics: [
        {
          ...topic,
          name: 'assigned',
          assignments: numbers(100_000).map((partitionIndex) => ({
            partitionIndex,
            brokerIds: [1],
          })),
        },
        {
          ...topic,
          name: 'configured',
          configs: numbers(100_000).map((n) => ({ name: `config-${n}`, value: '' })),
        },
      ],
      timeoutMs: 60_000,
    });
    assert.deepEqual(
      answer.topics.map(({ errorCode }) => errorName(errorCode)),
      ['POLICY_VIOLATION', 'POLICY_VIOLATION'],
    );
    assertServed(pings);
  });

  it('[A3] others are served: a fetch of a hundred thousand partitions, the session of it, and its end', async () => {
    const position = { fetchOffset: 0n, partitionMaxBytes: 1 };
    const fetch = { maxWaitMs: 0, minBytes: 0, sessionEpoch: 0 };
    const partitions = numbers(100_000).map((partition) => ({ ...position, partition }));
    const full = await whilePinging('fetch', 12, {
      ...fetch,
      topics: [{ topic: 'none', partitions }],
    });
    const { sessionId, responses } = full.answer;
    assert.equal(responses[0]?.partitions.length, 100_000);
    assert.notEqual(sessionId, 0);
    assertServed(full.pings);
    const session = { ...fetch, sessionId, topics: [] };
    const again = await whilePinging('fetch', 12, { ...session, sessionEpoch: 1 });
    assert.equal(again.answer.responses[0]?.partitions.length, 100_000);
    assertServed(again.pings);
    const forgotten = await whilePinging('fetch', 12, {
      ...session,
      sessionEpoch: 2,
      forgottenTopicsData: [{ topic: 'none', partitions: numbers(99_999) }],
    });
    assert.deepEqual(
      forgotten.answer.responses[0]?.partitions.map(({ partitionIndex }) => partitionIndex),
      [99_999],
    );
    assertServed(forgotten.pings);
  });

  it('[A3] others are served: records for fifty thousand partitions that are not there', async () => {
    const { answer, pings } = await whilePinging('produce', 9, {
      acks: 1,
      timeoutMs: 1000,
      topicData: [
        {
          name: 'none',
          partitionData: numbers(50_000).map((index) => ({ index, records: Buffer.alloc(0) })),
        },
      ],
    });
    const partitions = answer.responses[0]?.partitionResponses ?? [];
    assert.equal(partitions.length, 50_000);
    assert.equal(errorName(partitions.at(-1)?.errorCode), 'UNKNOWN_TOPIC_OR_PARTITION');
    assertServed(pings);
  });

  it('[A3] others are served: credentials of ten thousand users, and more than one change may have', async () => {
    const upsertions = (count: number) => ({
      deletions: [],
      upsertions: numbers(count).map((n) => ({
        name: `user-${n}`,
        mechanism: 1,
        iterations: 4096,
        salt: Buffer.alloc(16),
        saltedPassword: Buffer.alloc(32),
      })),
    });
    const { answer, pings } = await whilePinging(
      'alterUserScramCredentials',
      0,
      upsertions(10_000),
    );
    assert.ok(answer.results.every(({ errorCode }) => errorCode === 0));
    assertServed(pings);
    const { results } = await client.call('alterUserScramCredentials', 0, upsertions(10_001));
    assert.deepEqual(
      [...new Set(results.map(({ errorCode }) => errorName(errorCode)))],
      ['POLICY_VIOLATION'],
    );
  });

  it('[A3] [A7] others are served: a member that names more topics than a record takes', async () => {
    await client.call('findCoordinator', 4, { keyType: 0, coordinatorKeys: ['makes the topic'] });
    const { answer, pings } = await whilePinging('consumerGroupHeartbeat', 1, {
      groupId: 'reads everything',
      memberId: 'AAAAAAAAAAAAAAAAAAAAAQ',
      memberEpoch: 0,
      rebalanceTimeoutMs: 1000,
      subscribedTopicNames: numbers(150_000).map((n) => `topic-${n}`),
      topicPartitions: [],
    });
    assert.equal(errorName(answer.errorCode), 'UNKNOWN_SERVER_ERROR');
    assertServed(pings);
  });

  it('[A3] others are served: offsets of half a million partitions, which no record batch takes', async () => {
    const commit = (count: number) => ({
      groupId: 'again and again',
      generationIdOrMemberEpoch: -1,
      topics: [
        {
          name: '__consumer_offsets',
          partitions: numbers(count).map((n) => ({
            partitionIndex: n % 50,
            committedOffset: BigInt(n),
          })),
        },
      ],
    });
    const { answer, pings } = await whilePinging('offsetCommit', 8, commit(500_000));
    const codes = new Set(
      answer.topics[0]?.partitions.map(({ errorCode }) => errorName(errorCode)),
    );
    assert.deepEqual([...codes], ['UNKNOWN_SERVER_ERROR']);
    assertServed(pings);
    const { topics } = await client.call('offsetCommit', 8, commit(5000));
    assert.equal(errorName(topics[0]?.partitions[0]?.errorCode), 'NONE');
    const fetched = await whilePinging('offsetFetch', 8, {
      groups: [
        {
          groupId: 'again and again',
          topics: [
            { name: '__consumer_offsets', partitionIndexes: numbers(500_000).map((n) => n % 50) },
          ],
        },
      ],
    });
    const offsets = fetched.answer.groups[0]?.topics[0]?.partitions ?? [];
    assert.deepEqual([offsets.length, offsets.at(-1)?.committedOffset], [500_000, 4999n]);
    assertServed(fetched.pings);
  });

  it('[A3] [A7] others are served: a group with nine thousand offsets is deleted', async () => {
    const groupId = 'goes away';
    await client.call('createTopics', 7, {
      topics: [{ name: 'committed', numPartitions: 9000, replicationFactor: 1 }],
      timeoutMs: 60_000,
    });
    const { topics } = await client.call('offsetCommit', 8, {
      groupId,
      generationIdOrMemberEpoch: -1,
      topics: [
        {
          name: 'committed',
          partitions: numbers(9000).map((partitionIndex) => ({
            partitionIndex,
            committedOffset: 1n,
          })),
        },
      ],
    });
    assert.equal(errorName(topics[0]?.partitions.at(-1)?.errorCode), 'NONE');
    const { answer, pings } = await whilePinging('deleteGroups', 2, { groupsNames: [groupId] });
    assert.equal(errorName(answer.results[0]?.errorCode), 'NONE');
    assertServed(pings);
    const left = await client.call('offsetFetch', 8, { groups: [{ groupId, topics: null }] });
    assert.deepEqual(left.groups[0]?.topics, []);
  });

  it('[A3] others are served: a page of topics out of a hundred thousand names in any order', async () => {
    const { answer, pings } = await whilePinging('describeTopicPartitions', 0, {
      topics: numbers(100_000).map((n) => ({ name: `topic-${(n * 7919) % 100_000}` })),
      responsePartitionLimit: 2000,
      cursor: null,
    });
    assert.equal(answer.topics.length, 100_000);
    assert.deepEqual(
      answer.topics.slice(0, 3).map(({ name }) => name),
      ['topic-0', 'topic-1', 'topic-10'],
    );
    assertServed(pings);
  });

  it('[A3] [A4] cuts off who asks for what is long again and again, and serves others', async () => {
    const group = { groupId: 'says much', generationIdOrMemberEpoch: -1 };
    const committedMetadata = 'm'.repeat(4000);
    const partitions = [{ partitionIndex: 0, committedOffset: 1n, committedMetadata }];
    const committed = await client.call('offsetCommit', 8, {
      ...group,
      topics: [{ name: '__consumer_offsets', partitions }],
    });
    assert.equal(errorName(committed.topics[0]?.partitions[0]?.errorCode), 'NONE');
    const asking = (count: number) => ({
      groups: [
        {
          groupId: group.groupId,
          topics: [{ name: '__consumer_offsets', partitionIndexes: numbers(count).map(() => 0) }],
        },
      ],
    });
    const greedy = await RawClient.open(cluster.bootstrap);
    const few = await greedy.call('offsetFetch', 8, asking(1000));
    assert.equal(few.groups[0]?.topics[0]?.partitions.length, 1000);
    const refused = greedy.call('offsetFetch', 8, asking(40_000));
    const pings = await pingsBefore(refused);
    await assert.rejects(refused, /the connection closed/);
    assertServed(pings);
  });
});
