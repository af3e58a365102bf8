// A group with commits on thousands of partitions.
import assert from 'node:assert/strict';
import { after, before, it } from 'mocha';
import { commitGroupOffsets } from '../../src/client/admin/groupOffsets.ts';
import { offsetSpec } from '../../src/client/admin/listOffsets.ts';
import { createTopic } from '../../src/client/admin/topics.ts';
import { produceMany } from '../../src/client/produce.ts';
import type { ClusterSession } from '../../src/cluster/clusterSession.ts';
import { loadGroupPositions } from '../../src/cluster/offsets/groupPositions.ts';
import { readOffsetCsv } from '../../src/cluster/offsets/offsetCsv.ts';
import { applyReset } from '../../src/cluster/offsets/offsetReset.ts';
import { planReset } from '../../src/cluster/offsets/offsetScenario.ts';
import { listOffsetsAt } from '../../src/cluster/topicReads.ts';
import { runKafkaTool } from '../support/kafka/java.ts';
import { forEachCluster, sessionOn, uniqueName } from './clusters.ts';

const CONSUMER_GROUPS = 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand';
const count = 5000;
/** Partitions that have records, three each. */
const full = 50;

forEachCluster('a reset on five thousand partitions', (cluster) => {
  const topic = uniqueName('many');
  const group = uniqueName('group');
  let session: ClusterSession;
  const all = Array.from({ length: count }, (_, partition) => ({ topic, partition }));

  before(async function () {
    this.timeout(240_000);
    session = sessionOn(cluster());
    const wanted = { name: topic, partitionCount: count, replicationFactor: -1 };
    await session.use(async (client) => {
      await createTopic(client, wanted, { timeoutMs: 100_000 });
      // On a loaded machine Kafka's broker takes a while to make the logs: each partition is asked until it answers.
      const ends = { timestamp: offsetSpec.latest, timeoutMs: 100_000 };
      const listed = await listOffsetsAt(client, all, ends);
      assert.deepEqual(
        [...listed].filter(({ value }) => 'error' in value),
        [],
      );
    });
    const records = Array.from({ length: 3 * full }, (_, i) => ({
      partition: i % full,
      key: null,
      value: Buffer.from('v'),
      headers: [],
      timestamp: BigInt(1_700_000_000_000 + i),
    }));
    const commits = all.map((at) => ({
      ...at,
      offset: BigInt(at.partition < full ? at.partition % 4 : 0),
      leaderEpoch: -1,
      metadata: 'kept',
    }));
    await session.use(async (client) => {
      await produceMany(client, topic, records);
      const outcomes = await commitGroupOffsets(client, group, commits);
      const failed = [...outcomes].filter(({ value }) => 'error' in value);
      assert.deepEqual([outcomes.size, failed], [count, []]);
    });
  });
  after(async () => {
    await session.deleteTopics([topic]);
    session.dispose();
  });

  it('plans what kafka-consumer-groups plans, and is applied to all [F1] [F6]', async function () {
    this.timeout(120_000);
    const request = { group, scenario: { kind: 'shift', by: 1n } as const, scope: all };
    const { rows, refused } = await planReset(session, request);
    assert.deepEqual(refused, []);
    const { stdout } = await runKafkaTool(CONSUMER_GROUPS, [
      ...['--bootstrap-server', cluster().bootstrap, '--group', group, '--topic', topic],
      ...['--reset-offsets', '--shift-by', '1', '--dry-run', '--export'],
    ]);
    const { offsets } = readOffsetCsv(stdout.slice(stdout.search(/^"?many-/m)), group);
    const byPartition = offsets
      .toSorted((a, b) => a.partition - b.partition)
      .map(({ partition, offset }) => [partition, offset]);
    assert.deepEqual(
      rows.map(({ partition, target }) => [partition, target]),
      byPartition,
    );
    assert.equal(byPartition.length, count);
    const results = await applyReset(session, group, rows);
    assert.deepEqual(
      results.map(({ partition, committed }) => [partition, committed]),
      byPartition,
    );
    const { positions } = await loadGroupPositions(session, group);
    assert.deepEqual(
      positions.map(({ partition, committed, metadata }) => [partition, committed, metadata]),
      byPartition.map((pair) => [...pair, 'kept']),
    );
  });
});
