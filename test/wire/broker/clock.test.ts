// What takes a week shows in a second: the cluster's clock moved, and its maintenance run by hand.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type EmbeddedKafka, startCluster } from '../../../src/embedded.ts';
import { batches } from '../../../src/protocol/records/recordBatch.ts';
import type { RecordInput } from '../../../src/protocol/records/recordBatchBuilder.ts';
import { readRecords } from '../../../src/protocol/records/recordReader.ts';
import { runKafkaTool } from '../../support/kafka/java.ts';
import { RawProducer } from '../transaction/support/rawProducer.ts';
import { RawClient } from './support/rawClient.ts';
import { batchOf, createTopic, errorName } from './support/servers.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const groupTool = 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand';

describe('The clock and the maintenance of an embedded cluster', function () {
  this.timeout(60_000);
  let dataDir: string;
  let cluster: EmbeddedKafka | undefined;
  let client: RawClient;

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'clock-'));
  });
  afterEach(async () => {
    await cluster?.stop(); // which ends the client's connection too
    cluster = undefined;
    await rm(dataDir, { recursive: true, force: true });
  });

  async function start(): Promise<EmbeddedKafka> {
    cluster = await startCluster({ dataDir });
    client = await RawClient.open(cluster.bootstrap);
    return cluster;
  }

  async function produce(topicId: string, records: Buffer): Promise<void> {
    const { responses } = await client.call('produce', 13, {
      acks: -1,
      timeoutMs: 1000,
      topicData: [{ topicId, partitionData: [{ index: 0, records }] }],
    });
    assert.equal(errorName(responses[0]?.partitionResponses[0]?.errorCode), 'NONE');
  }

  async function offsetAt(topic: string, timestamp: bigint): Promise<bigint | undefined> {
    const { topics } = await client.call('listOffsets', 7, {
      replicaId: -1,
      topics: [{ name: topic, partitions: [{ partitionIndex: 0, timestamp }] }],
    });
    return topics[0]?.partitions[0]?.offset;
  }

  async function coordinated(groupId: string): Promise<void> {
    for (let attempt = 0; attempt < 500; attempt++) {
      const { coordinators } = await client.call('findCoordinator', 4, {
        keyType: 0,
        coordinatorKeys: [groupId],
      });
      const { groups } = await client.call('describeGroups', 5, { groups: [groupId] });
      if (coordinators[0]?.errorCode === 0 && groups[0]?.errorCode === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.fail('there is no coordinator after 5 s');
  }

  async function commit(groupId: string, topic: string): Promise<void> {
    const { topics } = await client.call('offsetCommit', 9, {
      groupId,
      topics: [{ name: topic, partitions: [{ partitionIndex: 0, committedOffset: 2n }] }],
    });
    assert.equal(errorName(topics[0]?.partitions[0]?.errorCode), 'NONE');
  }

  async function committed(groupId: string, topic: string): Promise<bigint | undefined> {
    const { groups } = await client.call('offsetFetch', 9, {
      groups: [{ groupId, topics: [{ name: topic, partitionIndexes: [0] }] }],
    });
    return groups[0]?.topics[0]?.partitions[0]?.committedOffset;
  }

  async function member(groupId: string): Promise<string> {
    const join = {
      groupId,
      sessionTimeoutMs: 30_000,
      rebalanceTimeoutMs: 30_000,
      protocolType: 'consumer',
      protocols: [{ name: 'range', metadata: Buffer.alloc(0) }],
    };
    const { memberId } = await client.call('joinGroup', 5, join);
    const joined = await client.call('joinGroup', 5, { ...join, memberId });
    assert.equal(errorName(joined.errorCode), 'NONE');
    const assignments = [{ memberId, assignment: Buffer.alloc(0) }];
    const { generationId } = joined;
    const synced = await client.call('syncGroup', 4, {
      groupId,
      generationId,
      memberId,
      assignments,
    });
    assert.equal(errorName(synced.errorCode), 'NONE');
    return memberId;
  }

  it('[A15] lets a week of retention pass in a second', async () => {
    const { control } = await start();
    const topicId = await createTopic(client, 'orders');
    await produce(topicId, batchOf(['a', 'b', 'c']));
    assert.match(String((await control.runMaintenance(['retention']))[0]?.summary), /no segment/);
    await control.advanceClock(6 * dayMs);
    await control.runMaintenance(['retention']);
    assert.equal(await offsetAt('orders', -2n), 0n);
    await control.advanceClock(dayMs + hourMs);
    const [done] = await control.runMaintenance(['retention']);
    assert.deepEqual(done, { task: 'retention', summary: 'deleted 1 segment of 1 partition' });
    assert.equal(await offsetAt('orders', -2n), 3n);
    assert.equal(await offsetAt('orders', -1n), 3n);
  });

  it('[A15] writes later timestamps once the clock was moved, and none before', async () => {
    const { control } = await start();
    const topicId = await createTopic(client, 'stamped', {
      configs: { 'message.timestamp.type': 'LogAppendTime' },
    });
    const before = Date.now();
    await produce(topicId, batchOf(['a']));
    const { nowMs, clockAheadMs } = await control.advanceClock(30 * dayMs);
    assert.equal(clockAheadMs, 30 * dayMs);
    assert.ok(nowMs >= before + 30 * dayMs);
    await produce(topicId, batchOf(['b']));
    assert.equal(await offsetAt('stamped', BigInt(before)), 0n);
    assert.equal(await offsetAt('stamped', BigInt(before + 30 * dayMs)), 1n);
  });

  it('[A15] drops offsets of a group without members after a week, and the group with them', async () => {
    const { control } = await start();
    await createTopic(client, 'read');
    await coordinated('readers');
    await commit('readers', 'read');
    await control.advanceClock(6 * dayMs);
    await control.runMaintenance(['offsets']);
    assert.equal(await committed('readers', 'read'), 2n);
    await control.advanceClock(2 * dayMs);
    const [done] = await control.runMaintenance(['offsets']);
    assert.match(String(done?.summary), /1 of them had nothing left/);
    assert.equal(await committed('readers', 'read'), -1n);
  });

  it('[A15] compacts at once, and leaves of each key what was written last', async () => {
    const { control } = await start();
    const topicId = await createTopic(client, 'latest', {
      configs: { 'cleanup.policy': 'compact' },
    });
    const timestamp = BigInt(Date.now());
    const of = (key: string, value: string): RecordInput => {
      return { timestamp, key: Buffer.from(key), value: Buffer.from(value) };
    };
    for (const value of ['1', '2', '3']) await produce(topicId, batchOf([of('a', value)]));
    await produce(topicId, batchOf([of('b', '1')]));
    const [done] = await control.runMaintenance(['compaction']);
    assert.match(String(done?.summary), /^compacted \d+ partitions?, \d+ bytes less$/);
    const { responses } = await client.call('fetch', 17, {
      maxWaitMs: 0,
      minBytes: 1,
      topics: [
        {
          topicId,
          partitions: [{ partition: 0, fetchOffset: 0n, partitionMaxBytes: 1_000_000 }],
        },
      ],
    });
    const { records } = responses[0]?.partitions[0] ?? {};
    const left = [...batches(records ?? Buffer.alloc(0))].flatMap((batch) =>
      [...readRecords(batch)].map(({ offset, key }) => `${offset}:${key?.toString()}`),
    );
    assert.deepEqual(left, ['2:a', '3:b']);
  });

  it('[A6] [A15] aborts a transaction past its timeout, and forgets an id that nobody uses for a week', async () => {
    const { control } = await start();
    await createTopic(client, 'open');
    const producer = await RawProducer.start(client, 'left-open');
    await producer.send('open', ['a']);
    assert.deepEqual(await control.runMaintenance(['transactions']), [
      {
        task: 'transactions',
        summary: 'aborted 0 transactions past their timeout; forgot 0 transactional ids',
      },
    ]);
    await control.advanceClock(hourMs);
    const [aborted] = await control.runMaintenance(['transactions']);
    assert.match(aborted?.summary ?? '', /^aborted 1 transaction past its timeout/);
    assert.equal(await producer.settled(), 'CompleteAbort');
    assert.equal(await producer.send('open', ['late']), 'INVALID_PRODUCER_EPOCH');
    await control.advanceClock(8 * dayMs);
    const [forgotten] = await control.runMaintenance(['transactions']);
    assert.match(forgotten?.summary ?? '', /forgot 1 transactional id$/);
  });

  it('[A15] keeps sessions: a member outlives any advance of the clock', async () => {
    const { control } = await start();
    await createTopic(client, 'held');
    await coordinated('holders');
    const memberId = await member('holders');
    await control.advanceClock(365 * dayMs);
    await control.runMaintenance(['offsets', 'retention']);
    const beat = { groupId: 'holders', generationId: 1, memberId };
    assert.equal(errorName((await client.call('heartbeat', 4, beat)).errorCode), 'NONE');
  });

  it('[A15] keeps the advance over a restart', async () => {
    const first = await start();
    await first.control.advanceClock(3 * dayMs);
    await first.control.advanceClock(4 * dayMs);
    await first.stop();
    const before = Date.now();
    const second = await start();
    const { nowMs, clockAheadMs } = await second.control.advanceClock(0);
    assert.equal(clockAheadMs, 7 * dayMs);
    assert.ok(nowMs >= before + 7 * dayMs);
  });

  it('[A15] does not start with a clock that it cannot tell, and says what to do', async () => {
    await writeFile(path.join(dataDir, 'clock.properties'), 'ahead.ms=soon\n');
    await assert.rejects(
      startCluster({ dataDir }),
      /clock\.properties .* Restore it, or delete it/,
    );
  });

  it('[A15] refuses what no clock can do', async () => {
    const { control } = await start();
    await assert.rejects(control.advanceClock(-1));
    await assert.rejects(control.advanceClock(1.5));
    const century = 100 * 365 * dayMs;
    for (let year = 2026; year < 9900; year += 100) await control.advanceClock(century);
    await assert.rejects(control.advanceClock(century), /year 9999/);
  });

  it('[F3] has the offsets of a group reset once its members are removed', async () => {
    const { control, bootstrap } = await start();
    const topicId = await createTopic(client, 'replayed');
    await produce(topicId, batchOf(['a', 'b', 'c']));
    await coordinated('busy');
    await commit('busy', 'replayed');
    const memberId = await member('busy');
    const reset = [
      ...['--bootstrap-server', bootstrap, '--reset-offsets', '--execute', '--to-earliest'],
      ...['--group', 'busy', '--topic', 'replayed'],
    ];
    const refused = await runKafkaTool(groupTool, reset);
    assert.match(refused.stdout + refused.stderr, /current state is Stable/);
    assert.deepEqual(await control.removeGroupMembers('busy'), { removed: 1 });
    const beat = { groupId: 'busy', generationId: 1, memberId };
    const { errorCode } = await client.call('heartbeat', 4, beat);
    assert.equal(errorName(errorCode), 'UNKNOWN_MEMBER_ID');
    await runKafkaTool(groupTool, reset);
    assert.equal(await committed('busy', 'replayed'), 0n);
  });

  it('[F3] counts the members of a group of the consumer protocol too', async () => {
    const { control } = await start();
    await createTopic(client, 'followed');
    await coordinated('followers');
    for (const memberId of ['a', 'b']) {
      const { errorCode } = await client.call('consumerGroupHeartbeat', 1, {
        groupId: 'followers',
        memberId,
        memberEpoch: 0,
        rebalanceTimeoutMs: 60_000,
        subscribedTopicNames: ['followed'],
        topicPartitions: [],
      });
      assert.equal(errorName(errorCode), 'NONE');
    }
    assert.deepEqual(await control.removeGroupMembers('followers'), { removed: 2 });
    assert.deepEqual(await control.removeGroupMembers('followers'), { removed: 0 });
  });

  it('[F3] says that there is no such group', async () => {
    const { control } = await start();
    await coordinated('nobody');
    await assert.rejects(control.removeGroupMembers('nobody'), /there is no group "nobody"/);
  });
});
