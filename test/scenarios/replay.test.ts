import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, beforeEach, it } from 'mocha';
import { produce, produceMany, type RecordToProduce } from '../../src/client/produce.ts';
import { plaintext } from '../../src/client/security.ts';
import type { ClusterSession } from '../../src/cluster/clusterSession.ts';
import { replay, type ReplayOptions } from '../../src/cluster/produce/replay.ts';
import { type Tail, Tails } from '../../src/cluster/tail/tails.ts';
import type { FileLine, FileRecord } from '../../src/codec/fileRecord.ts';
import { readRecordFile, recordFileHead } from '../../src/codec/recordFile.ts';
import { defaultDecoders } from '../../src/shared/contracts/decoders.ts';
import type { RecordDetails } from '../../src/shared/contracts/recordDetails.ts';
import { defaultTailScope } from '../../src/shared/contracts/tailQuery.ts';
import { recordOf } from '../../src/ui/panels/produceDraft.ts';
import { recordDraft } from '../../src/ui/panels/recordDraft.ts';
import { recordSource, type ReplaySource, shownSource } from '../../src/ui/panels/replaySource.ts';
import { eventually, forEachCluster, sessionOn, uniqueName } from './clusters.ts';

const files = {
  workerPath: path.join(import.meta.dirname, '../../src/worker.ts'),
  quickjsWasmPath: fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')),
};

type Input = Omit<RecordToProduce, 'topic'>;

/** By default a broker refuses what is more than an hour from now. */
const anyTimestamp = { 'message.timestamp.after.max.ms': String(2n ** 63n - 1n) };

const plain: Input = {
  partition: 0,
  key: null,
  value: null,
  headers: [],
  timestamp: 1_700_000_000_000n,
};
/** What text, JSON or a file would lose. */
const hostile: readonly Input[] = [
  plain,
  { ...plain, key: Buffer.alloc(0), value: Buffer.alloc(0) },
  { ...plain, key: Buffer.from([0xff, 0xfe]), value: Buffer.from([0xc3, 0x28, 0]) },
  { ...plain, key: Buffer.from('\uFEFFmarked'), value: Buffer.from('a\r\nb\rc\u2028d\0') },
  { ...plain, value: Buffer.from('{"id":9007199254740993,"id":1}'), timestamp: -5n },
  { ...plain, value: Buffer.from('no timestamp'), timestamp: -1n },
  { ...plain, value: Buffer.from('the last moment'), timestamp: 2n ** 63n - 1n },
  {
    ...plain,
    key: Buffer.from('\u{1F600}\u0000"\\'),
    value: Buffer.from(`${'[{"a":'.repeat(2000)}-9223372036854775808${'}]'.repeat(2000)}`),
  },
  {
    ...plain,
    partition: 1,
    key: Buffer.from('headers'),
    headers: [
      { key: 'twice', value: Buffer.from('1') },
      { key: 'twice', value: null },
      { key: 'twice', value: Buffer.alloc(0) },
      { key: '', value: Buffer.from([0x80]) },
      { key: Buffer.from([0xff, 0x00]), value: Buffer.from('behind a binary key') },
      { key: 'line\nends', value: Buffer.from('\r\n') },
    ],
  },
];

const inBase64 = (bytes: Uint8Array | string | null): string | null =>
  bytes === null ? null : Buffer.from(bytes).toString('base64');
const headersOf = ({ headers }: Input): RecordDetails['headers'] =>
  headers.map(({ key, value }) => ({ key: inBase64(key), value: inBase64(value) }));
const expected = (record: Input) => ({
  partition: record.partition,
  timestamp: String(record.timestamp),
  key: inBase64(record.key),
  value: inBase64(record.value),
  headers: headersOf(record),
});

/** Each with where it is once they were written in this order. */
function placed(records: readonly Input[]): [number, bigint, Input][] {
  const next = [0n, 0n];
  return records.map((record) => {
    const partition = record.partition ?? 0;
    const offset = next[partition] ?? 0n;
    next[partition] = offset + 1n;
    return [partition, offset, record];
  });
}

async function* recordsOf(lines: AsyncIterable<FileLine>): AsyncGenerator<FileRecord> {
  for await (const line of lines) {
    if ('problem' in line) assert.fail(`line ${line.line}: ${line.problem}`);
    yield line.record;
  }
}

forEachCluster('records written again', (cluster) => {
  let session: ClusterSession;
  let tails: Tails;
  let topic: string;
  let copy: string;
  const places = hostile.map(({ partition }, index) => ({
    partition: partition ?? 0,
    offset: BigInt(partition === 1 ? 0 : index),
  }));

  before(async () => {
    tails = new Tails({ files });
    session = sessionOn(cluster());
    topic = await newTopic('replayed');
    await session.use((client) => produceMany(client, topic, hostile));
  });
  beforeEach(async () => (copy = await newTopic('copy')));
  after(() => {
    tails.dispose();
    session.dispose();
  });

  async function newTopic(prefix: string): Promise<string> {
    const name = uniqueName(prefix);
    await session.createTopic({
      name,
      partitionCount: 2,
      replicationFactor: -1,
      configs: anyTimestamp,
    });
    return name;
  }

  /** A tail that has read as much as there is. */
  async function tailOf(name: string, rows: number): Promise<Tail> {
    const tail = await tails.open({
      connection: { name, bootstrap: [cluster().bootstrap], security: plaintext },
      topic: name,
      partitions: [0, 1],
      session: 1,
      from: 'earliest',
      scope: defaultTailScope,
      filter: '',
      decoders: defaultDecoders,
    });
    await eventually(() => tail.progress.held === rows && tail.progress.state === 'live');
    return tail;
  }

  async function recordAt(tail: Tail, index: number): Promise<RecordDetails> {
    const place = places[index];
    const record = place && (await tail.details(place.partition, place.offset));
    assert.ok(record);
    return record;
  }

  const bytesOf = ({ partition, timestamp, key, value, headers }: RecordDetails) => {
    const plainHeaders = headers.map((header) => ({ key: header.key, value: header.value }));
    return { partition, timestamp, key, value, headers: plainHeaders };
  };

  const shown = (tail: Tail): Promise<ReplaySource> =>
    shownSource(tail, { cluster: session.profile, topic, largestPartition: 1 });

  /** Answers with how many records were told to be acknowledged. */
  async function write(
    { records }: ReplaySource,
    options: Partial<ReplayOptions> = {},
  ): Promise<number> {
    let told = 0;
    const { signal } = new AbortController();
    const onProgress = (acknowledged: number) => void (told = acknowledged);
    const kept = { keepsPartition: true, keepsTimestamp: true };
    await session.use((client) =>
      replay(client, records, { topic: copy, ...kept, signal, onProgress, ...options }),
    );
    return told;
  }

  it('come back byte for byte: null, empty, no UTF-8, headers of any kind, odd timestamps [D8]', async () => {
    const source = await shown(await tailOf(topic, hostile.length));
    assert.equal(source.count, `up to ${hostile.length} records`);
    assert.equal(await write(source), hostile.length);
    const tail = await tailOf(copy, hostile.length);
    for (const [index, record] of hostile.entries()) {
      assert.deepEqual(bytesOf(await recordAt(tail, index)), expected(record));
    }
  });

  it('are one record where one is meant, at the time of writing where that is chosen [D8]', async () => {
    const tail = await tailOf(topic, hostile.length);
    const source = recordSource(session.profile, await recordAt(tail, hostile.length - 1));
    const before = Date.now();
    assert.equal(await write(source, { keepsPartition: false, keepsTimestamp: false }), 1);
    const copied = await tailOf(copy, 1);
    const [row] = (await copied.rows(0, 1)).rows;
    assert.ok(row);
    const record = await copied.details(row.partition, BigInt(row.offset));
    assert.ok(record && BigInt(record.timestamp) >= BigInt(before));
    const { partition, timestamp } = record;
    assert.deepEqual(bytesOf(record), {
      ...expected(hostile.at(-1) ?? plain),
      partition,
      timestamp,
    });
  });

  it('are those that the filter shows, and none where it shows others meanwhile [D8]', async () => {
    const own = await newTopic('filtered');
    const numbered = Array.from({ length: 2500 }, (_, index) => ({
      ...plain,
      key: Buffer.from(String(index % 2)),
      value: Buffer.from(String(index)),
    }));
    await session.use((client) => produceMany(client, own, numbered));
    const tail = await tailOf(own, numbered.length);
    await tail.setFilter('js: key === "1"', 'matched', 2);
    await eventually(() => tail.progress.filter?.matched === 1250);
    const source = await shown(tail);
    assert.equal(source.rows, 1250);
    assert.equal(await write(source), 1250);
    const copied = await tailOf(copy, 1250);
    const [last] = (await copied.rows(1249, 1)).rows;
    assert.deepEqual(last?.value, { kind: 'text', text: '2499', size: 4, truncated: false });

    const stale = await shown(tail);
    await tail.setFilter('js: key === "0"', 'matched', 3);
    await assert.rejects(write(stale), /the filter was changed meanwhile/);
  });

  it('go through a file of either kind, and 20 MB of a value come back whole [D8] [E2]', async () => {
    const large = Buffer.alloc(20_000_000, 0xf0);
    large.write('{"begins":"as JSON",', 0);
    const big = 24 * 1024 * 1024;
    const roomy = async (prefix: string): Promise<string> => {
      const name = uniqueName(prefix);
      const configs = { ...anyTimestamp, 'max.message.bytes': String(big) };
      await session.createTopic({ name, partitionCount: 2, replicationFactor: -1, configs });
      return name;
    };
    const from = await roomy('large');
    const records = [...hostile, { ...plain, key: Buffer.from('large'), value: large }];
    await session.use((client) => produceMany(client, from, records));
    const tail = await tailOf(from, records.length);
    const folder = await mkdtemp(path.join(tmpdir(), 'kw-replay-'));
    try {
      for (const format of ['jsonl', 'csv'] as const) {
        const file = path.join(folder, `records.${format}`);
        await writeFile(file, recordFileHead(format));
        for await (const { text } of tail.exportRows(format, true)) await appendFile(file, text);
        const to = await roomy(format);
        const source = recordsOf(readRecordFile(file));
        await write({ ...(await shown(tail)), records: source }, { topic: to });
        const copied = await tailOf(to, records.length);
        for (const [partition, offset, record] of placed(records)) {
          const again = await copied.details(partition, offset);
          assert.ok(again);
          assert.deepEqual(bytesOf(again), expected(record));
        }
        copied.dispose();
      }
    } finally {
      await rm(folder, { recursive: true });
      tail.dispose();
    }
  });

  it('get the time of writing where the topic sets it, and nothing else changes [D8]', async () => {
    const name = uniqueName('appendtime');
    const configs = { 'message.timestamp.type': 'LogAppendTime' };
    await session.createTopic({ name, partitionCount: 2, replicationFactor: -1, configs });
    const before = Date.now();
    await write(await shown(await tailOf(topic, hostile.length)), { topic: name });
    const copied = await tailOf(name, hostile.length);
    for (const [index, record] of hostile.entries()) {
      const { timestampType, ...again } = await recordAt(copied, index);
      assert.equal(timestampType, 'LogAppendTime');
      assert.ok(Number(again.timestamp) >= before - 1000);
      const { timestamp } = again;
      assert.deepEqual(bytesOf({ timestampType, ...again }), { ...expected(record), timestamp });
    }
  });

  it('are refused where nothing is shown [D8]', async () => {
    await assert.rejects(shown(await tailOf(copy, 0)), /No record is shown/);
  });

  it('come back as drafts too, with header keys that cannot be typed [E1] [E5]', async () => {
    const tail = await tailOf(topic, hostile.length);
    for (const index of hostile.keys()) {
      const draft = recordDraft(await recordAt(tail, index), { valueForm: 'json' });
      await session.use((client) => produce(client, recordOf({ ...draft, topic: copy })));
    }
    const copied = await tailOf(copy, hostile.length);
    for (const [index, record] of hostile.entries()) {
      const { key, value, headers } = expected(record);
      const again = bytesOf(await recordAt(copied, index));
      assert.deepEqual([again.key, again.value, again.headers], [key, value, headers]);
    }
  });
});
