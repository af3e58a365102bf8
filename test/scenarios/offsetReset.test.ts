import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { after, before, it } from 'mocha';
import { commitGroupOffsets } from '../../src/client/admin/groupOffsets.ts';
import { PartitionMap } from '../../src/client/partitionMap.ts';
import { produceMany } from '../../src/client/produce.ts';
import type { ClusterSession } from '../../src/cluster/clusterSession.ts';
import { loadGroupPositions } from '../../src/cluster/offsets/groupPositions.ts';
import { type CommandRow, offsetCommands } from '../../src/cluster/offsets/offsetCommand.ts';
import { readOffsetCsv } from '../../src/cluster/offsets/offsetCsv.ts';
import { inspectRange } from '../../src/cluster/offsets/offsetRange.ts';
import { applyReset, type EarlierOffset } from '../../src/cluster/offsets/offsetReset.ts';
import { planReset, type ResetScenario } from '../../src/cluster/offsets/offsetScenario.ts';
import { runKafkaTool } from '../support/kafka/java.ts';
import { eventually, forEveryCluster, sessionOn, uniqueName } from './clusters.ts';

const CONSUMER_GROUPS = 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand';

forEveryCluster('a reset', (cluster) => {
  let session: ClusterSession;
  let topic: string;
  let folder: string;

  before(async () => {
    session = sessionOn(cluster());
    folder = await mkdtemp(path.join(tmpdir(), 'reset-'));
    topic = uniqueName('reset');
    await session.createTopic({ name: topic, partitionCount: 2, replicationFactor: -1 });
    const records = Array.from({ length: 20 }, (_, index) => ({
      partition: index % 2,
      key: null,
      value: Buffer.from('v'),
      headers: [],
      timestamp: BigInt(hour(index)),
    }));
    await session.use((client) => produceMany(client, topic, records));
  });
  after(async () => {
    session.dispose();
    await rm(folder, { recursive: true });
  });

  const scope = (): { topic: string; partition: number }[] => [
    { topic, partition: 0 },
    { topic, partition: 1 },
  ];

  /** A group that committed 4 on partition 0, and nothing on partition 1. */
  const newGroup = async (): Promise<string> => {
    const group = uniqueName('group');
    const commit = { topic, partition: 0, offset: 4n, leaderEpoch: 0, metadata: 'kept' };
    await session.use((client) => commitGroupOffsets(client, group, [commit]));
    return group;
  };

  /** What Kafka's own tool plans for the command that we say does the same. */
  const plannedByTool = async (
    group: string,
    scenario: ResetScenario,
    rows: readonly CommandRow[],
  ): Promise<{ lines: string[]; stdout: string }> => {
    const partitionCounts = new Map([[topic, 2]]);
    const { bootstrap } = cluster();
    const [command] = offsetCommands({ bootstrap, group, scenario, rows, partitionCounts });
    assert.ok(command);
    const file = path.join(folder, `${group}.csv`);
    if (command.file) await writeFile(file, command.file.text);
    const args = command.args
      .filter((arg) => arg !== '--execute')
      .map((arg) => (arg === command.file?.name ? file : arg));
    const { stdout } = await runKafkaTool(CONSUMER_GROUPS, [...args, '--dry-run', '--export']);
    const lines = stdout.split('\n').filter((line) => line.includes(topic));
    if (lines.length === 0 || !/,\d+$/m.test(stdout)) return { lines: [], stdout };
    const { offsets } = readOffsetCsv(stdout.slice(stdout.search(/^"?reset-/m)), group);
    return {
      lines: offsets.map((of) => `${of.topic},${of.partition},${of.offset}`).sort(),
      stdout,
    };
  };

  /** Halfway between two records, an hour from both: how long a tool takes to start makes no difference. */
  const halfWayAgo = (): bigint => BigInt(Date.now() - (hour(9) - 1_800_000));
  const scenarios: [string, () => ResetScenario, number[]][] = [
    ['earliest', () => ({ kind: 'earliest' }), [0, 1]],
    ['latest', () => ({ kind: 'latest' }), [0, 1]],
    ['an offset', () => ({ kind: 'offset', offset: 7n }), [0, 1]],
    ['an offset past the end', () => ({ kind: 'offset', offset: 70n }), [1]],
    ['three further', () => ({ kind: 'shift', by: 3n }), [0]],
    ['far back', () => ({ kind: 'shift', by: -100n }), [0]],
    ['a time', () => ({ kind: 'time', timestamp: BigInt(hour(9)) }), [0, 1]],
    ['a time too late', () => ({ kind: 'time', timestamp: BigInt(hour(99)) }), [0, 1]],
    ['a time ago', () => ({ kind: 'duration', agoMs: halfWayAgo() }), [0, 1]],
    ['where it is', () => ({ kind: 'current' }), [0, 1]],
    ['what a file says', () => ({ kind: 'offsets', offsets: fromFile() }), [0, 1]],
  ];
  const fromFile = (): PartitionMap<bigint> => {
    const offsets = new PartitionMap<bigint>();
    offsets.set(topic, 0, 3n);
    offsets.set(topic, 1, 77n);
    return offsets;
  };
  for (const [what, scenarioOf, partitions] of scenarios) {
    it(`to ${what} plans what kafka-consumer-groups plans [F1] [F2] [F6]`, async function () {
      this.timeout(60_000);
      const group = await newGroup();
      const scenario = scenarioOf();
      const of = scope().filter(({ partition }) => partitions.includes(partition));
      const { rows, refused } = await planReset(session, { group, scenario, scope: of });
      assert.deepEqual(refused, []);
      const ours = rows.map((row) => ({ ...row, isEdited: false }));
      const theirs = await plannedByTool(group, scenario, ours);
      assert.deepEqual(
        rows.map((row) => `${row.topic},${row.partition},${row.target}`),
        theirs.lines,
        theirs.stdout,
      );
    });
  }

  it('by a shift leaves out a partition without a commit, for which the tool gives up on all [F1]', async function () {
    this.timeout(60_000);
    const group = await newGroup();
    const scenario = { kind: 'shift', by: 1n } as const;
    const { rows, refused } = await planReset(session, { group, scenario, scope: scope() });
    assert.deepEqual([rows.length, refused.length], [1, 1]);
    const both = scope().map((of) => ({ ...of, target: 0n, isEdited: false }));
    assert.deepEqual((await plannedByTool(group, scenario, both)).lines, []);
  });

  it('to where another group is takes its offsets, and what the tool exports for several groups [F1] [F6]', async function () {
    this.timeout(60_000);
    const [from, group] = [await newGroup(), uniqueName('copy')];
    const scenario = { kind: 'group', group: from } as const;
    const { rows, refused } = await planReset(session, { group, scenario, scope: scope() });
    assert.deepEqual(
      [rows.map(({ target }) => target), refused.map(({ partition }) => partition)],
      [[4n], [1]],
    );
    const { stdout } = await runKafkaTool(CONSUMER_GROUPS, [
      ...['--bootstrap-server', cluster().bootstrap, '--reset-offsets', '--to-current'],
      ...['--group', from, '--group', uniqueName('other'), '--topic', topic],
      ...['--dry-run', '--export'],
    ]);
    const csv = readOffsetCsv(stdout.slice(stdout.search(/^"?(group|other)-/m)), from);
    assert.deepEqual(csv.offsets.find(({ partition }) => partition === 0)?.offset, 4n);
    assert.equal(csv.otherGroups.length, 1);
  });

  it('is applied, keeps metadata, and is read back for each partition [F1] [F4]', async () => {
    const group = await newGroup();
    const scenario = { kind: 'latest' } as const;
    const { rows: plan } = await planReset(session, { group, scenario, scope: scope() });
    assert.deepEqual(
      plan.map(({ committed, target, delta, effect }) => [committed, target, delta, effect]),
      [
        [4n, 10n, 6n, 'skips up to 6 records'],
        [null, 10n, null, 'starts at the end'],
      ],
    );
    assert.deepEqual(await applyReset(session, group, plan), [
      { topic, partition: 0, committed: 10n },
      { topic, partition: 1, committed: 10n },
    ]);
    const { positions, resettable } = await loadGroupPositions(session, group);
    assert.equal(resettable, true);
    assert.deepEqual(
      positions.map(({ committed, metadata }) => [committed, metadata]),
      [
        [10n, 'kept'],
        [10n, ''],
      ],
    );
  });

  it('changes nothing where the group has committed since it was planned [F4]', async () => {
    const group = await newGroup();
    const { rows: plan } = await planReset(session, {
      group,
      scenario: { kind: 'latest' },
      scope: scope(),
    });
    const moved = { topic, partition: 0, offset: 5n, leaderEpoch: -1, metadata: '' };
    await session.use((client) => commitGroupOffsets(client, group, [moved]));
    await assert.rejects(applyReset(session, group, plan), /has changed since this was planned/);
    const { positions } = await loadGroupPositions(session, group);
    assert.deepEqual(
      positions.map(({ committed }) => committed),
      [5n],
    );
  });

  it('of a commit that is out of range or had none is undone as it was, with metadata and epoch [F5] [F7]', async () => {
    const group = await newGroup();
    const wanted = { topic, partition: 0, offset: 40n, leaderEpoch: 0, metadata: 'far' };
    await session.use((client) => commitGroupOffsets(client, group, [wanted]));
    const kept: EarlierOffset[] = [];
    const scenario = { kind: 'earliest' } as const;
    const reset = await planReset(session, { group, scenario, scope: scope() });
    const onChecked = (before: readonly EarlierOffset[]): Promise<void> => {
      kept.push(...before);
      return Promise.resolve();
    };
    await applyReset(session, group, reset.rows, { onChecked });
    assert.deepEqual(kept, [
      wanted,
      { topic, partition: 1, offset: null, leaderEpoch: -1, metadata: '' },
    ]);
    const offsets = new PartitionMap<bigint | null>();
    for (const of of kept) offsets.set(of.topic, of.partition, of.offset);
    const undo = await planReset(session, {
      group,
      scenario: { kind: 'restore', offsets },
      scope: scope(),
    });
    const rows = undo.rows.map((row, index) => ({ ...row, kept: kept[index] as EarlierOffset }));
    assert.deepEqual(await applyReset(session, group, rows), [
      { topic, partition: 0, committed: 40n },
      { topic, partition: 1, committed: null },
    ]);
    const { positions } = await loadGroupPositions(session, group);
    assert.deepEqual(
      positions.map(({ committed, metadata, leaderEpoch }) => [committed, metadata, leaderEpoch]),
      [[40n, 'far', 0]],
    );
  });

  it('can be looked at before: which records it skips or reads again, counted, with their times [F2]', async () => {
    const facts = await session.use((client) =>
      inspectRange(client, { topic, partition: 0, from: 4n, to: 10n }),
    );
    assert.deepEqual(
      [facts.count, facts.first?.timestamp, facts.last?.timestamp],
      [6, BigInt(hour(8)), BigInt(hour(18))],
    );
    const none = { topic, partition: 0, from: 10n, to: 10n };
    const empty = await session.use((client) => inspectRange(client, none));
    assert.deepEqual([empty.count, empty.first], [0, undefined]);
  });

  it('is refused where somebody joins between the check and the commit, and says who [F4]', async function () {
    this.timeout(60_000);
    const group = await newGroup();
    const { rows } = await planReset(session, {
      group,
      scenario: { kind: 'earliest' },
      scope: scope(),
    });
    const clientId = uniqueName('late');
    const kafka = new Kafka({
      clientId,
      brokers: [cluster().bootstrap],
      logLevel: logLevel.NOTHING,
    });
    const consumer = kafka.consumer({ groupId: group });
    await consumer.connect();
    try {
      await consumer.subscribe({ topic });
      const onChecked = async (): Promise<void> => {
        await consumer.run({ autoCommit: false, eachMessage: () => Promise.resolve() });
        await eventually(
          async () => (await session.group(group)).details.state === 'Stable',
          30_000,
        );
      };
      const outcomes = await applyReset(session, group, rows, { onChecked });
      for (const { committed, problem, partition } of outcomes) {
        assert.equal(committed, partition === 0 ? 4n : null);
        assert.match(problem?.message ?? '', new RegExp(`joined ${group} after.*${clientId}`));
      }
    } finally {
      await consumer.disconnect();
    }
  });

  it('is refused while the group has members, and names them [F3]', async function () {
    this.timeout(60_000);
    const group = await newGroup();
    const { rows: plan } = await planReset(session, {
      group,
      scenario: { kind: 'earliest' },
      scope: scope(),
    });
    const clientId = uniqueName('worker');
    const kafka = new Kafka({
      clientId,
      brokers: [cluster().bootstrap],
      logLevel: logLevel.NOTHING,
    });
    const consumer = kafka.consumer({ groupId: group });
    await consumer.connect();
    try {
      await consumer.subscribe({ topic });
      await consumer.run({ autoCommit: false, eachMessage: () => Promise.resolve() });
      await eventually(async () => (await session.group(group)).details.state === 'Stable', 30_000);
      const { details } = await session.group(group);
      assert.deepEqual(
        details.members
          .flatMap(({ assignment }) => assignment.map(({ partition }) => partition))
          .sort(),
        [0, 1],
      );
      await assert.rejects(applyReset(session, group, plan), new RegExp(`1 member: ${clientId}`));
    } finally {
      await consumer.disconnect();
    }
    await applyReset(session, group, plan);
  });
});

/** Hours apart. */
function hour(count: number): number {
  return 1_700_000_000_000 + count * 3_600_000;
}
