// What text, JSON or a file would lose, on its way through the produce panel, the tail, a file and a replay.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'mocha';
import type { FileRecord } from '../../../src/codec/fileRecord.ts';
import { exportLine } from '../../../src/codec/recordFile.ts';
import { run } from '../../support/process.ts';
import { becomes, type Cluster, newTopic, type Scene } from './bothClusters.ts';
import { exportTo, recordsIn, replayTo } from './exchange.ts';
import { ProducePage } from './producePage.ts';
import { answerFileDialog } from './questions.ts';
import { TailPage } from './tailPage.ts';

/** Nothing is too late for it, and nothing too old. */
const anyTime = {
  'message.timestamp.after.max.ms': String(2n ** 63n - 1n),
  'retention.ms': '-1',
};

const deepJson = `${'[{"a":'.repeat(500)}-9223372036854775808${'}]'.repeat(500)}`;
const plain: FileRecord = {
  ...{ partition: 0, key: null, value: null, headers: [], timestamp: 1_700_000_000_000n },
};
const of = (text: string): Buffer => Buffer.from(text);

const hostile: readonly FileRecord[] = [
  plain,
  { ...plain, key: of(''), value: of('') },
  { ...plain, key: Buffer.from([0xff, 0xfe]), value: Buffer.from([0xc3, 0x28, 0]) },
  { ...plain, key: of('\uFEFFmarked'), value: of('a\r\nb\rc\u2028d\0') },
  { ...plain, value: of('{"id":9223372036854775807,"id":1}'), timestamp: -5n },
  { ...plain, value: of('no timestamp'), timestamp: -1n },
  { ...plain, value: of('the last moment'), timestamp: 2n ** 63n - 1n },
  { ...plain, key: of('\u{1F600}\0"\\'), value: of(deepJson) },
  {
    ...plain,
    partition: 1,
    headers: [
      { key: of('twice'), value: of('1') },
      { key: of('twice'), value: null },
      { key: of('twice'), value: of('') },
      { key: of(''), value: Buffer.from([0x80]) },
      { key: Buffer.from([0xff, 0]), value: of('behind a binary key') },
      { key: of('line\nends'), value: of('\r\n') },
    ],
  },
];

export function hostileRows(scene: () => Scene): void {
  it('hostile records are the same once produced, tailed, exported and replayed to the other cluster [E2] [D5] [D8]', async () => {
    const { cluster, other, editor, window } = scene();
    const topic = await newTopic(cluster, 'rows.hostile', 2, anyTime);
    const copy = await newTopic(other, `rows.hostile.of.${cluster.name}`, 2, anyTime);
    const file = path.join(editor.workspace, `hostile-${cluster.name}.jsonl`);
    const lines = hostile.map(({ partition, timestamp = 0n, ...record }) =>
      exportLine('jsonl', {
        ...{ topic, partition: partition ?? 0 },
        record: { ...record, timestamp, offset: 0n, ...buffers(record) },
      }),
    );
    await writeFile(file, lines.join(''));
    const produce = await ProducePage.open(scene(), topic);
    await produce.openMany();
    await produce.button('From a file...').click();
    await answerFileDialog(window, file, true);
    await produce.manySays(/^9 records sent$/);
    assert.deepEqual(await recordsIn(cluster, topic), hostile);

    const tail = await TailPage.open(scene(), topic);
    await tail.holds('9 records');
    await window.screenshot(`hostile-${cluster.name}`);
    for (const ending of ['jsonl', 'csv']) {
      const exported = await exportTo(
        tail,
        path.join(editor.workspace, `of-${cluster.name}.${ending}`),
      );
      assert.deepEqual(exported.sort(byPartition), hostile, ending);
    }
    await tail.button('Replay...').click();
    await replayTo(scene(), copy);
    await window.chooseInDialog('Write');
    await window.toast(`9 records written to ${copy} on ${other.name}`);
    assert.deepEqual(await recordsIn(other, copy), hostile);
    assert.equal(await kcatDump(other, copy), await kcatDump(cluster, topic));
  });

  it('the time of a topic that stamps its records itself goes along to one that does not [D5] [D8]', async () => {
    const { cluster, other, editor, window } = scene();
    const stamped = { 'message.timestamp.type': 'LogAppendTime' };
    const topic = await newTopic(cluster, 'rows.stamped', 2, stamped);
    const copy = await newTopic(other, `rows.stamped.of.${cluster.name}`, 2);
    const produce = await ProducePage.open(scene(), topic);
    await produce.type({ partition: '0', value: ['Text', 'late'], timestamp: '1700000000000' });
    await produce.send(`${topic} / 0 at 0`);
    const [kept] = await recordsIn(cluster, topic);
    assert.ok(kept?.timestamp !== undefined && kept.timestamp > 1_790_000_000_000n);
    const tail = await TailPage.open(scene(), topic);
    await tail.holds('1 record');
    await tail.openRecord(0);
    await tail.record.getByText(`${topic} / 0 at 0`).waitFor();
    assert.equal((await tail.facts('Record'))['Timestamp type'], 'LogAppendTime');
    const file = path.join(editor.workspace, `stamped-${cluster.name}.csv`);
    assert.deepEqual(await exportTo(tail, file), [kept]);
    await tail.button('Replay to...').click();
    await replayTo(scene(), copy);
    await window.chooseInDialog('Write');
    await becomes(() => recordsIn(other, copy), [kept]);
  });
}

function buffers({ key, value, headers }: Pick<FileRecord, 'key' | 'value' | 'headers'>) {
  const buffer = (part: Uint8Array | null): Buffer | null => part && Buffer.from(part);
  return {
    key: buffer(key),
    value: buffer(value),
    headers: headers.map((header) => ({
      key: Buffer.from(header.key),
      value: buffer(header.value),
    })),
  };
}

/** Of a partition they are in order, of several as they came. */
const byPartition = (a: FileRecord, b: FileRecord): number =>
  (a.partition ?? 0) - (b.partition ?? 0);

/** Everything that kcat says of a topic's records: lengths, -1 for null, bytes, headers, times. */
async function kcatDump({ bootstrap }: Cluster, topic: string): Promise<string> {
  const format = '%p %o %T %K %S %h %k %s\n';
  const dumps: string[] = [];
  for (const partition of ['0', '1']) {
    const args = [
      '-C',
      '-b',
      bootstrap,
      '-t',
      topic,
      '-p',
      partition,
      '-o',
      'beginning',
      '-e',
      '-q',
    ];
    const { code, stdout, stderr } = await run('kcat', [...args, '-f', format]);
    assert.equal(code, 0, stderr);
    dumps.push(stdout);
  }
  return dumps.join('');
}
