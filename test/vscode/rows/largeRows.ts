// Rows of the tail panel about records that are too large to be shown whole: D5.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'mocha';
import { prettyJson } from '../../../src/shared/jsonLayout.ts';
import { becomes, newTopic, type Scene } from './bothClusters.ts';
import { answerFileDialog, runCommand } from './questions.ts';
import { write } from './records.ts';
import { TailPage } from './tailPage.ts';

/** More than the megabyte that the panel shows; its end is in nothing that the panel has. */
const value = JSON.stringify([
  ...Array.from({ length: 60_000 }, (_, i) => `${i} of a large array`),
  'its end',
]);

export function largeRows(scene: () => Scene): void {
  it('takes a large value whole, to the clipboard, an editor and a file [D5]', async () => {
    const { cluster, editor, window } = scene();
    const configs = { 'max.message.bytes': '4000000' };
    const topic = await newTopic(cluster, 'rows.large', 1, configs);
    await write(cluster, topic, [{ key: 'large', value }]);
    const page = await TailPage.open(scene(), topic, 'earliest');
    await page.openRecord(0);
    await page.section('Value').getByText('"0 of a large array"').waitFor();

    await page.button('Copy value').click();
    await page.frame.getByText('Copied').waitFor({ state: 'attached' });
    const copied = await window.page.evaluate<string>('navigator.clipboard.readText()');
    assert.ok(copied === prettyJson(value), `${copied.length} characters`);

    const file = path.join(editor.workspace, `large-${cluster.name}.json`);
    await page.button('Save...').click();
    await answerFileDialog(window, file, false);
    await becomes(async () => (await readFile(file, 'utf8').catch(() => '')) === value, true);

    await page.button('Open in an editor').click();
    const text = window.page.locator('.editor-instance .view-lines');
    await text.getByText('"0 of a large array"').waitFor();
    await window.page.getByRole('button', { name: 'JSON', exact: true }).waitFor();
    await window.page.keyboard.press('Control+End');
    await text.getByText('"its end"').waitFor();
    await window.screenshot(`large-value-${cluster.name}`);
    await runCommand(window, 'View: Revert and Close Editor');
  });
}
