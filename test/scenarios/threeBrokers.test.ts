import assert from 'node:assert/strict';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, describe, it } from 'mocha';
import { commitGroupOffsets } from '../../src/client/admin/groupOffsets.ts';
import { type ProduceManyOptions, produceMany } from '../../src/client/produce.ts';
import { IdempotentProducer } from '../../src/client/idempotentProducer.ts';
import { plaintext } from '../../src/client/security.ts';
import { ClusterSession } from '../../src/cluster/clusterSession.ts';
import { loadGroupPositions } from '../../src/cluster/offsets/groupPositions.ts';
import { applyReset } from '../../src/cluster/offsets/offsetReset.ts';
import type { PartitionRow, Readable } from '../../src/cluster/model.ts';
import { planReset } from '../../src/cluster/offsets/offsetScenario.ts';
import { toProblem } from '../../src/cluster/problems.ts';
import { type Tail, Tails } from '../../src/cluster/tail/tails.ts';
import { defaultDecoders } from '../../src/shared/contracts/decoders.ts';
import { defaultTailScope } from '../../src/shared/contracts/tailQuery.ts';
import { type KafkaBrokers, startKafkaBrokers } from '../support/kafka/kafkaBrokers.ts';
import { eventually, uniqueName } from './clusters.ts';

const topic = 'orders';
/** Partition 0 is led by broker 1, and so on; the others follow. */
const replicas = [
  [1, 2, 3],
  [2, 3, 1],
  [3, 1, 2],
];
const partitions = replicas.map((_, partition) => partition);
const quickjs = import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
const files = {
  workerPath: path.join(import.meta.dirname, '../../src/worker.ts'),
  quickjsWasmPath: fileURLToPath(quickjs),
};

describe('Apache Kafka 4.4 with three brokers that are lost one by one', function () {
  this.timeout(180_000);
  let kafka: KafkaBrokers;
  let session: ClusterSession;
  let tails: Tails | undefined;
  let tail: Tail;
  let group: string;
  let sent = 0;

  before(async () => {
    kafka = await startKafkaBrokers(3, {
      'offsets.topic.num.partitions': 3,
      'offsets.topic.replication.factor': 3,
      'replica.lag.time.max.ms': 3000,
    });
    const { bootstrap } = kafka;
    session = new ClusterSession({
      id: 'three',
      name: 'three',
      kind: 'remote',
      bootstrap: [bootstrap],
      readOnly: false,
    });
    await eventually(async () => (await session.brokers()).length === 3, 60_000);
    await createOrders();
    await eventually(
      () => everyPartition(({ leader, isr }) => leader > 0 && isr.length === 3),
      60_000,
    );
    group = await groupCoordinatedBy(2);
    tails = new Tails({ files });
    tail = await tails.open({
      connection: { name: 'three', bootstrap: [bootstrap], security: plaintext },
      topic,
      partitions,
      session: 1,
      from: 'earliest',
      scope: defaultTailScope,
      filter: '',
      decoders: defaultDecoders,
    });
  });
  after(async () => {
    tails?.dispose();
    session.dispose();
    await kafka.stop();
  });

  const createOrders = (): Promise<unknown> =>
    session.use((client) =>
      client.request(
        'createTopics',
        {
          topics: [
            {
              name: topic,
              numPartitions: -1,
              replicationFactor: -1,
              assignments: replicas.map((brokerIds, partitionIndex) => ({
                partitionIndex,
                brokerIds,
              })),
              configs: [{ name: 'min.insync.replicas', value: '2' }],
            },
          ],
          timeoutMs: 15_000,
          validateOnly: false,
        },
        { to: 'controller', isRepeatable: false },
      ),
    );

  async function everyPartition(holds: (row: PartitionRow) => boolean): Promise<boolean> {
    const rows = await session.partitions(topic);
    return rows.length === replicas.length && rows.every(holds);
  }

  /** A group that has committed 0 on every partition. */
  async function groupCoordinatedBy(broker: number): Promise<string> {
    for (;;) {
      const name = uniqueName('group');
      const coordinator = await session.use(async (client) => {
        await commitGroupOffsets(client, name, partitions.map(commitOfZero));
        return client.coordinators.ofOne(name);
      });
      if (coordinator === broker) return name;
    }
  }

  const commitOfZero = (partition: number) => ({
    topic,
    partition,
    offset: 0n,
    leaderEpoch: -1,
    metadata: 'kept',
  });

  /** Sends to every partition, each record with its own number. */
  const send = (of: readonly number[], options: ProduceManyOptions = {}): Promise<void> =>
    session.use((client) => {
      const records = of.flatMap((partition) =>
        Array.from({ length: 10 }, () => ({
          partition,
          key: null,
          value: Buffer.from(String(sent++)),
          headers: [],
        })),
      );
      return produceMany(client, topic, records, options);
    });

  /** The tail's rows, as soon as there are so many. */
  async function tailed(count: number): Promise<number[]> {
    await eventually(() => tail.progress.held >= count, 60_000);
    const { rows } = await tail.rows(0, 1000);
    return rows.map(({ value }) => Number('text' in value && value.text)).sort((a, b) => a - b);
  }
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

  it('is tailed from three leaders, each record once [D1]', async () => {
    await send(partitions);
    assert.deepEqual(await tailed(30), numbers(30));
  });

  it('is tailed and written to where the leaders are now, when one is lost [D1] [E2] [B6]', async () => {
    // It is sent to the leader that was killed, and again until there is another.
    await kafka.kill9(2);
    const written = await session.use((client) => {
      const record = {
        topic,
        partition: 1,
        key: null,
        value: Buffer.from(String(sent++)),
        headers: [],
      };
      return new IdempotentProducer(client).send(record, { timeoutMs: 90_000 });
    });
    assert.equal(written.offset, 10n);
    await eventually(
      () => everyPartition(({ leader, isr }) => leader !== 2 && !isr.includes(2)),
      90_000,
    );
    await send(partitions);
    assert.deepEqual(await tailed(61), numbers(61));
  });

  it('has a group reset at its new coordinator, and read back [F4]', async () => {
    const scope = partitions.map((partition) => ({ topic, partition }));
    const scenario = { kind: 'offset', offset: 7n } as const;
    const { rows } = await planReset(session, { group, scenario, scope });
    const outcomes = await applyReset(session, group, rows);
    assert.deepEqual(
      outcomes,
      scope.map((of) => ({ ...of, committed: 7n })),
    );
    const { positions } = await loadGroupPositions(session, group);
    assert.deepEqual(
      positions.map(({ metadata, offsets }) => [metadata, known(offsets).highWatermark]),
      partitions.map((partition) => ['kept', partition === 1 ? 21n : 20n]),
    );
  });

  it('refuses what needs more replicas than are left, in words, and keeps back what does not [E1] [C2]', async () => {
    await kafka.kill9(3);
    await eventually(
      () => everyPartition(({ leader, isr }) => leader === 1 && isr.join() === '1'),
      90_000,
    );
    await assert.rejects(send([0], { timeoutMs: 5000 }), (error) => {
      const { message, hint } = toProblem(error);
      assert.match(message, /NOT_ENOUGH_REPLICAS/);
      assert.match(
        hint ?? '',
        /^Fewer replicas are in sync than .* min\.insync\.replicas asks for/,
      );
      return true;
    });
    sent -= 10;
    // KIP-966: below min.insync.replicas the high watermark stands still.
    await send([0], { acks: 1 });
    const [first] = await session.partitions(topic);
    assert.ok(first);
    assert.equal(known(first.offsets).highWatermark, 20n);
    const [leader] = await session.replicas(first);
    assert.ok(leader);
    assert.equal(known(leader.logEndOffset), 30n);
    assert.deepEqual(await tailed(61), numbers(61));
  });

  it('shows what was kept back when the others are in sync again [D1]', async () => {
    await Promise.all([kafka.restart(2), kafka.restart(3)]);
    await eventually(() => everyPartition(({ isr }) => isr.length === 3), 90_000);
    await send(partitions);
    assert.deepEqual(await tailed(101), numbers(101));
  });
});

function known<T>(of: Readable<T>): T {
  if ('problem' in of) assert.fail(of.problem.message);
  return of.value;
}
