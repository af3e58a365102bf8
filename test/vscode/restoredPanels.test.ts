import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { FrameLocator } from 'playwright-core';
import { type Editor, startEditor } from '../support/vscode/editor.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { ClustersView } from './clustersView.ts';
import { endEmbedded } from './controlObserver.ts';

const vsix = path.join(import.meta.dirname, '../../kafka-workbench.vsix');

/** Each panel of the embedded cluster: where it is opened, its tab, and what is in it once it is loaded. */
const panels = [
  { of: 'topic', entry: 'Tail records', tab: /^flights @ Embedded/, page: '[role=grid]' },
  { of: 'topic', entry: 'Produce a record...', tab: /^Produce to flights/, page: 'form.draft' },
  { of: 'group', entry: 'Reset offsets...', tab: /^Reset route-stats/, page: '.offset-table' },
  { of: 'group', entry: 'Show lag', tab: /^Lag of route-stats/, page: '[role=grid].list' },
] as const;

describe('panels and the cluster that they need', function () {
  this.timeout(180_000);
  let editor: Editor;
  let window: EditorWindow;

  before(async () => {
    editor = await startEditor({ vsix, settings: { 'kafkaWorkbench.embedded.port': 0 } });
    window = await editor.open();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('restored-failed');
  });

  after(async () => {
    await endEmbedded(editor).catch(() => undefined);
    await window.close();
    await editor.stop();
  });

  const show = (tab: RegExp): Promise<void> =>
    window.page.getByRole('tab', { name: tab }).first().click();

  /** The first record, partition or field of a panel: it has loaded. */
  async function loaded(page: string): Promise<FrameLocator> {
    const frame = await window.webview(page);
    const isForm = page === 'form.draft';
    const part = isForm
      ? frame.getByRole('combobox', { name: 'Topic' })
      : frame.getByRole('row', { name: /flights|SFO|\d,\d{3}/ }).first();
    await part.waitFor();
    return frame;
  }

  it('are restored before it runs, say so, with the button that starts it, and load when it runs [K2]', async () => {
    const view = new ClustersView(window);
    await view.show();
    await window.runCommand('Kafka Workbench: Load sample data');
    await window.toast('Topic flights holds 20,000 records');
    await view.open(/^Embedded/, /^Topics/, /^Topic flights/);
    await view.open(/^Embedded/, /^Consumer groups/, /^Group route-stats/);
    for (const { of, entry, page } of panels) {
      const name = of === 'topic' ? /^Topic flights, 3/ : /^Group route-stats, Empty/;
      await view.choose(view.below(undefined, name), entry);
      await loaded(page);
    }
    const kept = ['"panel":"tail"', '"panel":"produce"', '"panel":"offsets"', '"panel":"lag"'];
    const isKept = async (): Promise<boolean> => {
      const state = (await window.browserState()).replaceAll('\\', '');
      return kept.every((part) => state.includes(part));
    };
    while (!(await isKept())) await window.page.waitForTimeout(200);
    await window.runCommand('Kafka Workbench: Stop the embedded cluster');
    await window.treeItem(/^Embedded cluster, stopped/).waitFor();
    await window.reload();
    const status = window.page.locator('.statusbar');
    await status.getByRole('button', { name: 'Embedded Kafka cluster: stopped' }).waitFor();

    for (const { tab } of panels) {
      await show(tab);
      const waiting = await window.webview('main.standby');
      await waiting.getByText('The embedded cluster is not running.').waitFor();
    }
    await window.screenshot('restored-waiting');
    const waiting = await window.webview('main.standby');
    await waiting.getByRole('button', { name: 'Start the embedded cluster' }).click();
    for (const { tab, page } of panels.toReversed()) {
      await show(tab);
      await loaded(page);
    }
    // The tree too is as it was left.
    await view.below(undefined, /^Partition 0, offsets/).waitFor();
    await view.below(view.below(undefined, /^Group route-stats/), /^Topic flights, lag/).waitFor();
  });

  it('go on sending many while hidden, and hand it to a notification when closed [E2]', async () => {
    const produce = /^Produce to flights/;
    await show(produce);
    let form = await loaded('form.draft');
    const value = form.getByRole('textbox', { name: 'Value', exact: true });
    // As text it could be sent as it is too, so that it does not unfold by itself.
    await value.fill('flight {{n}}');
    await form.locator('summary', { hasText: 'Send many' }).click();
    await form.getByRole('textbox', { name: 'How many records' }).fill('100,000');
    await form.getByRole('textbox', { name: /^Records per second/ }).fill('50');
    await form.getByRole('button', { name: 'Send many' }).click();
    const progress = /^[\d,]+ of 100,000 sent/;
    await form.locator('.many-status').getByText(progress).waitFor();
    await show(/^flights @ Embedded/);
    await loaded('[role=grid]');
    await show(produce);
    form = await loaded('form.draft');
    await form.locator('.many-status').getByText(progress).waitFor();
    await window.runCommand('View: Close Editor');
    const toast = window.page.locator('.notifications-toasts .notification-list-item', {
      hasText: 'Sending records to flights',
    });
    await toast.getByText(/[\d,]+ of 100,000/).waitFor();
    await toast.getByRole('button', { name: 'Cancel' }).click();
    await window.toast(/^[\d,]+ records? sent to flights, then cancelled\.$/);
    await window.treeItem(/^Send records to flights, cancelled, [\d,]+ of 100,000/).waitFor();
  });
});
