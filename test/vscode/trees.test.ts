import assert from 'node:assert/strict';
import { afterEach, before, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { sendOnce } from '../support/kafka/sendOnce.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { forBothClusters } from './bothClusters.ts';
import type { ClustersView } from './clustersView.ts';

const topics = ['audit', 'orders', 'orders.dead', 'payments'].map((name) => `lists.${name}`);
const [audit = '', orders = '', dead = '', payments = ''] = topics;

forBothClusters('the lists of the Clusters view', (cluster, stage) => {
  let window: EditorWindow;
  let view: ClustersView;

  before(async () => {
    ({ window, view } = stage());
    const { admin, kafka } = cluster();
    await admin.createTopics({
      topics: topics.map((topic) => ({ topic, numPartitions: topic === payments ? 6 : 1 })),
    });
    const messages = Array.from({ length: 20_000 }, (_, i) => ({ value: `order ${i}` }));
    await sendOnce(kafka, { topic: orders, messages });
    for (const [groupId, offset] of [
      ['lists.billing', '19990'],
      ['lists.slow', '5'],
    ] as const) {
      const partitions = [{ partition: 0, offset }];
      await admin.setOffsets({ groupId, topic: orders, partitions });
    }
    await view.collapseAll();
    await view.open(cluster().row, /^Topics/);
    await view.open(cluster().row, /^Consumer groups/);
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('trees-failed');
  });

  /** A row below this cluster. */
  const row = (name: RegExp): Locator => view.below(view.below(undefined, cluster().row), name);

  /** Of the topics of this file: others may be there too. */
  const topicNames = async (): Promise<string[]> => {
    const rows = await view.rows();
    return rows.flatMap((text) => /^ +Topic (lists\.[\w.]+), \d+ partition/.exec(text)?.[1] ?? []);
  };

  /** The order of topics settles a moment after a choice. */
  async function untilTopicsAre(...names: string[]): Promise<void> {
    const deadline = Date.now() + 30_000;
    while ((await topicNames()).join() !== names.join()) {
      assert.ok(Date.now() < deadline, `${(await topicNames()).join()} are not ${names.join()}`);
      await window.page.waitForTimeout(100);
    }
  }

  it('show what a topic is set to, and change it', async () => {
    await view.choose(row(new RegExp(`^Topic ${payments}`)), 'Topic configs...');
    const list = window.page.locator('.quick-input-titlebar', {
      hasText: `Configs of ${payments}`,
    });
    const shown = async (text: string): Promise<Locator> => {
      await list.waitFor();
      await window.quickInput().fill('retention.ms');
      const entry = window.page.locator('.quick-input-list .monaco-list-row', { hasText: text });
      await entry.waitFor();
      return entry;
    };
    await (await shown('604800000 (7d)')).click();
    await view.answer(`Set retention.ms of ${payments}`, '7200000');
    const own = await shown('7200000 (2h) · set for this topic');
    await window.screenshot('trees-configs');
    await own.click();
    await view.answer(`Set retention.ms of ${payments}`, '');
    await shown('604800000 (7d)');
    await window.page.keyboard.press('Escape');
    await window.quickInput().waitFor({ state: 'hidden' });
  });

  it('are filtered while one types, say how many match, and are whole again after Escape [C4] [K1]', async () => {
    await row(/^Topics/).hover();
    await row(/^Topics/)
      .getByRole('button', { name: 'Filter topics...' })
      .click();
    await window.quickInput().fill('/^lists.orders(/');
    await window.page.getByText('This regular expression cannot be read').waitFor();
    await window.quickInput().fill('/^lists.orders/');
    await row(/^Topics, 2 of \d+ match \/\^lists\.orders\/$/).waitFor();
    await window.page.keyboard.press('Enter');
    await untilTopicsAre(orders, dead);
    await window.screenshot('trees-filtered');
    await row(/^Topic lists\.orders,/).click();
    await window.page.keyboard.press('Escape');
    await untilTopicsAre(audit, orders, dead, payments);
    await row(/^Topics, \d+$/).waitFor();
  });

  it('have favourites at the top and other orders, and keep rows open and selected [C4]', async () => {
    await view.open(cluster().row, /^Topics/, /^Topic lists\.orders, /, /^Partition 0/);
    const selected = row(/^Group lists\.billing, committed 19,990, lag 10$/);
    await selected.click();
    await view.choose(row(/^Topic lists\.payments/), 'Pin to the top');
    await untilTopicsAre(payments, audit, orders, dead);
    await row(/^Topic lists\.payments, .*favourite$/).waitFor();
    await view.choose(row(/^Topics/), 'Sort topics...');
    await view.pick('Sort topics', 'by records');
    await untilTopicsAre(payments, orders, audit, dead);
    await row(/^Topics, \d+, by records$/).waitFor();
    await selected.waitFor();
    assert.equal(await selected.getAttribute('aria-selected'), 'true');
    await window.screenshot('trees-pinned');
    await view.choose(row(/^Topics/), 'Sort topics...');
    await view.pick('Sort topics', 'by name');
    await view.choose(row(/^Topic lists\.payments/), 'Unpin');
    await untilTopicsAre(audit, orders, dead, payments);
  });

  it('show what lags by words and a badge, and count it on the icon of the view [C3] [K1]', async () => {
    const slow = row(/^Group lists\.slow, Empty, lag 19,995, lagging/);
    await slow.waitFor();
    await row(/^Consumer groups, 1 of \d+ lagging$/).waitFor();
    const icon = window.page.locator('.activitybar .action-item', {
      has: window.page.locator('[aria-label^="Kafka Workbench"]'),
    });
    await icon.locator('.badge-content', { hasText: /^[12]$/ }).waitFor();
  });

  it('open a partition where a group stands, from either side [C8]', async () => {
    await view.choose(
      row(/^Group lists\.billing, committed 19,990/),
      'Tail from the committed offset',
    );
    const tail = await window.webview('[role=grid]');
    await tail.getByRole('row', { name: /order 19990/ }).waitFor();
    assert.equal(await tail.getByRole('row', { name: /order 19989/ }).count(), 0);
    await view.open(
      cluster().row,
      /^Consumer groups/,
      /^Group lists\.billing, Empty/,
      /^Topic lists\.orders, lag/,
    );
    await row(/^Partition 0, committed 19,990, lag 10/).waitFor();
    await window.runCommand('View: Close All Editors');
  });

  it('open the produce panel with what is dropped on a topic [C8]', async () => {
    const transfer = await window.page.evaluateHandle<unknown>(`(() => {
      const transfer = new DataTransfer();
      transfer.setData('text/plain', '{"key":"O-7","value":"{\\\\"id\\\\":7}"}');
      return transfer;
    })()`);
    const topic = row(/^Topic lists\.payments/);
    for (const type of ['dragenter', 'dragover', 'drop']) {
      await topic.dispatchEvent(type, { dataTransfer: transfer });
    }
    const form = await window.webview('form[aria-label="Record"]');
    await form.getByRole('textbox', { name: 'Key', exact: true }).waitFor();
    assert.equal(await form.getByRole('textbox', { name: 'Key', exact: true }).inputValue(), 'O-7');
    assert.equal(
      await form.getByRole('textbox', { name: 'Value', exact: true }).inputValue(),
      '{"id":7}',
    );
    await window.screenshot('trees-dropped');
  });

  it('have what was saved in the produce panel beside them, to be sent again and deleted [E5]', async () => {
    const form = await window.webview('form[aria-label="Record"]');
    await form.getByRole('button', { name: 'Save...' }).click();
    await view.answer('Save the record', 'paid');
    await window.page.getByRole('button', { name: /^Saved records/i }).click();
    const saved = window.treeItem(/^Saved record paid, to lists\.payments/);
    await saved.waitFor();
    await window.runCommand('View: Close All Editors');
    await saved.click();
    const again = window.page.getByRole('tab', {
      name: `Produce to ${payments} @ ${cluster().label}`,
    });
    const which = window.page.locator('.quick-input-list .monaco-list-row', {
      hasText: cluster().label,
    });
    await again.or(which).first().waitFor();
    if (await which.isVisible()) await which.click();
    await again.waitFor();
    await window.screenshot('trees-saved');
    await view.choose(saved, 'Delete the saved records...');
    await window.chooseInDialog('Delete');
    await saved.waitFor({ state: 'detached' });
    await window.page.getByRole('button', { name: /^Saved records/i }).click();
    await window.runCommand('View: Close All Editors');
  });
});
