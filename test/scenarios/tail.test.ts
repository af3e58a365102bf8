import assert from 'node:assert/strict';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kafka, logLevel, type Transaction } from 'kafkajs';
import { after, before, describe, it } from 'mocha';
import type { Clock } from '../../src/base/clock.ts';
import type { Disposable } from '../../src/base/disposable.ts';
import { commitGroupOffsets } from '../../src/client/admin/groupOffsets.ts';
import { produceMany } from '../../src/client/produce.ts';
import type { ClusterSession } from '../../src/cluster/clusterSession.ts';
import { defaultDecoders } from '../../src/shared/contracts/decoders.ts';
import { parseRecordLine } from '../../src/codec/recordJson.ts';
import type { TopicPartition } from '../../src/client/partitionMap.ts';
import { plaintext } from '../../src/client/security.ts';
import { StableWatch } from '../../src/cluster/tail/tailStable.ts';
import { type Tail, type TailOptions, Tails } from '../../src/cluster/tail/tails.ts';
import type { TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import { defaultTailScope, type TailScope } from '../../src/shared/contracts/tailQuery.ts';
import type { TailRow } from '../../src/shared/contracts/tailRows.ts';
import { sharedKafka, user } from '../support/kafka/sharedKafka.ts';
import { eventually, forEachCluster, sessionOn, type TestCluster, uniqueName } from './clusters.ts';

const files = {
  workerPath: path.join(import.meta.dirname, '../../src/worker.ts'),
  quickjsWasmPath: fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')),
};
const connectionOf = ({ name, bootstrap }: TestCluster): TailOptions['connection'] => ({
  name,
  bootstrap: [bootstrap],
  security: plaintext,
});

forEachCluster('a tail', (cluster) => {
  let session: ClusterSession;
  let topic: string;
  let tails: Tails;

  before(async () => {
    tails = new Tails({ files });
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
      scope: defaultTailScope,
      filter: '',
      decoders: defaultDecoders,
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

  it('shows what several partitions held in the order of time, and what comes as it comes [D2] [D3]', async () => {
    const own = uniqueName('merged');
    await session.createTopic({ name: own, partitionCount: 4, replicationFactor: -1 });
    const partitions = [0, 1, 2, 3];
    const sendTo = (partition: number, minutes: readonly number[]): Promise<void> =>
      session.use((client) =>
        produceMany(
          client,
          own,
          minutes.map((of) => ({
            ...{ partition, key: null, value: Buffer.from(String(of)), headers: [] },
            timestamp: BigInt(minute(of)),
          })),
        ),
      );
    // Partition 3 stays empty: nobody waits for it.
    for (let first = 0; first < 30; first += 10)
      for (const partition of [2, 0, 1])
        await sendTo(
          partition,
          [0, 3, 6, 9].map((of) => first + partition + of),
        );
    const values = async (tail: Tail): Promise<number[]> => {
      await settled(tail);
      const { rows } = await tail.rows(0, 100);
      return rows.map(({ value }) => (value.kind === 'text' ? Number(value.text) : NaN));
    };
    const all = await open('earliest', { topic: own, partitions });
    const expected = await values(all);
    assert.equal(expected.length, 36);
    assert.deepEqual(
      expected,
      expected.toSorted((a, b) => a - b),
    );
    const last = await open('last 2', { topic: own, partitions });
    assert.deepEqual(await values(last), [26, 27, 28, 29, 30, 31]);
    const ranged = await open(`@${minute(10)}:@${minute(14)}`, { topic: own, partitions });
    assert.deepEqual(
      await values(ranged),
      expected.filter((of) => of >= 10 && of < 14),
    );
    await sendTo(1, [0]);
    await eventually(() => last.progress.held === 7);
    assert.equal((await values(last)).at(-1), 0);
  });

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

  it('says that it waits for an offset beyond the end, or that a time is not there yet [D2]', async () => {
    const own = uniqueName('beyond');
    await session.createTopic({ name: own, partitionCount: 1, replicationFactor: -1 });
    await send(own, 0, 5);
    const partitions = [0];
    const tail = await open('8', { topic: own, partitions });
    await eventually(() => tail.progress.state === 'live');
    const awaited = { partition: 0, offset: '8', bound: '5', partitions: 1 };
    assert.deepEqual(tail.progress.missed, { awaited, awaitsAll: true });
    await send(own, 5, 2);
    await eventually(() => tail.progress.missed?.awaited?.bound === '7');
    assert.equal(tail.progress.held, 0);
    await send(own, 7, 2);
    await eventually(() => tail.progress.held === 1);
    assert.equal(tail.progress.missed, undefined);
    const future = await open(`@${minute(1000)}`, { topic: own, partitions });
    await eventually(() => future.progress.missed?.noneAsLate === true);
    const past = await open(`@${minute(3)}`, { topic: own, partitions });
    assert.equal((await settled(past)).length, 6);
    assert.equal(past.progress.missed, undefined);
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

  it('reads partitions that are added from their beginning, where it is of all [D1] [D3]', async () => {
    const own = uniqueName('grown');
    await session.createTopic({ name: own, partitionCount: 1, replicationFactor: -1 });
    const all = await open('latest', { topic: own, partitions: [0], isAll: true });
    const chosen = await open('latest', { topic: own, partitions: [0] });
    await session.addPartitions(own, 3);
    await session.use((client) =>
      produceMany(client, own, [
        { partition: 2, key: null, value: Buffer.from('early'), headers: [] },
      ]),
    );
    const read = async (tail: Tail): Promise<string[]> =>
      (await tail.rows(0, 100)).rows.map(({ note, value, partition }) =>
        [partition, note ?? (value.kind === 'text' ? value.text : '')].join(': '),
      );
    await eventually(() => all.progress.held === 2 && all.progress.state === 'live', 60_000);
    assert.deepEqual(await read(all), ['1: partitions 1 to 2 were added to the topic', '2: early']);
    assert.equal(all.progress.partitionCount, 3);
    assert.deepEqual([chosen.progress.held, chosen.progress.partitionCount], [0, undefined]);
  });

  it('says that its topic was deleted, keeps its rows, and tells of one of that name [D1]', async () => {
    const own = uniqueName('deleted');
    const make = (): Promise<unknown> =>
      session.createTopic({ name: own, partitionCount: 2, replicationFactor: -1 });
    await make();
    await send(own, 0, 3);
    const tail = await open('last 100', { topic: own, isAll: true });
    await eventually(() => tail.progress.held === 3);
    await session.deleteTopics([own]);
    await eventually(() => tail.progress.topicGone === 'deleted', 60_000);
    assert.equal(tail.progress.state, 'failed');
    assert.equal(tail.progress.error?.message, `Topic ${own} was deleted.`);
    assert.deepEqual(await offsets(tail, 0, 10), ['0', '1', '2']);
    await make();
    await eventually(() => tail.progress.topicGone === 'back', 60_000);
    assert.match(tail.progress.error.message, /There is one of that name again/);
  });

  it('says while it is paused that its topic was deleted [D1] [D3]', async () => {
    const own = uniqueName('deleted-in-pause');
    await session.createTopic({ name: own, partitionCount: 1, replicationFactor: -1 });
    await send(own, 0, 3);
    const tail = await open('last 100', { topic: own, partitions: [0], isAll: true });
    await eventually(() => tail.progress.held === 3);
    await tail.setPaused(true);
    await eventually(() => tail.progress.state === 'paused');
    await session.deleteTopics([own]);
    await eventually(() => tail.progress.topicGone === 'deleted', 60_000);
    const { state, error, held } = tail.progress;
    assert.deepEqual([state, error?.message, held], ['failed', `Topic ${own} was deleted.`, 3]);
  });

  it('says what retention deleted before it was read, and goes on [D3]', async () => {
    const own = uniqueName('overtaken');
    await session.createTopic({ name: own, partitionCount: 1, replicationFactor: -1 });
    const tail = await open('earliest', { topic: own, partitions: [0] });
    await send(own, 0, 10);
    await eventually(() => tail.progress.held === 10);
    await tail.setPaused(true);
    for (const first of [10, 100]) await send(own, first, 90);
    // By then the answers that were on their way have come; the last records are in none of them.
    await eventually(() => tail.progress.behind === '180');
    await send(own, 190, 90);
    const kafka = new Kafka({ brokers: [cluster().bootstrap], logLevel: logLevel.NOTHING });
    const admin = kafka.admin();
    await admin.connect();
    await admin.fetchTopicOffsets(own); // kafkajs deletes only where it has learned the leader
    await admin.deleteTopicRecords({ topic: own, partitions: [{ partition: 0, offset: '200' }] });
    await admin.disconnect();
    await tail.setPaused(false);
    const read = async (): Promise<TailRow[]> => (await tail.rows(0, 500)).rows;
    await eventually(async () => (await read()).at(-1)?.offset === '279');
    const [note, ...others] = (await read()).filter((row) => row.note !== undefined);
    // What a fetch had already brought when it was paused may be there all the same.
    assert.match(
      note?.note ?? '',
      /^records (10|100|190) to 199 were deleted before they were read$/,
    );
    assert.deepEqual([note?.partition, note?.offset, others.length], [0, '200', 0]);

    const late = await open('7', { topic: own, partitions: [0] });
    await eventually(() => late.progress.state === 'live');
    assert.equal(
      (await late.rows(0, 1)).rows[0]?.note,
      'records 7 to 199 are not in the log any more: it begins at 200',
    );
    const gone = { partition: 0, offset: '7', bound: '200', partitions: 1 };
    assert.deepEqual(late.progress.missed, { gone });
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

  it('reads the commits of groups in __consumer_offsets [D7]', async () => {
    const group = uniqueName('readable');
    const commit = { topic, partition: 1, offset: 0n, leaderEpoch: -1, metadata: 'why' };
    await session.use((client) => commitGroupOffsets(client, group, [commit]));
    const internal = '__consumer_offsets';
    const partitions = (await session.partitions(internal)).map(({ partition }) => partition);
    const tail = await open('earliest', { topic: internal, partitions });
    await eventually(() => tail.progress.state === 'live');
    await tail.setFilter(`js: key.group === "${group}"`, 'matched', 2);
    await eventually(() => tail.progress.filter?.pending === 0);
    const [row] = (await tail.rows(0, 10)).rows;
    assert.ok(row?.key.kind === 'decoded' && row.value.kind === 'decoded');
    assert.deepEqual(JSON.parse(row.key.text), {
      type: 'offsetCommit',
      group,
      topic,
      partition: 1,
    });
    const value = JSON.parse(row.value.text) as Record<string, unknown>;
    assert.deepEqual([value['offset'], value['metadata']], [0, 'why']);
  });

  it('exports what is shown or all of it, byte for byte [D8]', async () => {
    const own = uniqueName('exported');
    await session.createTopic({ name: own, partitionCount: 1, replicationFactor: -1 });
    const records = [
      { key: Buffer.from('k,"1"'), value: Buffer.from([0, 255]), headers: [] },
      {
        key: null,
        value: Buffer.from(''),
        headers: [
          { key: Buffer.from('h'), value: null },
          { key: Buffer.from([129]), value: Buffer.from([128]) },
        ],
      },
      { key: Buffer.from([254]), value: null, headers: [] },
    ].map((record) => ({ ...record, partition: 0, timestamp: 1_700_000_000_000n }));
    await session.use((client) => produceMany(client, own, records));
    const tail = await open('earliest', { topic: own, partitions: [0] });
    await eventually(() => tail.progress.held === 3);
    const exported = async (format: 'jsonl' | 'csv', all: boolean): Promise<string> => {
      let text = '';
      for await (const page of tail.exportRows(format, all)) text += page.text;
      return text;
    };
    const lines = (await exported('jsonl', true)).trimEnd().split('\n');
    assert.deepEqual(
      lines.map(parseRecordLine),
      records.map((record) => ({ record })),
    );
    assert.equal(
      await exported('csv', true),
      [
        `${own},0,0,1700000000000,"k,""1""","base64:AP8=",`,
        `${own},0,1,1700000000000,,"","[{""key"":""h"",""value"":null},{""keyBase64"":""gQ=="",""valueBase64"":""gA==""}]"`,
        `${own},0,2,1700000000000,"base64:/g==",,`,
        '',
      ].join('\n'),
    );
    await tail.setFilter('js: key === null', 'matched', 2);
    await eventually(() => tail.progress.filter?.pending === 0);
    assert.match(await exported('jsonl', false), /^[^\n]*"offset":"1"[^\n]*\n$/);
    assert.equal((await exported('jsonl', true)).split('\n').length, 4);
  });

  it('tells its progress, with the number of the session [D3]', async () => {
    const told: TailProgress[] = [];
    const tail = await open('earliest', { session: 7 });
    tail.onDidProgress((progress) => told.push(progress));
    await eventually(() => tail.progress.held === 40);
    assert.ok(told.every((progress) => progress.session === 7));
  });

  it('tells whether it began at a place in the log, and there was something from there on [D2]', async () => {
    const places: Record<string, boolean> = {
      ...{ earliest: true, '17': true, [`@${minute(25)}`]: true, '17:22': true },
      ...{ latest: false, 'last 100': false, '40': false, [`@${minute(1000)}`]: false },
    };
    for (const [from, isPlace] of Object.entries(places)) {
      const tail = await open(from, { session: 3 });
      await tail.setFilter('value', 'matched', 4);
      const { session: now, began, beganAtPlace = false } = tail.progress;
      assert.deepEqual([now, began, beganAtPlace], [4, 3, isPlace], from);
    }
  });

  it('refuses an expression that cannot be read, and says what would do [D2]', async () => {
    await assert.rejects(open('yesterday'), /At character 1/);
  });
});

/** Time that passes only when a watch has looked and waits: two seconds with each look. */
class Looks implements Clock {
  count = 0;
  #waits: (() => void) | undefined;
  #isWaiting = Promise.withResolvers<undefined>();

  nowMs = Date.now;

  monotonicMs(): number {
    return this.count * 2000;
  }

  setTimer(_delayMs: number, fire: () => void): Disposable {
    this.#waits = fire;
    this.#isWaiting.resolve(undefined);
    return { dispose: () => undefined };
  }

  /** Lets it look once, and waits until it has. */
  async next(): Promise<void> {
    await this.#isWaiting.promise;
    this.#isWaiting = Promise.withResolvers();
    this.count++;
    this.#waits?.();
    await this.#isWaiting.promise;
  }
}

forEachCluster(
  'a tail of transactions',
  (cluster) => {
    let session: ClusterSession;
    let topic: string;
    let tails: Tails;
    /** Six committed one by one, two aborted, one committed, and one whose transaction is open. */
    const values = ['0', '1', '2', '3', '4', '5', 'x', 'y', '6', 'open'];
    const transactionalId = uniqueName('tx');
    let end: () => Promise<void>;

    before(async () => {
      tails = new Tails({ files });
      session = sessionOn(cluster());
      topic = uniqueName('markers');
      await session.createTopic({ name: topic, partitionCount: 1, replicationFactor: -1 });
      end = await writeTransactions(cluster().bootstrap, topic, transactionalId);
    });
    after(async () => {
      await end();
      tails.dispose();
      session.dispose();
    });

    const open = async (from: string, change: Partial<TailScope> = {}): Promise<Tail> => {
      const tail = await tails.open({
        connection: connectionOf(cluster()),
        topic,
        partitions: [0],
        session: 1,
        from,
        scope: { ...defaultTailScope, ...change },
        filter: '',
        decoders: defaultDecoders,
      });
      await eventually(() => tail.progress.state === 'live');
      return tail;
    };
    const shown = async (tail: Tail): Promise<string[]> =>
      (await tail.rows(0, 100)).rows.map((row) => row.note ?? textOf(row));

    it('counts the last records, not offsets: markers are none [D2]', async () => {
      assert.deepEqual(await shown(await open('last 4')), values.slice(-4));
    });

    it('counts and shows at read_committed what a consumer gets [D2] [D6]', async () => {
      const tail = await open('last 3', { isolation: 'read_committed' });
      assert.deepEqual(await shown(tail), ['4', '5', '6']);
      assert.equal(tail.progress.heldBack, '1');
    });

    it('says where the last stable offset is, and whose transaction holds it there [D6]', async () => {
      for (const isolation of ['read_uncommitted', 'read_committed'] as const) {
        const tail = await open('latest', { isolation });
        await eventually(() => tail.progress.heldBy[0]?.transaction !== undefined);
        const [held, ...others] = tail.progress.heldBy;
        assert.deepEqual(others, []);
        assert.ok(held?.producer && held.transaction);
        assert.deepEqual([held.partition, held.waiting], [0, '1']);
        assert.deepEqual(held.transaction.id, transactionalId);
        assert.match(held.producer.id, /^\d+$/);
        const ageMs = Date.now() - held.transaction.startTimeMs;
        assert.ok(ageMs > 0 && ageMs < 300_000, String(ageMs));
        tail.dispose();
      }
    });

    it('asks nobody who holds it back while no record waits, and less often the longer it is the same [D6]', async () => {
      const looks = new Looks();
      const waiting: TopicPartition[] = [];
      await session.use(async (client) => {
        const asked: number[] = [];
        const request = client.request.bind(client);
        client.request = (api, ...rest) => {
          if (api === 'listOffsets') asked.push(looks.count);
          return request(api, ...rest);
        };
        const watch = new StableWatch({
          client,
          clock: looks,
          suspects: () => waiting,
          onChange: () => undefined,
        });
        for (let i = 0; i < 5; i++) await looks.next();
        assert.deepEqual(asked, []);
        waiting.push({ topic, partition: 0 });
        for (let i = 0; i < 20; i++) await looks.next();
        assert.equal(watch.heldBack.length, 1);
        // Three questions each: log start, last stable offset and high watermark.
        assert.deepEqual([...new Set(asked)], [6, 7, 9, 13, 21]);
        waiting.pop();
        await looks.next();
        assert.deepEqual(watch.heldBack, []);
        watch.dispose();
        client.request = request;
      });
    });

    it('says of each record how its transaction ended, also when it ends later [D6]', async () => {
      const tail = await open('last 4');
      const states = async (): Promise<unknown[]> =>
        (await tail.rows(0, 9)).rows.map(({ transaction }) => transaction);
      assert.deepEqual(await states(), ['aborted', 'aborted', 'committed', 'open']);
      const { transactionsEnded } = tail.progress;
      await end();
      await eventually(() => tail.progress.transactionsEnded === transactionsEnded + 1);
      await eventually(() => tail.progress.heldBy.length === 0);
      assert.deepEqual(await states(), ['aborted', 'aborted', 'committed', 'committed']);
    });

    it('reads the states of transactions in __transaction_state [D7]', async () => {
      const internal = '__transaction_state';
      const partitions = (await session.partitions(internal)).map(({ partition }) => partition);
      const tail = await tails.open({
        connection: connectionOf(cluster()),
        topic: internal,
        partitions,
        session: 1,
        from: 'earliest',
        scope: defaultTailScope,
        filter: `js: key.transactionalId === "${transactionalId}"`,
        decoders: defaultDecoders,
      });
      await eventually(() => tail.progress.filter?.pending === 0 && tail.progress.held > 0);
      const { rows } = await tail.rows(0, 500);
      const states = rows.map(({ value }) =>
        value.kind === 'decoded'
          ? (JSON.parse(value.text) as { transactionStatus: string }).transactionStatus
          : value.kind,
      );
      for (const state of ['Ongoing', 'PrepareCommit', 'CompleteCommit', 'CompleteAbort']) {
        assert.ok(states.includes(state), `${state} is not in ${states.join()}`);
      }
    });

    it('shows markers when asked [D6]', async () => {
      const rows = await shown(await open('10', { markers: true }));
      assert.equal(rows[0], '5');
      assert.match(rows[1] ?? '', /^transaction of producer \d+, epoch \d+, committed$/);
      assert.deepEqual(rows.slice(2, 4), ['x', 'y']);
      assert.match(rows[4] ?? '', /^transaction of producer \d+, epoch \d+, aborted$/);
    });
  },
  ['Kafka 4.4', 'embedded'],
);

describe('a tail over a secured connection (Kafka 4.4)', function () {
  this.timeout(120_000);

  it('is read with TLS and SCRAM in the worker [D1] [B2]', async () => {
    const kafka = await sharedKafka();
    const session = sessionOn({ name: 'Kafka 4.4', bootstrap: kafka.bootstrap });
    const topic = uniqueName('secured');
    await session.createTopic({ name: topic, partitionCount: 1, replicationFactor: -1 });
    session.dispose();
    const tails = new Tails({ files });
    try {
      const tls = { authorities: await kafka.certificates.text('ca.pem'), checkHostName: true };
      const sasl = { mechanism: 'SCRAM-SHA-512', ...user } as const;
      const tail = await tails.open({
        connection: {
          name: 'secured',
          bootstrap: [`127.0.0.1:${kafka.port('SASL_SSL')}`],
          security: { protocol: 'SASL_SSL', tls, sasl },
        },
        topic,
        partitions: [0],
        session: 1,
        from: 'earliest',
        scope: defaultTailScope,
        filter: '',
        decoders: defaultDecoders,
      });
      await eventually(() => tail.progress.state === 'live');
    } finally {
      tails.dispose();
    }
  });
});

/** Resolves, with what commits the last one, once all but it have ended. */
async function writeTransactions(
  bootstrap: string,
  topic: string,
  transactionalId: string,
): Promise<() => Promise<void>> {
  const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
  const producer = kafka.producer({ transactionalId, maxInFlightRequests: 1, idempotent: true });
  await producer.connect();
  const write = async (...values: string[]): Promise<Transaction> => {
    const transaction = await producer.transaction();
    for (const value of values) await transaction.send({ topic, messages: [{ value }] });
    return transaction;
  };
  for (let index = 0; index < 6; index++) await (await write(String(index))).commit();
  await (await write('x', 'y')).abort();
  await (await write('6')).commit();
  const last = await write('open');
  let ending: Promise<void> | undefined;
  return () => (ending ??= last.commit().then(() => producer.disconnect()));
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
