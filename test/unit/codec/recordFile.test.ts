import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { type Random, seededRandom } from '../../../src/base/random.ts';
import type { ExportedRecord, FileLine } from '../../../src/codec/fileRecord.ts';
import { exportLine, readRecordFile, recordFileHead } from '../../../src/codec/recordFile.ts';
import { parseRecordLine } from '../../../src/codec/recordJson.ts';

describe('a record as a line of JSON [E2]', () => {
  const recordOf = (line: unknown) => {
    const parsed = parseRecordLine(JSON.stringify(line));
    assert.ok('record' in parsed);
    return parsed.record;
  };

  it('keeps null, empty, text, JSON and bytes apart', () => {
    assert.equal(recordOf({ key: 'k' }).value, null);
    assert.equal(recordOf({ value: null }).value, null);
    assert.deepEqual(recordOf({ value: '' }).value, Buffer.alloc(0));
    assert.deepEqual(recordOf({ value: 'ä' }).value, Buffer.from('ä'));
    assert.deepEqual(recordOf({ value: { id: 1 } }).value, Buffer.from('{"id":1}'));
    assert.deepEqual(recordOf({ value: 1.5 }).value, Buffer.from('1.5'));
    assert.deepEqual(recordOf({ valueBase64: '/wA=' }).value, Buffer.from([0xff, 0]));
  });

  it('keeps headers in order, with duplicates, null and bytes; an object will do', () => {
    const headers = [
      { key: 'a', value: '1' },
      { key: 'a', value: null },
      { key: 'b', valueBase64: '/w==' },
    ];
    assert.deepEqual(recordOf({ key: null, headers }).headers, [
      { key: Buffer.from('a'), value: Buffer.from('1') },
      { key: Buffer.from('a'), value: null },
      { key: Buffer.from('b'), value: Buffer.from([0xff]) },
    ]);
    assert.deepEqual(recordOf({ key: null, headers: [{ keyBase64: '/w==' }] }).headers, [
      { key: Buffer.from([0xff]), value: null },
    ]);
    assert.deepEqual(recordOf({ key: null, headers: { a: '1' } }).headers, [
      { key: Buffer.from('a'), value: Buffer.from('1') },
    ]);
  });

  it('takes a value of many megabytes', () => {
    const large = Buffer.alloc(5_000_000, 0xff);
    assert.deepEqual(recordOf({ valueBase64: large.toString('base64') }).value, large);
  });

  it('takes a partition, and a timestamp beyond what a JSON number holds', () => {
    const record = recordOf({ key: null, partition: 2, timestamp: '9223372036854775807' });
    assert.equal(record.partition, 2);
    assert.equal(record.timestamp, 9223372036854775807n);
    assert.equal(recordOf({ key: null, timestamp: 5 }).timestamp, 5n);
  });

  for (const wrong of [
    '{',
    '[]',
    '1',
    '{"id":1}',
    '{"key":"k","partition":-1}',
    '{"key":"k","timestamp":"noon"}',
    '{"key":"k","timestamp":"9223372036854775808"}',
    '{"key":"k","headers":[{"value":"no key"}]}',
    '{"key":"\\ud800"}',
    '{"valueBase64":"*"}',
  ]) {
    it(`says what is wrong with ${wrong}`, () => {
      const parsed = parseRecordLine(wrong);
      assert.ok('problem' in parsed && parsed.problem !== '');
    });
  }
});

describe('a file of records [E2]', () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(path.join(tmpdir(), 'kw-lines-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  async function read(name: string, text: string): Promise<FileLine[]> {
    const file = path.join(folder, name);
    await writeFile(file, text);
    const lines: FileLine[] = [];
    for await (const line of readRecordFile(file)) lines.push(line);
    return lines;
  }

  it('of JSON lines: empty lines do not count, a wrong one is named and the rest goes on', async () => {
    const lines = await read('a.jsonl', '{"value":"1"}\r\n\n{oops\n{"value":"2"}');
    assert.deepEqual(
      lines.map((line) =>
        'record' in line ? [line.line, String(line.record.value)] : [line.line],
      ),
      [[1, '1'], [3], [4, '2']],
    );
  });

  it('of CSV: quoted fields, headers by column, empty is null and quoted empty is empty text', async () => {
    const lines = await read(
      'a.CSV',
      '\ufeffkey,value,partition,timestamp,header.trace\nk,"a ""b"",\nc",1,5,t\n,"",,,""\n,,,,\n',
    );
    const records = lines.map((line) => ('record' in line ? line.record : line.problem));
    assert.deepEqual(records, [
      {
        key: Buffer.from('k'),
        value: Buffer.from('a "b",\nc'),
        headers: [{ key: Buffer.from('trace'), value: Buffer.from('t') }],
        partition: 1,
        timestamp: 5n,
      },
      {
        key: null,
        value: Buffer.alloc(0),
        headers: [{ key: Buffer.from('trace'), value: Buffer.alloc(0) }],
        partition: null,
      },
      {
        key: null,
        value: null,
        headers: [{ key: Buffer.from('trace'), value: null }],
        partition: null,
      },
    ]);
  });

  it('of CSV: without a key or value column, or with a partition that is none, a line is no record', async () => {
    const [line] = await read('b.csv', 'name\nx\n');
    assert.ok(line && 'problem' in line);
    const [other] = await read('c.csv', 'value,partition\nx,two\n');
    assert.ok(other && 'problem' in other);
    const [bytes] = await read('d.csv', 'value\nbase64:*\n');
    assert.ok(bytes && 'problem' in bytes);
  });

  for (const format of ['jsonl', 'csv'] as const) {
    it(`of ${format}: what was exported is read back byte for byte [D8] [E2]`, async () => {
      const seed = Date.now() >>> 0;
      const random = seededRandom(seed);
      const exported = Array.from({ length: 300 }, (_, n) => randomRecord(random, n));
      const text = exported.map((record) => exportLine(format, record));
      const lines = await read(`round.${format}`, recordFileHead(format) + text.join(''));
      assert.deepEqual(
        lines.map((line) => ('record' in line ? line.record : line.problem)),
        exported.map(({ partition, record: { key, value, headers, timestamp } }) => ({
          key,
          value,
          headers,
          partition,
          timestamp,
        })),
        `seed ${seed}`,
      );
    });
  }
});

/** What files, lines and marks could mistake for something else. */
const pitfalls = [
  '',
  'null',
  'NULL',
  '{"key":1}',
  'base64:',
  'base64:/w==',
  ' a "b", ',
  '\ufeffkey',
  'a\r\nb\n\rc',
  '\u2028\u2029\u0085\0',
  'ä\u{1f600}',
].map((text) => Buffer.from(text));

function randomRecord(random: Random, n: number): ExportedRecord {
  const bytes = (): Buffer =>
    random.below(3) === 0
      ? Buffer.from(random.bytes(random.below(40)))
      : (pitfalls[random.below(pitfalls.length)] ?? Buffer.alloc(0));
  const payload = (): Buffer | null => (random.below(5) === 0 ? null : bytes());
  const headers = Array.from({ length: random.below(4) }, () => ({
    key: bytes(),
    value: payload(),
  }));
  const timestamp = BigInt.asIntN(64, Buffer.from(random.bytes(8)).readBigInt64BE());
  const record = { offset: BigInt(n), timestamp, key: payload(), value: payload(), headers };
  return { topic: 'a-topic', partition: random.below(10), record };
}
