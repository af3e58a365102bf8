// Rows of the tail panel about what leaves it: D8 and D9.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'mocha';
import { becomes, newTopic, type Scene } from './bothClusters.ts';
import { exportTo, recordsIn, replayTo } from './exchange.ts';
import { runCommand } from './questions.ts';
import { recordsOf, write } from './records.ts';
import { TailPage } from './tailPage.ts';

export function sharingRows(scene: () => Scene): void {
  it('exports what is shown, and writes what is held to the other cluster byte for byte [D8]', async () => {
    const { cluster, other, editor, window } = scene();
    const topic = await newTopic(cluster, 'rows.export', 2);
    const copy = await newTopic(other, `rows.export.of.${cluster.name}`, 2);
    const timestamp = 1_790_000_000_123n;
    const headers = [
      { key: 'twice', value: null },
      { key: 'twice', value: Buffer.from([0xff]) },
    ];
    await write(cluster, topic, [
      { key: 'k,"1"', value: Buffer.from([0xff, 0x00]), timestamp },
      { key: null, value: '', headers, timestamp, partition: 1 },
      { key: 'gone', value: null, timestamp, partition: 1 },
    ]);
    const page = await TailPage.open(scene(), topic);
    await page.holds('3 records');
    const all = await recordsIn(cluster, topic);
    await page.filter('js: key !== null');
    await page.filterSays('2 matched · 1 rejected · 0 failed');
    const csv = path.join(editor.workspace, `${cluster.name}.csv`);
    const some = await exportTo(page, csv, 'What is shown');
    assert.deepEqual(
      some,
      all.filter(({ key }) => key !== null),
    );
    assert.match(
      await readFile(csv, 'utf8'),
      /^topic,partition,offset,timestamp,key,value,headers\n/,
    );

    await page.button('Clear filter').click();
    await page.holds('3 records');
    await page.button('Replay...').click();
    await replayTo(scene(), copy);
    const question = `Write up to 3 records to ${copy} on ${other.name}?`;
    await window.page.locator('.monaco-dialog-box').getByText(question).waitFor();
    await window.screenshot(`replay-${cluster.name}`);
    await window.chooseInDialog('Write');
    await window.toast(`3 records written to ${copy} on ${other.name}`);
    assert.deepEqual(await recordsOf(other, copy, 2), await recordsOf(cluster, topic, 2));

    await page.openRecord(0);
    await page.button('Replay to...').click();
    await replayTo(scene(), copy);
    await window.chooseInDialog('Write');
    await window.toast(`1 record written to ${copy} on ${other.name}`);
    assert.equal((await recordsOf(other, copy, 2)).length, 4);
  });

  it('compares two records in the editor’s own diff [D9]', async () => {
    const { cluster, window } = scene();
    const topic = await newTopic(cluster, 'rows.compare');
    await write(cluster, topic, [
      { key: 'O-1', value: '{"id":1,"state":"new"}' },
      { key: 'O-1', value: '{"id":1,"state":"paid"}', headers: [{ key: 'by', value: null }] },
    ]);
    const page = await TailPage.open(scene(), topic);
    await page.openRecord(0);
    await page.button('Compare...').click();
    await page.button('Chosen to compare').waitFor();
    await page.openRecord(1);
    await page.button('Compare with 0 at 0').click();
    await window.page.getByRole('tab', { name: `${topic}-0@0 compared with` }).waitFor();
    const text = async (side: string): Promise<string> =>
      (
        await window.page.locator(`.monaco-diff-editor .${side} .view-lines`).innerText()
      ).replaceAll('\u00a0', ' ');
    await becomes(async () => (await text('original')).includes('"state": "new"'), true);
    await becomes(async () => (await text('modified')).includes('"state": "paid"'), true);
    assert.match(await text('modified'), /headers: 1[^]*by: ⌀ null/);
    await window.screenshot(`compare-${cluster.name}`);
    await runCommand(window, 'View: Close Editor');
  });

  it('keeps columns, filter and place over a reload, and a link opens the same view [D9]', async function () {
    this.timeout(300_000);
    const { cluster, window } = scene();
    const topic = await newTopic(cluster, 'rows.kept');
    const headers = (i: number) => [{ key: 'trace', value: Buffer.from(`t-${i}`) }];
    await write(
      cluster,
      topic,
      Array.from({ length: 200 }, (_, i) => ({
        key: `K-${i}`,
        value: `v ${i % 2}`,
        headers: headers(i),
      })),
    );
    const page = await TailPage.open(scene(), topic, 'earliest');
    await page.holds('200 records');
    await page.filter('v 1');
    await page.filterSays('100 matched · 100 rejected · 0 failed');
    await page.button('Columns').click();
    await page.frame.getByRole('checkbox', { name: 'Partition' }).click();
    await page.frame.getByRole('textbox', { name: 'Header or JSON path' }).fill('trace');
    await window.page.keyboard.press('Enter');
    await page.frame.getByRole('columnheader', { name: 'trace' }).waitFor();
    await window.screenshot(`tail-columns-${cluster.name}`);
    await window.page.keyboard.press('Escape');
    await page.openRecord(40);
    await window.page.keyboard.press('Escape');
    await page.record.waitFor({ state: 'hidden' });
    await window.reload();
    await window.page.getByRole('tab', { name: `${topic} @ ${cluster.name}`, exact: true }).click();
    const again = await TailPage.shown(scene(), topic);
    await again.filterSays('100 matched · 100 rejected · 0 failed');
    const titles = ['Time', 'Offset', 'Key', 'Value', 'Headers', 'trace'];
    await becomes(() => again.frame.getByRole('columnheader').allTextContents(), titles);
    await again.grid.getByRole('row', { name: /K-81\b.*t-81/ }).waitFor();
    await again.button(/^Jump to newest/).waitFor();

    await again.grid.getByRole('row', { name: /K-81\b/ }).click();
    await again.record.getByText(`${topic} / 0 at 81`).waitFor();
    await again.button(/^Copy a link/).click();
    await again.frame.getByText('Copied').waitFor({ state: 'attached' });
    const link = await window.page.evaluate<string>('navigator.clipboard.readText()');
    await runCommand(window, 'View: Close Editor');
    await runCommand(window, 'Developer: Open URL');
    await window.answer(link);
    await window.chooseInDialog('Open');
    await window.page
      .locator('.monaco-dialog-box')
      .getByText(`Open the tail of ${topic} on ${cluster.name}?`)
      .waitFor();
    await window.screenshot(`link-${cluster.name}`);
    await window.chooseInDialog('Open');
    const linked = await TailPage.shown(scene(), topic);
    await linked.filterSays('100 matched · 100 rejected · 0 failed');
    await linked.record.getByText(`${topic} / 0 at 81`).waitFor();
  });
}
