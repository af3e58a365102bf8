// Requests that name very many things. The broker has one thread: what takes the square of their number stops it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { type EmbeddedKafka, startCluster } from '../../../src/embedded.ts';
import type { ApiName } from '../../../src/protocol/apis.ts';
import { RawClient, type RequestInput } from './support/rawClient.ts';
import { errorName } from './support/servers.ts';

const count = 20_000;
const names = Array.from({ length: count }, (_, n) => `n${n}`);
const twice = [...names, ...names];

describe('Requests with very long lists (embedded)', function () {
  // Each is answered within a second; a square of the length takes most of a minute.
  this.timeout(20_000);
  let cluster: EmbeddedKafka;
  let client: RawClient;

  before(async () => {
    cluster = await startCluster();
    client = await RawClient.open(cluster.bootstrap);
  });
  after(async () => {
    client.close();
    await cluster.stop();
  });

  async function call<A extends ApiName>(api: A, version: number, body: RequestInput<A>) {
    return client.call<A>(api, version, body);
  }

  function assertAll(codes: readonly number[], length: number, error: string): void {
    assert.equal(codes.length, length);
    assert.deepEqual([...new Set(codes)].map(errorName), [error]);
  }

  it('[A3] refuses topics named twice in one CreateTopics', async () => {
    const { topics } = await call('createTopics', 7, {
      topics: twice.map((name) => ({ name, numPartitions: 1, replicationFactor: 1 })),
    });
    assertAll(topics.map(({ errorCode }) => errorCode), count, 'INVALID_REQUEST'); // prettier-ignore
  });

  it('[A3] refuses topics named twice in one DeleteTopics', async () => {
    const { responses } = await call('deleteTopics', 6, {
      topics: twice.map((name) => ({ name })),
      timeoutMs: 30_000,
    });
    assertAll(responses.map(({ errorCode }) => errorCode), count, 'INVALID_REQUEST'); // prettier-ignore
  });

  it('[A3] refuses topics named twice in one CreatePartitions', async () => {
    const { results } = await call('createPartitions', 3, {
      topics: twice.map((name) => ({ name, count: 2 })),
      timeoutMs: 30_000,
    });
    assertAll(results.map(({ errorCode }) => errorCode), count, 'INVALID_REQUEST'); // prettier-ignore
  });

  it('[A9] refuses more quotas of one user than a change may have', async () => {
    const entity = [{ entityType: 'user', entityName: 'alice' }];
    const ops = Array.from({ length: 200_000 }, (_, n) => ({ key: `n${n}`, remove: true }));
    const { entries } = await call('alterClientQuotas', 1, { entries: [{ entity, ops }] });
    assertAll(entries.map(({ errorCode }) => errorCode), 1, 'POLICY_VIOLATION'); // prettier-ignore
  });

  for (const api of ['alterConfigs', 'incrementalAlterConfigs'] as const)
    it(`[A3] refuses resources named twice in one ${api}`, async () => {
      const { responses } = await call(api, 1, {
        resources: twice.map((resourceName) => ({ resourceType: 2, resourceName, configs: [] })),
      });
      assertAll(responses.map(({ errorCode }) => errorCode), 2 * count, 'INVALID_REQUEST'); // prettier-ignore
    });

  it('[A6] answers each of very many transactions in one AddPartitionsToTxn', async () => {
    const topics = [{ name: '__consumer_offsets', partitions: [0] }];
    await call('findCoordinator', 4, { keyType: 0, coordinatorKeys: ['makes the topic'] });
    await call('findCoordinator', 4, { keyType: 1, coordinatorKeys: ['makes the other'] });
    const { resultsByTransaction } = await call('addPartitionsToTxn', 5, {
      transactions: names.map((transactionalId, n) => ({
        transactionalId,
        producerId: BigInt(n),
        producerEpoch: 0,
        verifyOnly: n % 2 === 0,
        topics,
      })),
    });
    const answered = resultsByTransaction.map(({ transactionalId }) => transactionalId);
    assert.deepEqual(answered, names);
    const codes = resultsByTransaction.map(
      ({ topicResults: [topic] }) => topic?.resultsByPartition[0]?.partitionErrorCode ?? 0,
    );
    assertAll(codes, count, 'INVALID_PRODUCER_ID_MAPPING');
  });

  it('[A9] refuses users named twice in one AlterUserScramCredentials', async () => {
    const { results } = await call('alterUserScramCredentials', 0, {
      deletions: [],
      upsertions: twice.map((name) => {
        return { name, mechanism: 1, iterations: 4096, saltedPassword: Buffer.of(1) };
      }),
    });
    assertAll(results.map(({ errorCode }) => errorCode), count, 'DUPLICATE_RESOURCE'); // prettier-ignore
  });

  it('[A9] refuses users named twice in one DescribeUserScramCredentials', async () => {
    const { results } = await call('describeUserScramCredentials', 0, {
      users: twice.map((name) => ({ name })),
    });
    assertAll(results.map(({ errorCode }) => errorCode), count, 'DUPLICATE_RESOURCE'); // prettier-ignore
  });
});
