import assert from 'node:assert/strict';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { FrameLocator, Locator } from 'playwright-core';
import { type Editor, startEditor } from '../support/vscode/editor.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { ClustersView } from './clustersView.ts';
import { endEmbedded } from './controlObserver.ts';

const vsix = path.join(import.meta.dirname, '../../kafka-workbench.vsix');

describe('the tail panel in the editor', function () {
  this.timeout(240_000);
  let editor: Editor;
  let window: EditorWindow;
  let tail: FrameLocator;
  const selectedRow = (): Locator => tail.locator('[role=row][aria-selected=true]');

  before(async () => {
    const settings = {
      'kafkaWorkbench.embedded.port': 0,
      // Else it ends when a window takes more than 30 s to reload.
      'kafkaWorkbench.embedded.keepRunning': true,
    };
    editor = await startEditor({ vsix, settings });
    window = await editor.open();
    const view = new ClustersView(window);
    await view.show();
    await window.runCommand('Kafka Workbench: Load sample data');
    await window.toast('Topic flights holds 20,000 records');
    const topic = await view.open(/^Embedded/, /^Topics/, /^Topic flights/);
    await topic.click();
    await window.page.keyboard.press('Enter');
    tail = await window.webview('[role=grid]');
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('tail-failed');
  });

  after(async () => {
    await window.close();
    await endEmbedded(editor);
    await editor.stop();
  });

  it('holds all the sample data and finds in it by text and by JavaScript [D3] [D4]', async () => {
    // What it begins with is in its inputs by then.
    await tail.getByText(/^300 records ·/).waitFor();
    const from = tail.getByRole('combobox', { name: 'Show records from' });
    await from.fill('earliest');
    await from.press('Enter');
    await tail.getByText(/^20,000 records ·/).waitFor();
    const filter = tail.getByRole('combobox', { name: 'Filter records' });
    await filter.fill('js: value.distance > 2000 && value.origin === "SFO"');
    await filter.press('Enter');
    const counts = tail.getByText(/^[\d,]+ matched · [\d,]+ rejected · 0 failed$/);
    await counts.waitFor();
    const [matched = 0, rejected = 0] = ((await counts.textContent()) ?? '')
      .replaceAll(',', '')
      .split(' · ')
      .map((part) => parseInt(part, 10));
    assert.ok(matched > 0);
    assert.equal(matched + rejected, 20_000);
    await tail.getByText(`${matched} record`, { exact: false }).first().waitFor();
    await tail.getByRole('row').nth(1).click();
    await tail.getByRole('region', { name: 'Value' }).getByText('"SFO"').first().waitFor();
    await window.screenshot('tail-filtered');
  });

  it('is shown as it is when its topic is tailed again [D2] [D4]', async () => {
    const view = new ClustersView(window);
    await view.show();
    const topic = await view.open(/^Embedded/, /^Topics/, /^Topic flights/);
    await topic.click();
    await window.page.keyboard.press('Enter');
    const filter = tail.getByRole('combobox', { name: 'Filter records' });
    assert.match(await filter.inputValue(), /distance > 2000/);
    // It would be set in what a start over begins.
    await filter.fill('js: value.distance > 2500 && value.origin === "SFO"');
    await filter.press('Enter');
    await tail.getByText('58 matched · 19,942 rejected · 0 failed').waitFor();
    const from = tail.getByRole('combobox', { name: 'Show records from' });
    assert.equal(await from.inputValue(), 'earliest');
  });

  it('sorts what the filter shows, and goes back to the order of arrival [D3]', async () => {
    const time = tail.getByRole('columnheader', { name: 'Time' });
    for (const order of ['ascending', 'descending']) {
      await time.getByRole('button').click();
      await tail.getByRole('note').getByText(`Sorted by Time, ${order}.`).waitFor();
      assert.equal(await time.getAttribute('aria-sort'), order);
    }
    await tail.getByRole('gridcell').first().waitFor();
    await window.screenshot('tail-sorted');
    await tail.getByRole('grid').focus();
    await window.page.keyboard.press('Escape');
    await tail.getByText('Sorted by Time').waitFor({ state: 'hidden' });
  });

  it('replays what the filter shows, and says first what is written where [D8]', async () => {
    const counts = tail.getByText(/^[\d,]+ matched/);
    const matched = /^[\d,]+/.exec((await counts.textContent()) ?? '')?.[0] ?? '';
    await tail.getByRole('button', { name: 'Replay...', exact: true }).click();
    await window.pick('flights');
    await window.pick('The same partition');
    await window.pick('Keep the timestamps');
    const question = `Write up to ${matched} records to flights on Embedded`;
    await window.page.locator('.monaco-dialog-box').getByText(question).waitFor();
    await window.screenshot('tail-replay');
    await window.chooseInDialog('Write');
    await window.toast(`${matched} records written to flights on Embedded`);
    const twice = (2 * Number(matched.replaceAll(',', ''))).toLocaleString('en');
    await tail.getByText(`${twice} matched`).waitFor();
  });

  it('opens the produce panel with a record, as it is shown [E5]', async () => {
    await tail.getByRole('row').nth(1).click();
    await tail.getByRole('button', { name: 'Produce again' }).click();
    const produce = await window.webview('main.produce');
    const value = produce.getByRole('textbox', { name: 'Value', exact: true });
    assert.match(await value.inputValue(), /"SFO"/);
    const kind = produce.getByRole('radiogroup', { name: 'Kind of value' });
    assert.ok(await kind.getByRole('radio', { name: 'JSON' }).isChecked());
    await window.screenshot('produce-again');
    await window.runCommand('View: Close Editor');
    tail = await window.webview('[role=grid]');
    // As it was left.
    await selectedRow().waitFor();
  });

  it('sends a record that is dragged onto a topic there, as it is [C8]', async () => {
    // The list stands where it was left once this is done, and rows move down as the histogram comes.
    await tail.getByRole('group', { name: 'Records over time' }).waitFor();
    await selectedRow().click();
    const value = tail.getByRole('region', { name: 'Value' }).locator('pre');
    await value.getByText('"SFO"').first().waitFor();
    const dragged = JSON.parse((await value.textContent()) ?? '') as unknown;
    await drag(window, selectedRow(), window.treeItem(/^Topic flights/));
    const produce = await window.webview('main.produce');
    const field = produce.getByRole('textbox', { name: 'Value', exact: true });
    assert.deepEqual(JSON.parse(await field.inputValue()), dragged);
    await window.screenshot('tail-dragged');
    await window.runCommand('View: Close Editor');
    tail = await window.webview('[role=grid]');
    await selectedRow().waitFor();
  });

  it('remembers how values of a topic are read, and says why one cannot be [D5] [D9]', async () => {
    await tail.getByRole('combobox', { name: 'Read values as' }).selectOption('int64');
    const value = tail.getByRole('region', { name: 'Value' });
    await value.getByText(/^not int64: that takes 8 bytes, and there are/).waitFor();
    await window.screenshot('tail-decoder');
    await window.reload();
    // It may still remember the produce panel, which was closed a moment ago, before it.
    await window.page.getByRole('tab', { name: 'flights @ Embedded', exact: true }).click();
    tail = await window.webview('[role=grid]');
    // The filter, too, outlives the reload.
    await tail.getByRole('button', { name: 'Clear filter' }).waitFor();
    await tail.getByText(/^[\d,]+ matched · [\d,]+ rejected/).waitFor();
    // So does the record that was open.
    await tail.getByTitle(/^Read values as: int64/).waitFor();
    await tail.getByRole('combobox', { name: 'Read values as' }).selectOption('auto');
    await tail.getByRole('region', { name: 'Value' }).getByText('"SFO"').first().waitFor();
  });
});

/** By the mouse, from near the left end of one to that of the other. */
async function drag({ page }: EditorWindow, what: Locator, where: Locator): Promise<void> {
  const start = async (of: Locator): Promise<[x: number, y: number]> => {
    const box = (await of.boundingBox()) ?? assert.fail('it is not in view');
    return [box.x + 60, box.y + box.height / 2];
  };
  const to = await start(where);
  await page.mouse.move(...(await start(what)));
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 8 });
  await page.mouse.up();
}
