// Rows of the tail panel about what a record is made of: D5 to D7.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import avro from 'avsc';
import { it } from 'mocha';
import protobuf from 'protobufjs';
import { commitGroupOffsets } from '../../../src/client/admin/groupOffsets.ts';
import { becomes, newTopic, type Scene } from './bothClusters.ts';
import { answerFileDialog, chooseInList } from './questions.ts';
import { kcatRecords, write } from './records.ts';
import { TailPage } from './tailPage.ts';
import { describeTransaction, writeTransactions } from './transactions.ts';

const avroSchema: avro.Schema = {
  type: 'record',
  name: 'Order',
  fields: [
    { name: 'id', type: 'long' },
    { name: 'note', type: ['null', 'string'] },
  ],
};

const protoSchema = `syntax = "proto3";
package shop;
message Order { int64 id = 1; repeated string tags = 2; }
message Refund { int64 order_id = 1; }
`;

const bytes = (...octets: readonly number[]): Buffer => Buffer.from(octets);
const header = (key: string, value: string | null) => ({
  key,
  value: value === null ? null : Buffer.from(value),
});

export function decodingRows(scene: () => Scene): void {
  it('tells null, empty and missing apart, and shows headers in order, doubled and null [D5]', async () => {
    const { cluster, window } = scene();
    const topic = await newTopic(cluster, 'rows.nothing');
    await write(cluster, topic, [
      { key: null, value: null },
      { key: '', value: '', headers: [header('a', '')] },
      {
        key: 'k',
        value: '{"id":9223372036854775807,"to":{"city":"서울"}}',
        headers: [header('b', '1'), header('a', null), header('b', '2'), header('b', '')],
      },
    ]);
    const page = await TailPage.open(scene(), topic);
    await page.holds('3 records');
    await page.button('Columns').click();
    await page.frame.getByRole('textbox', { name: 'Header or JSON path' }).fill('a');
    await window.page.keyboard.press('Enter');
    await window.page.keyboard.press('Escape');
    const lines = ['⌀ null/⌀ null (tombstone)/0/', 'empty/empty/1/empty'];
    const value = '{"id":9223372036854775807,"to":{"city":"서울"}}';
    await page.shows([...lines, `k/${value}/4/⌀ null`], ...['key', 'value', 'headers', 'header']);
    await page.openRecord(0);
    await page
      .section('Value')
      .getByText(/^⌀ null: a tombstone/)
      .waitFor();
    await page.openRecord(1);
    await page.section('Key').getByText('empty (0 bytes)').waitFor();
    await page.openRecord(2);
    await page.record.getByText(`${topic} / 0 at 2`).waitFor();
    const inOrder = [
      ['b', '1'],
      ['a', '⌀ null'],
      ['b', '2'],
      ['b', 'empty'],
    ];
    assert.deepEqual(await page.pairs('Headers'), inOrder);
    assert.match(await page.form('Value', 'JSON'), /"id": 9223372036854775807,[^]*"city": "서울"/);
    await window.screenshot(`tail-headers-${cluster.name}`);
    const [none, empty, full] = await kcatRecords(cluster, topic);
    assert.deepEqual([none?.key, none?.payload, none?.headers], [null, null, undefined]);
    assert.deepEqual([empty?.key, empty?.payload, empty?.headers], ['', '', ['a', '']]);
    assert.deepEqual(full?.headers, ['b', '1', 'a', null, 'b', '2', 'b', '']);
  });

  it('reads bytes as text, hex, base64, int64, Avro and Protobuf, and says why it cannot [D5]', async () => {
    const { cluster, editor, window } = scene();
    const topic = await newTopic(cluster, 'rows.forms');
    const largest = Buffer.alloc(8);
    largest.writeBigInt64BE(2n ** 63n - 1n);
    const order = { id: 41, note: 'by air' };
    const { root } = protobuf.parse(protoSchema, { keepCase: true });
    const message = root.lookupType('shop.Order');
    await write(cluster, topic, [
      { key: bytes(0x80), value: bytes(0xff, 0xfe, 0x00) },
      { key: 'k', value: largest },
      { key: 'k', value: avro.Type.forSchema(avroSchema).toBuffer(order) },
      { key: 'k', value: message.encode({ id: 42, tags: ['new', '급송'] }).finish() },
    ]);
    const files = { avro: 'order.avsc', protobuf: 'order.proto' };
    await writeFile(path.join(editor.workspace, files.avro), JSON.stringify(avroSchema));
    await writeFile(path.join(editor.workspace, files.protobuf), protoSchema);
    const page = await TailPage.open(scene(), topic);
    await page.holds('4 records');
    await page.shows(['hex 80', 'k', 'k', 'k'], 'key');
    await page.openRecord(0);
    await page.section('Value').getByText('3 bytes, not UTF-8').waitFor();
    assert.match(await page.form('Value', 'Hex'), /ff fe 00/);
    assert.equal(await page.form('Value', 'Base64'), '//4A');

    const values = page.record.getByRole('combobox', { name: 'Read values as' });
    const first = async (row: number): Promise<string> => (await page.rows())[row]?.['value'] ?? '';
    await values.selectOption('int64');
    await page.grid.getByText('9223372036854775807').waitFor();
    const problem = page.section('Value').getByRole('note');
    await problem.getByText('not int64: that takes 8 bytes, and there are 3').waitFor();
    assert.match(await first(0), /^not int64: .* hex ff fe 00$/);

    await values.selectOption('avro');
    await answerFileDialog(window, path.join(editor.workspace, files.avro), true);
    await page.grid.getByText('{"id":41,"note":"by air"}').waitFor();
    await problem.getByText(/^not /).waitFor();
    assert.match(await first(0), /hex ff fe 00$/);
    await window.screenshot(`tail-avro-${cluster.name}`);

    await values.selectOption('protobuf');
    await answerFileDialog(window, path.join(editor.workspace, files.protobuf), true);
    await chooseInList(window, undefined, 'shop.Order');
    await page.grid.getByText('"급송"').waitFor();
    await page.openRecord(3);
    assert.match(await page.form('Value', 'Decoded'), /"id": "?42"?,[^]*"new",[^]*"급송"/);
    await page
      .section('Value')
      .getByTitle(/Protobuf: shop\.Order, .*order\.proto/)
      .waitFor();
  });

  it('shows what transactions did, who holds the LSO back, and a batch as it is in the log [D6]', async () => {
    const { cluster, window } = scene();
    const topic = await newTopic(cluster, 'rows.transactions');
    const { producer, end } = await writeTransactions(cluster, topic);
    const page = await TailPage.open(scene(), topic);
    await page.shows(['0/c1', '1/c2', '3/aborted · a1', '5/open · o1'], 'offset', 'value');
    const held = page.frame.locator('.stable-lines');
    await held
      .getByText(
        /^LSO of partition 0: 5, 1 offset behind it: held by transaction rows\.transactions/,
      )
      .waitFor();
    await page.openRecord(0);
    await page.record.getByText(`${topic} / 0 at 0`).waitFor();
    const batch = await page.facts('Batch');
    const described = await describeTransaction(cluster, topic);
    assert.equal(described['CoordinatorId'], '1');
    assert.equal(described['TransactionState'], 'Ongoing');
    assert.deepEqual(batch, {
      Offsets: '0 to 1',
      Records: '2',
      Size: batch['Size'],
      Compression: 'gzip',
      'Leader epoch': '0',
      Producer: `${described['ProducerId']}, epoch ${described['ProducerEpoch']}`,
      'Base sequence': '0',
      Transactional: 'yes',
    });
    await window.screenshot(`tail-transactions-${cluster.name}`);

    await page.button('read_uncommitted').click();
    await page.frame.getByRole('checkbox', { name: 'Show transaction markers' }).click();
    await page.holds('6 records');
    const notes = page.grid.getByText(/^transaction of producer \d+, epoch \d+, /);
    assert.deepEqual(
      (await notes.allInnerTexts()).map((text) => text.split(', ').at(-1)),
      ['committed', 'aborted'],
    );
    await window.screenshot(`tail-markers-${cluster.name}`);
    await page.frame.getByRole('checkbox', { name: 'Show transaction markers' }).click();
    await page.frame.getByRole('radio', { name: 'read_committed' }).check();
    await page.shows(['0/c1', '1/c2'], 'offset', 'value');
    await page.frame.getByText('1 offset behind an open transaction').waitFor();
    const consumed = await kcatRecords(cluster, topic, '-X', 'isolation.level=read_committed');
    assert.deepEqual(
      consumed.map(({ payload }) => payload),
      ['c1', 'c2'],
    );

    await page.frame.getByRole('radio', { name: 'read_uncommitted' }).check();
    await page.shows(['0/c1', '1/c2', '3/aborted · a1', '5/open · o1'], 'offset', 'value');
    await end();
    await page.shows(['0/c1', '1/c2', '3/aborted · a1', '5/o1'], 'offset', 'value');
    await held.waitFor({ state: 'hidden' });
    await producer.disconnect();
  });

  it('reads __consumer_offsets and __transaction_state as what they say [D7]', async () => {
    const { cluster, window } = scene();
    const topic = await newTopic(cluster, 'rows.committed', 2);
    const commit = { topic, partition: 1, leaderEpoch: -1, metadata: '왜' };
    const offset = 9_007_199_254_740_993n;
    await commitGroupOffsets(cluster.client, 'rows.committers', [{ ...commit, offset }]);
    const offsets = await TailPage.open(scene(), '__consumer_offsets');
    await offsets.state.getByText('Live').waitFor();
    await offsets.filter('js: key.type === "offsetCommit" && key.group === "rows.committers"');
    await offsets.filterSays(/^1 matched · [\d,]+ rejected · \d+ failed$/);
    await offsets.shows(
      ['{"type":"offsetCommit","group":"rows.committers","topic":"rows.committed","partition":1}'],
      'key',
    );
    await offsets.openRecord(0);
    const decoded = await offsets.form('Value', 'Decoded');
    assert.match(decoded, /"offset": "?9007199254740993"?,[^]*"metadata": "왜"/);
    await window.screenshot(`tail-offsets-topic-${cluster.name}`);

    const id = 'rows.state';
    const producer = cluster.kafka.producer({ transactionalId: id, idempotent: true });
    await producer.connect();
    const transaction = await producer.transaction();
    await transaction.send({ topic, messages: [{ partition: 0, value: 'x' }] });
    await transaction.commit();
    await producer.disconnect();
    const states = await TailPage.open(scene(), '__transaction_state');
    await states.state.getByText('Live').waitFor();
    await states.filter(`js: key.transactionalId === "${id}" && value.transactionStatus`);
    const told = async (): Promise<unknown[]> =>
      (await states.rows()).map(
        (row) => /"transactionStatus":"(\w+)"/.exec(row['value'] ?? '')?.[1],
      );
    await becomes(told, ['Empty', 'Ongoing', 'PrepareCommit', 'CompleteCommit']);
  });
}
