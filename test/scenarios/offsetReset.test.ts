import assert from 'node:assert/strict';
import { Kafka, logLevel } from 'kafkajs';
import { after, before, it } from 'mocha';
import { commitGroupOffsets } from '../../src/client/admin/groupOffsets.ts';
import { produceMany } from '../../src/client/produce.ts';
import type { ClusterSession } from '../../src/cluster/clusterSession.ts';
import type { ResetScenario } from '../../src/cluster/offsetPlan.ts';
import { applyReset, loadGroupPositions, planReset } from '../../src/cluster/offsetReset.ts';
import { runKafkaTool } from '../support/kafka/java.ts';
import { eventually, forEveryCluster, sessionOn, uniqueName } from './clusters.ts';

const CONSUMER_GROUPS = 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand';

forEveryCluster('a reset', (cluster) => {
  let session: ClusterSession;
  let topic: string;

  before(async () => {
    session = sessionOn(cluster());
    topic = uniqueName('reset');
    await session.createTopic({ name: topic, partitionCount: 2, replicationFactor: -1 });
    const records = Array.from({ length: 20 }, (_, index) => ({
      partition: index % 2,
      key: null,
      value: Buffer.from('v'),
      headers: [],
      timestamp: BigInt(second(index)),
    }));
    await session.use((client) => produceMany(client, topic, records));
  });
  after(() => session.dispose());

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

  const scenarios: [string, ResetScenario, string[]][] = [
    ['earliest', { kind: 'earliest' }, ['--to-earliest']],
    ['latest', { kind: 'latest' }, ['--to-latest']],
    ['an offset', { kind: 'offset', offset: 7n }, ['--to-offset', '7']],
    ['an offset past the end', { kind: 'offset', offset: 70n }, ['--to-offset', '70']],
    ['a time', { kind: 'time', timestamp: BigInt(second(9)) }, ['--to-datetime', iso(9)]],
    [
      'a time too late',
      { kind: 'time', timestamp: BigInt(second(99)) },
      ['--to-datetime', iso(99)],
    ],
  ];
  for (const [what, scenario, args] of scenarios) {
    it(`to ${what} plans what kafka-consumer-groups plans [F1] [F2]`, async function () {
      this.timeout(60_000);
      const group = await newGroup();
      const plan = await planReset(session, { group, scenario, scope: scope() });
      const { stdout } = await runKafkaTool(CONSUMER_GROUPS, [
        ...['--bootstrap-server', cluster().bootstrap, '--reset-offsets', '--dry-run', '--export'],
        ...['--group', group, '--topic', topic, ...args],
      ]);
      const theirs = stdout
        .split('\n')
        .filter((line) => line.includes(`${topic},`))
        .map((line) => line.replaceAll('"', ''))
        .sort();
      assert.deepEqual(
        plan.map((row) => `${row.topic},${row.partition},${row.target}`),
        theirs,
        stdout,
      );
    });
  }

  it('is applied, keeps metadata, and is read back for each partition [F1] [F4]', async () => {
    const group = await newGroup();
    const scenario = { kind: 'latest' } as const;
    const plan = await planReset(session, { group, scenario, scope: scope() });
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
    const plan = await planReset(session, {
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

  it('is refused while the group has members, and names them [F3]', async function () {
    this.timeout(60_000);
    const group = await newGroup();
    const plan = await planReset(session, {
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

function second(count: number): number {
  return 1_700_000_000_000 + count * 1000;
}

/** As the tool wants it: no zone means UTC. */
function iso(count: number): string {
  return new Date(second(count)).toISOString().replace('Z', '');
}
