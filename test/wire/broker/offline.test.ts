// A partition whose folder the disk does not let be read. Kafka takes the whole directory out of service.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { type Logger, silentLogger } from '../../../src/base/logger.ts';
import { type RunningCluster, startCluster } from '../../../src/broker/cluster.ts';
import type { BatchOptions } from '../../../src/protocol/records/recordBatchBuilder.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { RawClient } from './support/rawClient.ts';
import { batchOf, createTopic, errorName } from './support/servers.ts';

const names = ['lost', 'kept'] as const;
const partitions = [{ partitionIndex: 0, timestamp: -1n }];

/** By Metadata and by DescribeTopicPartitions, as Kafka 4.4 has them of a lost log directory. */
const led = [
  ['NONE', 1, [1], []],
  ['NONE', 1, [1], [], [], []],
];
const withoutLeader = [
  ['LEADER_NOT_AVAILABLE', -1, [], [1]],
  ['NONE', -1, [], [1], [1], [1]],
];

const withoutEligible = [
  ['LEADER_NOT_AVAILABLE', -1, [1], [1]],
  ['NONE', -1, [1], [1], [], []],
];

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(5);
}

class Machine {
  readonly fileSystem = new MemoryFileSystem();
  readonly errors: string[] = [];
  readonly clock = new ManualClock(Date.now());
  #cluster: RunningCluster | undefined;
  #client: RawClient | undefined;

  get client(): RawClient {
    assert.ok(this.#client);
    return this.#client;
  }

  async start(): Promise<void> {
    const logger: Logger = { ...silentLogger, error: (message) => void this.errors.push(message) };
    const { clock } = this;
    const fileSystem = this.fileSystem.session();
    this.#cluster = await startCluster({ dataDir: '/data', port: 0, fileSystem, logger, clock });
    this.#client = await RawClient.open(this.#cluster.bootstrap);
  }

  async stop(): Promise<void> {
    this.#client?.close();
    await this.#cluster?.close();
  }

  async crash(): Promise<void> {
    this.fileSystem.kill();
    this.#client?.close();
    await this.#cluster?.close().catch(() => undefined);
  }

  refuse(path: RegExp): void {
    for (const operation of ['read', 'open'] as const)
      this.fileSystem.fail(operation, 'EACCES', { path, times: Infinity });
  }

  /** Lets the folders be read again, and the broker find that out. */
  async allow(isDone: () => Promise<boolean>): Promise<void> {
    this.fileSystem.clearFaults();
    await until(() => {
      this.clock.advance(5000);
      return isDone();
    });
  }

  async produce(name: string, value: string, options: BatchOptions = {}): Promise<string> {
    const { responses } = await this.client.call('produce', 9, {
      acks: -1,
      timeoutMs: 5000,
      topicData: [{ name, partitionData: [{ index: 0, records: batchOf([value], options) }] }],
    });
    return errorName(responses[0]?.partitionResponses[0]?.errorCode);
  }

  async fetch(topic: string, version: number): Promise<string> {
    const { responses } = await this.client.call('fetch', version, {
      maxWaitMs: 0,
      minBytes: 1,
      sessionEpoch: -1,
      topics: [{ topic, partitions: [{ fetchOffset: 0n, partitionMaxBytes: 1 << 20 }] }],
    });
    return errorName(responses[0]?.partitions[0]?.errorCode);
  }

  /** Who leads the topic's partition, as the two APIs that tell it have it. */
  async leadership(name: string): Promise<unknown> {
    const { client } = this;
    const told = await client.call('metadata', 13, { topics: [{ name }] });
    const described = await client.call('describeTopicPartitions', 0, {
      topics: [{ name }],
      responsePartitionLimit: 1,
    });
    const [byMetadata] = told.topics[0]?.partitions ?? [];
    const [byDescription] = described.topics[0]?.partitions ?? [];
    const [first, second] = [byMetadata, byDescription].map((partition) => [
      errorName(partition?.errorCode),
      partition?.leaderId,
      partition?.isrNodes,
      partition?.offlineReplicas,
    ]);
    const { eligibleLeaderReplicas, lastKnownElr } = byDescription ?? {};
    return [first, [...(second ?? []), eligibleLeaderReplicas, lastKnownElr]];
  }

  async leaderEpoch(name: string): Promise<number | undefined> {
    const { topics } = await this.client.call('metadata', 13, { topics: [{ name }] });
    return topics[0]?.partitions[0]?.leaderEpoch;
  }

  /** Has the disk fail the flush of a produce, and with that take the topic's partition offline. */
  async failSync(name: string): Promise<void> {
    const configs = [{ name: 'flush.messages', configOperation: 0, value: '1' }];
    const resources = [{ resourceType: 2, resourceName: name, configs }];
    await this.client.call('incrementalAlterConfigs', 1, { resources });
    const path = new RegExp(`/${name}-0/.*\\.log$`);
    this.fileSystem.fail('sync', 'EIO', { path, times: Infinity });
    assert.equal(await this.produce(name, 'doubtful'), 'KAFKA_STORAGE_ERROR');
  }

  async coordinator(): Promise<string> {
    const request = { keyType: 0, coordinatorKeys: ['group'] };
    const { coordinators } = await this.client.call('findCoordinator', 4, request);
    return errorName(coordinators[0]?.errorCode);
  }

  async end(name: string): Promise<string | bigint | undefined> {
    const topics = [{ name, partitions }];
    const answer = await this.client.call('listOffsets', 7, { replicaId: -1, topics });
    const found = answer.topics[0]?.partitions[0];
    return found?.errorCode === 0 ? found.offset : errorName(found?.errorCode);
  }
}

async function withTopics(work: (machine: Machine) => Promise<void>): Promise<void> {
  const machine = new Machine();
  await machine.start();
  try {
    for (const name of names) {
      await createTopic(machine.client, name);
      assert.equal(await machine.produce(name, 'old'), 'NONE');
    }
    await work(machine);
  } finally {
    await machine.stop();
  }
}

describe('A partition that cannot be read (embedded)', function () {
  this.timeout(60_000);

  for (const end of ['stop', 'crash'] as const)
    it(`[A4] after a ${end} is answered KAFKA_STORAGE_ERROR, and the others are served`, async () => {
      await withTopics(async (machine) => {
        await machine[end]();
        machine.refuse(/\/lost-0(\/|$)/);
        await machine.start();
        for (let n = 0; n < 3; n++) {
          assert.equal(await machine.produce('lost', 'refused'), 'KAFKA_STORAGE_ERROR');
          assert.equal(await machine.fetch('lost', 11), 'KAFKA_STORAGE_ERROR');
          // Who does not know the error looks for another leader.
          assert.equal(await machine.fetch('lost', 5), 'NOT_LEADER_OR_FOLLOWER');
          assert.equal(await machine.end('lost'), 'KAFKA_STORAGE_ERROR');
        }
        assert.deepEqual(await machine.leadership('lost'), withoutLeader);
        assert.deepEqual(await machine.leadership('kept'), led);
        assert.equal(await machine.produce('kept', 'new'), 'NONE');
        assert.equal(await machine.end('kept'), 2n);
        const { results } = await machine.client.call('describeLogDirs', 4, { topics: null });
        const listed = results[0]?.topics.map(({ name }) => name);
        assert.deepEqual(listed, ['kept']);
        assert.equal(machine.errors.length, 1, machine.errors.join('\n'));
        assert.match(machine.errors[0] ?? '', /lost-0: .*EACCES.*KAFKA_STORAGE_ERROR/);

        await machine.allow(async () => (await machine.end('lost')) === 1n);
        assert.deepEqual(await machine.leadership('lost'), led);
        assert.equal(await machine.produce('lost', 'new'), 'NONE');
        assert.equal(await machine.end('lost'), 2n);
      });
    });

  it('[A4] of the offsets topic: its groups wait for it, none seems to be without offsets', async () => {
    await withTopics(async (machine) => {
      const group = { groupId: 'group', generationIdOrMemberEpoch: -1 };
      const committed = { partitionIndex: 0, committedOffset: 1n, committedMetadata: '' };
      const topics = [{ name: 'kept', partitions: [committed] }];
      await machine.client.call('findCoordinator', 4, { keyType: 0, coordinatorKeys: ['group'] });
      await until(async () => {
        const answer = await machine.client.call('offsetCommit', 8, { ...group, topics });
        return answer.topics[0]?.partitions[0]?.errorCode === 0;
      });
      await machine.crash();
      machine.refuse(/\/__consumer_offsets-\d+(\/|$)/);
      await machine.start();
      const asked = { groupId: 'group', topics: [{ name: 'kept', partitionIndexes: [0] }] };
      const fetched = async (): Promise<string | bigint | undefined> => {
        const { groups } = await machine.client.call('offsetFetch', 8, { groups: [asked] });
        const [found] = groups;
        if (found?.errorCode !== 0) return errorName(found?.errorCode);
        return found.topics[0]?.partitions[0]?.committedOffset;
      };
      await until(async () => (await fetched()) !== 'COORDINATOR_LOAD_IN_PROGRESS');
      assert.equal(await fetched(), 'NOT_COORDINATOR');
      assert.equal(await machine.coordinator(), 'COORDINATOR_NOT_AVAILABLE');
      await machine.allow(async () => (await fetched()) === 1n);
    });
  });

  it('[A4] since a sync failed: what was refused may be there, and is not there twice', async () => {
    await withTopics(async (machine) => {
      const { client, fileSystem } = machine;
      const configs = [{ name: 'flush.messages', configOperation: 0, value: '1' }];
      const resources = [{ resourceType: 2, resourceName: 'lost', configs }];
      await client.call('incrementalAlterConfigs', 1, { resources });
      const sequence = { producerId: 7n, producerEpoch: 0, baseSequence: 0 };
      fileSystem.fail('sync', 'EIO', { path: /\/lost-0\/.*\.log$/, times: Infinity });
      assert.equal(await machine.produce('lost', 'doubtful', sequence), 'KAFKA_STORAGE_ERROR');
      assert.equal(await machine.produce('lost', 'doubtful', sequence), 'KAFKA_STORAGE_ERROR');
      assert.equal(await machine.fetch('lost', 11), 'KAFKA_STORAGE_ERROR');
      assert.deepEqual(await machine.leadership('lost'), withoutLeader);
      const feature = 'eligible.leader.replicas.version';
      const featureUpdates = [{ feature, maxVersionLevel: 0, upgradeType: 2 }];
      await client.call('updateFeatures', 1, { timeoutMs: 5000, featureUpdates });
      assert.deepEqual(await machine.leadership('lost'), withoutEligible);
      assert.equal(await machine.produce('kept', 'new'), 'NONE');
      await machine.allow(async () => (await machine.end('lost')) === 2n);
      assert.equal(await machine.produce('lost', 'doubtful', sequence), 'NONE');
      assert.equal(await machine.end('lost'), 2n);
      fileSystem.powerCut();
      await machine.crash();
      await machine.start();
      assert.equal(await machine.end('lost'), 2n);
    });
  });

  it('[A4] is led in a new epoch when it is back: who has read what recovery cut off is told', async () => {
    await withTopics(async (machine) => {
      const { client, fileSystem } = machine;
      const [path = ''] = fileSystem.paths().filter((each) => /\/lost-0\/.*\.log$/.test(each));
      const first = fileSystem.contents(path);
      assert.ok(first);
      for (const value of ['read', 'read too'])
        assert.equal(await machine.produce('lost', value), 'NONE');
      await machine.failSync('lost');
      assert.equal(await machine.leaderEpoch('lost'), 0);
      fileSystem.place(path, first);
      await machine.allow(async () => (await machine.end('lost')) === 1n);
      assert.equal(await machine.leaderEpoch('lost'), 2);
      assert.equal(await machine.leaderEpoch('kept'), 0);
      assert.equal(await machine.produce('lost', 'new'), 'NONE');

      const ends = async (currentLeaderEpoch: number) => {
        const partitions = [{ partition: 0, currentLeaderEpoch, leaderEpoch: 0 }];
        const topics = [{ topic: 'lost', partitions }];
        const answer = await client.call('offsetForLeaderEpoch', 4, { topics });
        const { errorCode, leaderEpoch, endOffset } = answer.topics[0]?.partitions[0] ?? {};
        return [errorName(errorCode), leaderEpoch, endOffset];
      };
      assert.deepEqual(await ends(0), ['FENCED_LEADER_EPOCH', -1, -1n]);
      assert.deepEqual(await ends(2), ['NONE', 0, 1n]);
      const { responses } = await client.call('fetch', 12, {
        maxWaitMs: 0,
        minBytes: 1,
        sessionEpoch: -1,
        topics: [
          {
            topic: 'lost',
            partitions: [
              {
                currentLeaderEpoch: 2,
                fetchOffset: 2n,
                lastFetchedEpoch: 0,
                partitionMaxBytes: 1 << 20,
              },
            ],
          },
        ],
      });
      const [fetched] = responses[0]?.partitions ?? [];
      assert.deepEqual(fetched?.divergingEpoch, { epoch: 0, endOffset: 1n });
      await machine.stop();
      await machine.start();
      assert.equal(await machine.leaderEpoch('lost'), 4);
      assert.equal(await machine.leaderEpoch('kept'), 2);
    });
  });

  it('[A4] is led in its old epoch when it is back, while the metadata cannot be written', async () => {
    await withTopics(async (machine) => {
      const { fileSystem } = machine;
      await machine.failSync('lost');
      fileSystem.clearFaults();
      const path = /\/__cluster_metadata-0\//;
      fileSystem.fail('write', 'ENOSPC', { path, times: Infinity });
      await until(async () => {
        machine.clock.advance(5000);
        return (await machine.end('lost')) === 2n;
      });
      assert.equal(await machine.leaderEpoch('lost'), 0);
      assert.equal(await machine.produce('lost', 'new'), 'NONE');
      fileSystem.clearFaults();
    });
  });

  it('[A4] since a sync of the offsets failed: the group is read anew, with what was refused', async () => {
    await withTopics(async (machine) => {
      const { client, fileSystem } = machine;
      const commit = async (committedOffset: bigint): Promise<string> => {
        const partitions = [{ partitionIndex: 0, committedOffset, committedMetadata: '' }];
        const topics = [{ name: 'kept', partitions }];
        const group = { groupId: 'group', generationIdOrMemberEpoch: -1, topics };
        const answer = await client.call('offsetCommit', 8, group);
        return errorName(answer.topics[0]?.partitions[0]?.errorCode);
      };
      const fetched = async (): Promise<string | bigint | undefined> => {
        const topics = [{ name: 'kept', partitionIndexes: [0] }];
        const groups = [{ groupId: 'group', topics }];
        const [found] = (await client.call('offsetFetch', 8, { groups })).groups;
        if (found?.errorCode !== 0) return errorName(found?.errorCode);
        return found.topics[0]?.partitions[0]?.committedOffset;
      };
      await until(async () => (await machine.coordinator()) === 'NONE');
      await until(async () => (await commit(1n)) === 'NONE');
      const configs = [{ name: 'flush.messages', configOperation: 0, value: '1' }];
      const resources = [{ resourceType: 2, resourceName: '__consumer_offsets', configs }];
      await client.call('incrementalAlterConfigs', 1, { resources });
      fileSystem.fail('sync', 'EIO', { path: /\/__consumer_offsets-\d+\/.*\.log$/ });
      assert.equal(await commit(2n), 'NOT_COORDINATOR');
      assert.equal(await fetched(), 'NOT_COORDINATOR');
      assert.equal(await machine.coordinator(), 'COORDINATOR_NOT_AVAILABLE');
      await machine.allow(async () => (await fetched()) === 2n);
      assert.equal(await machine.coordinator(), 'NONE');
      assert.equal(await commit(3n), 'NONE');
    });
  });
});
