import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Admin, Kafka, logLevel, type Producer, type Transaction } from 'kafkajs';
import { after, before, describe, it } from 'mocha';
import { type RunningCluster, startCluster } from '../../src/broker/cluster.ts';
import { commitGroupOffsets } from '../../src/client/admin/groupOffsets.ts';
import { createTopic } from '../../src/client/admin/topics.ts';
import { produceMany } from '../../src/client/produce.ts';
import { readRange } from '../../src/client/readRange.ts';
import type { ClusterSession } from '../../src/cluster/clusterSession.ts';
import { lagOf } from '../../src/cluster/lag/lagFigures.ts';
import { type LagParts, type ReadableLag, readableLag } from '../../src/cluster/lag/lagReadable.ts';
import { type LagReading, readLag } from '../../src/cluster/lag/lagReading.ts';
import { LagSampler } from '../../src/cluster/lag/lagSampler.ts';
import { runKafkaTool } from '../support/kafka/java.ts';
import {
  eventually,
  forEachCluster,
  forEveryCluster,
  sessionOn,
  type TestCluster,
  uniqueName,
} from './clusters.ts';

const CONSUMER_GROUPS = 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand';
const CONSOLE_CONSUMER = 'org.apache.kafka.tools.consumer.ConsoleConsumer';

const none: LagParts = {
  lost: 0n,
  records: 0n,
  markers: 0n,
  aborted: 0n,
  gaps: 0n,
  unstable: 0n,
  unread: 0n,
};
const unbounded = () => ({ bytes: Infinity, batches: Infinity });

/** What a test does to a cluster, and what is then read of a group on partition 0. */
class Setting {
  readonly session: ClusterSession;
  readonly kafka: Kafka;
  readonly admin: Admin;

  constructor(session: ClusterSession, bootstrap: string) {
    this.session = session;
    this.kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
    this.admin = this.kafka.admin();
  }

  async topic(configs: Readonly<Record<string, string>> = {}): Promise<string> {
    const name = uniqueName('lag');
    const topic = { name, partitionCount: 1, replicationFactor: -1, configs };
    await this.session.use((client) => createTopic(client, topic));
    return name;
  }

  async produce(topic: string, values: readonly string[], timestamp?: number): Promise<void> {
    const records = values.map((value) => ({
      partition: 0,
      key: null,
      value: Buffer.from(value),
      headers: [],
      ...(timestamp !== undefined && { timestamp: BigInt(timestamp) }),
    }));
    await this.session.use((client) => produceMany(client, topic, records));
  }

  async groupAt(topic: string, offset: bigint): Promise<string> {
    const group = uniqueName('lag-group');
    const commit = { topic, partition: 0, offset, leaderEpoch: -1, metadata: '' };
    await this.session.use((client) => commitGroupOffsets(client, group, [commit]));
    return group;
  }

  reading(group: string): Promise<LagReading> {
    return this.session.use((client) => readLag(client, group));
  }

  async parts(group: string, budget = unbounded()): Promise<ReadableLag> {
    const { positions } = await this.reading(group);
    const [position] = positions;
    assert.ok(position && position.committed !== null && 'value' in position.offsets);
    const looked = { ...position, committed: position.committed, offsets: position.offsets.value };
    const read = await this.session.use((client) => readableLag(client, looked, { budget }));
    const { lost, records, markers, aborted, gaps, unstable, unread } = read.parts;
    assert.equal(
      lost + records + markers + aborted + gaps + unstable + unread,
      lagOf(position, 'read_uncommitted'),
      'the parts add up to the lag',
    );
    return read;
  }

  /** The answer to a commit or an abort comes before its marker is in the log. */
  async untilEnds(topic: string, lastStable: bigint, highWatermark: bigint): Promise<void> {
    await eventually(async () => {
      const [row] = await this.session.partitions(topic);
      if (!row || 'problem' in row.offsets) return false;
      const { value } = row.offsets;
      return value.lastStable === lastStable && value.highWatermark === highWatermark;
    });
  }
}

async function transactional(kafka: Kafka): Promise<Producer> {
  const producer = kafka.producer({
    transactionalId: uniqueName('lag-tx'),
    maxInFlightRequests: 1,
    idempotent: true,
  });
  await producer.connect();
  return producer;
}

async function begin(
  producer: Producer,
  topic: string,
  values: readonly string[],
): Promise<Transaction> {
  const transaction = await producer.transaction();
  await transaction.send({ topic, messages: values.map((value) => ({ value, partition: 0 })) });
  return transaction;
}

/** Connected for the tests of the block that it is called in. */
function settingOf(cluster: () => TestCluster): () => Setting {
  let setting: Setting | undefined;
  before(async () => {
    setting = new Setting(sessionOn(cluster()), cluster().bootstrap);
    await setting.admin.connect();
  });
  after(async () => {
    await setting?.admin.disconnect();
    setting?.session.dispose();
  });
  return () => setting ?? assert.fail('asked for before it was made');
}

forEachCluster('lag beside what clients and tools see', (cluster) => {
  const setting = settingOf(cluster);

  const consoleConsumer = async (topic: string, from: bigint, count: number): Promise<string[]> => {
    const { stdout } = await runKafkaTool(CONSOLE_CONSUMER, [
      ...['--bootstrap-server', cluster().bootstrap, '--topic', topic, '--partition', '0'],
      ...['--offset', from.toString(), '--isolation-level', 'read_committed'],
      ...['--max-messages', String(count), '--timeout-ms', '30000'],
    ]);
    return stdout.split('\n').filter(Boolean);
  };

  it('is taken apart into what a read_committed consumer gets and what it never will [G2]', async function () {
    this.timeout(60_000);
    const topic = await setting().topic();
    const [first, second] = [
      await transactional(setting().kafka),
      await transactional(setting().kafka),
    ];
    try {
      await setting().produce(topic, ['a', 'b', 'c', 'd', 'e']);
      await (await begin(first, topic, ['x', 'y', 'z'])).abort();
      await setting().untilEnds(topic, 9n, 9n);
      await (await begin(first, topic, ['f', 'g'])).commit();
      await setting().untilEnds(topic, 12n, 12n);
      const open = await begin(second, topic, ['h', 'i']);
      await setting().produce(topic, ['j', 'k', 'l']);
      await setting().untilEnds(topic, 12n, 17n);
      const group = await setting().groupAt(topic, 2n);
      const { parts, openTransaction } = await setting().parts(group);
      assert.deepEqual(parts, {
        ...none,
        records: 5n,
        markers: 2n,
        aborted: 3n,
        unstable: 5n,
      });
      assert.equal(openTransaction?.firstOffset, 12n);
      const [read, { stdout }] = await Promise.all([
        consoleConsumer(topic, 2n, 5),
        runKafkaTool(CONSUMER_GROUPS, [
          ...['--bootstrap-server', cluster().bootstrap, '--describe', '--group', group],
        ]),
      ]);
      assert.deepEqual(read, ['c', 'd', 'e', 'f', 'g']);
      assert.match(stdout, new RegExp(`${topic}\\s+0\\s+2\\s+17\\s+15\\b`));
      await open.commit();
      await setting().untilEnds(topic, 18n, 18n);
      assert.deepEqual((await setting().parts(group)).parts, {
        ...none,
        records: 10n,
        markers: 3n,
        aborted: 3n,
      });
    } finally {
      await Promise.all([first.disconnect(), second.disconnect()]);
    }
  });

  it('names the member that a partition is assigned to, before it has committed anything [G1]', async function () {
    this.timeout(60_000);
    const topic = await setting().topic();
    const group = uniqueName('lag-member');
    const clientId = uniqueName('reader');
    const kafka = new Kafka({
      clientId,
      brokers: [cluster().bootstrap],
      logLevel: logLevel.NOTHING,
    });
    const consumer = kafka.consumer({ groupId: group, maxWaitTimeInMs: 100 });
    await consumer.connect();
    try {
      await consumer.subscribe({ topic });
      await consumer.run({ autoCommit: false, eachMessage: () => Promise.resolve() });
      await eventually(
        async () => (await setting().reading(group)).positions[0]?.owner !== undefined,
        30_000,
      );
      const [position] = (await setting().reading(group)).positions;
      assert.deepEqual(
        [position?.topic, position?.committed, position?.owner?.clientId],
        [topic, null, clientId],
      );
      assert.match(position?.owner?.host ?? '', /127\.0\.0\.1/);
    } finally {
      await consumer.disconnect();
    }
  });
});

forEveryCluster('lag', (cluster) => {
  const setting = settingOf(cluster);

  it('of 1 can be a transaction marker alone: nothing to read, and no time behind [G1] [G2]', async () => {
    const topic = await setting().topic();
    const producer = await transactional(setting().kafka);
    try {
      await (await begin(producer, topic, ['a', 'b'])).commit();
    } finally {
      await producer.disconnect();
    }
    await setting().untilEnds(topic, 3n, 3n);
    const group = await setting().groupAt(topic, 2n);
    assert.deepEqual((await setting().parts(group)).parts, { ...none, markers: 1n });
    const sampler = new LagSampler({ session: () => setting().session, group });
    assert.equal(await sampler.sample(), true);
    assert.deepEqual(sampler.latest?.positions[0]?.time, { kind: 'none' });
  });

  it('that is too much to read whole says what there is at least, and what was not read [G2]', async () => {
    const topic = await setting().topic();
    for (const value of ['a', 'b', 'c']) await setting().produce(topic, [value, value]);
    const group = await setting().groupAt(topic, 1n);
    const { parts } = await setting().parts(group, { bytes: Infinity, batches: 2 });
    assert.deepEqual(parts, { ...none, records: 3n, unread: 2n });
    const cancelled = setting().session.use((client) =>
      readableLag(
        client,
        {
          ...{ topic, partition: 0, committed: 0n },
          offsets: { logStart: 0n, lastStable: 6n, highWatermark: 6n },
        },
        { budget: unbounded(), signal: AbortSignal.abort() },
      ),
    );
    await assert.rejects(cancelled, { name: 'AbortError' });
  });

  it('that retention passed by says how many offsets are lost to the group [G1] [G2]', async () => {
    const topic = await setting().topic();
    await setting().produce(topic, ['a', 'b', 'c', 'd', 'e', 'f'], Date.now() - 60_000);
    const group = await setting().groupAt(topic, 1n);
    // kafkajs learns where a topic is with this.
    await setting().admin.fetchTopicOffsets(topic);
    await setting().admin.deleteTopicRecords({
      topic,
      partitions: [{ partition: 0, offset: '4' }],
    });
    assert.deepEqual((await setting().parts(group)).parts, { ...none, lost: 3n, records: 2n });
    const sampler = new LagSampler({ session: () => setting().session, group });
    await sampler.sample();
    const time = sampler.latest?.positions[0]?.time;
    assert.ok(time?.kind === 'known' && time.isAtLeast, JSON.stringify(time));
  });

  it('in seconds is the age of the record at the commit: by its timestamp, or as the end was seen to pass it [G1]', async () => {
    const created = await setting().topic();
    const appended = await setting().topic({ 'message.timestamp.type': 'LogAppendTime' });
    const hourAgo = Date.now() - 3_600_000;
    for (const topic of [created, appended]) await setting().produce(topic, ['a', 'b'], hourAgo);
    const timeOf = async (topic: string, committed: bigint) => {
      const sampler = new LagSampler({
        session: () => setting().session,
        group: await setting().groupAt(topic, committed),
      });
      await sampler.sample();
      return { sampler, time: () => sampler.latest?.positions[0]?.time };
    };
    const byProducer = (await timeOf(created, 1n)).time();
    assert.ok(byProducer?.kind === 'known' && byProducer.source === 'createTime');
    assert.ok(byProducer.lagMs >= 3_600_000);
    const byBroker = (await timeOf(appended, 1n)).time();
    assert.ok(byBroker?.kind === 'known' && byBroker.source === 'appendTime');
    assert.ok(byBroker.lagMs < 3_000_000);
    const { sampler, time } = await timeOf(created, 2n);
    assert.deepEqual(time(), { kind: 'none' });
    await setting().produce(created, ['c'], hourAgo);
    await sampler.sample();
    const seen = time();
    assert.ok(seen?.kind === 'known' && seen.source === 'history', JSON.stringify(seen));
  });

  it('of a group that is not there is none, and looking makes no group and no topic [G1]', async () => {
    const group = uniqueName('no-group');
    const { details, positions } = await setting().reading(group);
    assert.deepEqual([details.state, positions], ['Dead', []]);
    const topic = await setting().topic();
    const left = await setting().groupAt(topic, 0n);
    await setting().session.deleteTopics([topic]);
    const sampler = new LagSampler({ session: () => setting().session, group: left });
    // Kafka forgets the commits on a topic some time after the topic.
    await sampler.sample();
    const offsets = sampler.latest?.positions[0]?.offsets;
    assert.ok(!offsets || 'problem' in offsets);
    const groups = await setting().session.groups();
    assert.ok(!groups.some(({ groupId }) => groupId === group));
    assert.ok(!(await setting().session.topics()).some(({ name }) => name === topic));
  });
});

describe('lag on the embedded cluster', () => {
  let running: RunningCluster;
  let dataDir: string;
  let setting: Setting;
  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'lag-'));
    running = await startCluster({ dataDir, port: 0 });
    const { bootstrap } = running;
    setting = new Setting(sessionOn({ name: 'embedded', bootstrap }), bootstrap);
  });
  after(async () => {
    setting.session.dispose();
    await running.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('is not sampled over a connection that somebody has ended, until it is asked for [G3]', async () => {
    const topic = await setting.topic();
    await setting.produce(topic, ['a']);
    const session = sessionOn({ name: 'embedded', bootstrap: running.bootstrap });
    const group = await setting.groupAt(topic, 0n);
    const sampler = new LagSampler({ session: () => session, group });
    try {
      assert.deepEqual(await Promise.all([sampler.sampleAgain(), sampler.sample()]), [true, true]);
      assert.equal(sampler.history.since(0, 'read_committed').length, 1, 'one sample for both');
      session.disconnect();
      assert.equal(await sampler.sampleAgain(), false);
      assert.equal(session.state.kind, 'stopped');
      assert.match(sampler.problem?.message ?? '', /not connected/);
      assert.equal(sampler.latest?.positions.length, 1);
      assert.equal(await sampler.sample(), true);
      assert.equal(sampler.problem, undefined);
    } finally {
      sampler.dispose();
      session.dispose();
    }
  });

  it('says how far a member has been served, before it commits anything [G1]', async function () {
    this.timeout(60_000);
    const topic = await setting.topic();
    await setting.produce(topic, ['a', 'b', 'c']);
    const group = uniqueName('served');
    const sampler = new LagSampler({
      session: () => setting.session,
      group,
      served: (topics) => Promise.resolve(running.operations.servedPositions(topics)),
    });
    const consumer = setting.kafka.consumer({ groupId: group, maxWaitTimeInMs: 100 });
    await consumer.connect();
    try {
      await consumer.subscribe({ topic, fromBeginning: true });
      await consumer.run({ autoCommit: false, eachMessage: () => Promise.resolve() });
      const position = async () => {
        await sampler.sample();
        return sampler.latest?.positions[0];
      };
      await eventually(async () => (await position())?.served === 3n, 30_000);
      assert.equal((await position())?.committed, null);
      await setting.produce(topic, ['d', 'e']);
      await eventually(async () => (await position())?.served === 5n);
    } finally {
      await consumer.disconnect();
    }
  });

  it('counts what compaction removed as gaps, also inside of the batch where the group stands [G2]', async () => {
    const topic = await setting.topic({
      'cleanup.policy': 'compact',
      'segment.bytes': String(1024 * 1024),
      'min.cleanable.dirty.ratio': '0',
    });
    const write = async (keys: string, size: number): Promise<void> => {
      const records = Array.from(keys, (key) => ({
        partition: 0,
        key: Buffer.from(key),
        value: Buffer.alloc(size, key),
        headers: [],
      }));
      await setting.session.use((client) => produceMany(client, topic, records));
    };
    await write('abcde', 10);
    await write('bd', 600_000);
    await write('x', 600_000);
    const group = await setting.groupAt(topic, 1n);
    assert.deepEqual((await setting.parts(group)).parts, { ...none, records: 7n });
    await running.operations.runMaintenance(['compaction']);
    const { parts } = await setting.parts(group);
    assert.deepEqual(parts, { ...none, records: 5n, gaps: 2n });
    const seen: bigint[] = [];
    await setting.session.use(async (client) => {
      const range = { topic, partition: 0, from: 1n, to: 8n, isolation: 'read_committed' } as const;
      for await (const batch of readRange(client, range)) {
        for (const { offset } of batch.records(1n)) seen.push(offset);
      }
    });
    assert.equal(BigInt(seen.length), parts.records);
  });
});
