import assert from 'node:assert/strict';
import path from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { after, before, it } from 'mocha';
import { commitGroupOffsets } from '../../src/client/admin/groupOffsets.ts';
import { produceMany } from '../../src/client/produce.ts';
import type { ClusterSession } from '../../src/cluster/clusterSession.ts';
import { type Tail, type TailOptions, Tails } from '../../src/cluster/tails.ts';
import type { TailProgress, TailRow } from '../../src/shared/contracts/tail.ts';
import { eventually, forEachCluster, sessionOn, type TestCluster, uniqueName } from './clusters.ts';

const workerPath = path.join(import.meta.dirname, '../../src/worker.ts');
const connectionOf = ({ name, bootstrap }: TestCluster): TailOptions['connection'] => ({
  name,
  bootstrap: [bootstrap],
});

forEachCluster('a tail', (cluster) => {
  let session: ClusterSession;
  let topic: string;
  let tails: Tails;

  before(async () => {
    tails = new Tails({ workerPath });
    session = sessionOn(cluster());
    topic = uniqueName('tail');
    await session.createTopic({ name: topic, partitionCount: 2, replicationFactor: -1 });
    for (let batch = 0; batch < 4; batch++) await send(topic, batch * 10, 10);
  });
  after(() => {
    tails.dispose();
    session.dispose();
  });

  /** Records `first` to `first + count - 1` of partition 0, a minute apart. */
  const send = (to: string, first: number, count: number): Promise<void> =>
    session.use((client) =>
      produceMany(
        client,
        to,
        Array.from({ length: count }, (_, index) => ({
          partition: 0,
          key: Buffer.from(String(first + index)),
          value: Buffer.from(`value ${first + index}`),
          headers: [],
          timestamp: BigInt(minute(first + index)),
        })),
      ),
    );

  const open = (from: string, options: Partial<TailOptions> = {}): Promise<Tail> =>
    tails.open({
      connection: connectionOf(cluster()),
      topic,
      partitions: [0, 1],
      session: 1,
      from,
      ...options,
    });

  const offsets = async (tail: Tail, first: number, count: number): Promise<string[]> =>
    (await tail.rows(first, count)).rows.map(({ offset }) => offset);

  const settled = async (tail: Tail): Promise<string[]> => {
    await eventually(() => tail.progress.state === 'live' || tail.progress.state === 'ended');
    return offsets(tail, tail.progress.dropped, 2000);
  };

  const starts: [string, () => string, number, number][] = [
    ['earliest', () => 'earliest', 0, 40],
    ['latest', () => 'latest', 0, 0],
    ['the last records', () => 'last 3', 37, 40],
    ['more last records than there are', () => 'last 100', 0, 40],
    ['an offset in the middle of a batch', () => '17', 17, 40],
    ['a range of offsets', () => '17:22', 17, 22],
    ['a time', () => `@${minute(25)}`, 25, 40],
    ['a time between two records', () => `@${minute(24) + 1}`, 25, 40],
    ['a range of times', () => `@${minute(25)}:@${minute(28)}`, 25, 28],
    ['a time after the last record', () => `@${minute(1000)}`, 0, 0],
  ];
  for (const [what, from, first, end] of starts) {
    it(`starts at ${what} [D2]`, async () => {
      const expected = Array.from({ length: end - first }, (_, index) => String(first + index));
      assert.deepEqual(await settled(await open(from())), expected);
    });
  }

  it('starts at a group’s committed offset, and says so where it has none [D2]', async () => {
    const group = uniqueName('tailed');
    const commit = { topic, partition: 0, offset: 38n, leaderEpoch: -1, metadata: '' };
    await session.use((client) => commitGroupOffsets(client, group, [commit]));
    assert.deepEqual(await settled(await open(`group ${group}`)), ['38', '39']);
    await assert.rejects(open('group nobody'), /nobody has no committed offset/);
  });

  it('ends where its range ends, and says so [D2]', async () => {
    const tail = await open('0:5', { partitions: [0] });
    await eventually(() => tail.progress.state === 'ended');
    assert.equal(tail.progress.held, 5);
  });

  it('waits for an end that is not there yet [D2]', async () => {
    const tail = await open('0:1000');
    await eventually(() => tail.progress.held === 40);
    assert.equal(tail.progress.state, 'live');
  });

  it('leaves the list of groups as it was [D1]', async () => {
    const groupsBefore = await session.groups();
    await settled(await open('earliest'));
    assert.deepEqual(await session.groups(), groupsBefore);
  });

  it('follows what is produced, and loses nothing in a pause [D1] [D3]', async () => {
    const own = uniqueName('paused');
    await session.createTopic({ name: own, partitionCount: 2, replicationFactor: -1 });
    const tail = await open('latest', { topic: own });
    await send(own, 0, 5);
    await eventually(() => tail.progress.held === 5);
    await tail.setPaused(true);
    await send(own, 5, 5);
    await eventually(() => tail.progress.behind === '5');
    assert.deepEqual([tail.progress.held, tail.progress.state], [5, 'paused']);
    await tail.setPaused(false);
    await eventually(() => tail.progress.held === 10);
    assert.deepEqual(
      await offsets(tail, 0, 10),
      Array.from({ length: 10 }, (_, index) => String(index)),
    );
  });

  it('keeps to its bound, keeps the numbers of rows, and reads again what it dropped [D3]', async () => {
    const tail = await open('0:40', { partitions: [0], limits: { rows: 15, bytes: 1e6 } });
    await eventually(() => tail.progress.state === 'ended');
    const { held, dropped } = tail.progress;
    assert.deepEqual([held, dropped], [10, 30]);
    assert.deepEqual(await offsets(tail, 28, 4), ['30', '31']);
    const again = await tail.details(0, 3n);
    assert.deepEqual([again?.offset, again?.value], ['3', base64('value 3')]);
    assert.equal(await tail.details(0, 5000n), undefined);
  });

  it('shows whole records with their batch [D5] [D6]', async () => {
    const tail = await open('12:14');
    await settled(tail);
    const details = await tail.details(0, 13n);
    assert.deepEqual(details, {
      ...details,
      topic,
      partition: 0,
      offset: '13',
      timestamp: String(minute(13)),
      timestampType: 'CreateTime',
      key: base64('13'),
      value: base64('value 13'),
      headers: [],
    });
    assert.deepEqual(
      [details.batch.baseOffset, details.batch.lastOffset, details.batch.recordCount],
      ['10', '19', 10],
    );
  });

  it('tells its progress, with the number of the session [D3]', async () => {
    const told: TailProgress[] = [];
    const tail = await open('earliest', { session: 7 });
    tail.onDidProgress((progress) => told.push(progress));
    await eventually(() => tail.progress.held === 40);
    assert.ok(told.every((progress) => progress.session === 7));
  });

  it('refuses an expression that cannot be read, and says what would do [D2]', async () => {
    await assert.rejects(open('yesterday'), /At character 1/);
  });
});

forEachCluster(
  'a tail of transactions',
  (cluster) => {
    it('counts the last records, not offsets: markers are none [D2]', async () => {
      const session = sessionOn(cluster());
      const topic = uniqueName('markers');
      await session.createTopic({ name: topic, partitionCount: 1, replicationFactor: -1 });
      await commitOneByOne(cluster().bootstrap, topic, 6);
      const tails = new Tails({ workerPath });
      try {
        const tail = await tails.open({
          connection: connectionOf(cluster()),
          topic,
          partitions: [0],
          session: 1,
          from: 'last 4',
        });
        await eventually(() => tail.progress.state === 'live');
        const { rows } = await tail.rows(0, 10);
        assert.deepEqual(
          rows.map((row) => [row.offset, textOf(row)]),
          [
            ['4', '2'],
            ['6', '3'],
            ['8', '4'],
            ['10', '5'],
          ],
        );
      } finally {
        tails.dispose();
        session.dispose();
      }
    });
  },
  'Kafka 4.4',
);

/** Each record in a transaction of its own, so that a marker follows each. */
async function commitOneByOne(bootstrap: string, topic: string, count: number): Promise<void> {
  const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
  const transactionalId = uniqueName('tx');
  const producer = kafka.producer({ transactionalId, maxInFlightRequests: 1, idempotent: true });
  await producer.connect();
  try {
    for (let index = 0; index < count; index++) {
      const transaction = await producer.transaction();
      await transaction.send({ topic, messages: [{ value: String(index) }] });
      await transaction.commit();
    }
  } finally {
    await producer.disconnect();
  }
}

function minute(count: number): number {
  return 1_700_000_000_000 + count * 60_000;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function textOf({ value }: TailRow): string {
  return value.kind === 'text' ? value.text : value.kind;
}
