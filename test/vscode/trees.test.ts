import assert from 'node:assert/strict';
import { Kafka, logLevel } from 'kafkajs';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { type EmbeddedBroker, startEmbedded } from '../support/embedded.ts';
import { sharedEditor } from '../support/vscode/editor.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { ClustersView } from './clustersView.ts';

describe('the lists of the Clusters view', function () {
  this.timeout(180_000);
  let broker: EmbeddedBroker;
  let window: EditorWindow;
  let view: ClustersView;
  const cluster = /^lists cluster/;

  before(async () => {
    broker = await startEmbedded({ inMemory: true });
    const kafka = new Kafka({ brokers: [broker.bootstrap], logLevel: logLevel.ERROR });
    const admin = kafka.admin();
    await admin.connect();
    await admin.createTopics({
      topics: ['audit', 'orders', 'orders.dead', 'payments'].map((topic) => ({
        topic,
        numPartitions: topic === 'payments' ? 6 : 1,
      })),
    });
    const producer = kafka.producer();
    await producer.connect();
    const messages = Array.from({ length: 20_000 }, (_, i) => ({ value: `order ${i}` }));
    await producer.send({ topic: 'orders', messages });
    await producer.disconnect();
    for (const [groupId, offset] of [
      ['billing', '19990'],
      ['slow-report', '5'],
    ] as const) {
      await admin.setOffsets({
        groupId,
        topic: 'orders',
        partitions: [{ partition: 0, offset }],
      });
    }
    await admin.disconnect();
    window = await (await sharedEditor()).open();
    view = new ClustersView(window);
    await view.show();
    await window.runCommand('Kafka Workbench: Connect to a cluster...');
    await view.answer('(1/5)', broker.bootstrap);
    await view.answer('(2/5)', 'lists');
    await view.pick('(3/5)', /^PLAINTEXT/);
    await view.pick('(4/5)', 'Read and write');
    await view.pick('(5/5)', 'No mark');
    await view.open(cluster, /^Topics/);
    await view.open(cluster, /^Consumer groups/);
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('trees-failed');
  });

  after(async () => {
    const row = view.below(undefined, cluster);
    await view.choose(row, 'Remove connection...');
    await window.chooseInDialog('Remove');
    await row.waitFor({ state: 'detached' });
    await window.close();
    await broker.stop();
  });

  /** A row below this cluster, as others may be connected too. */
  const row = (name: RegExp): Locator => view.below(view.below(undefined, cluster), name);

  const topicNames = async (): Promise<string[]> => {
    const rows = await view.rows();
    return rows.flatMap((text) => /^ +Topic ([\w.]+), \d+ partition/.exec(text)?.[1] ?? []);
  };

  /** The order of topics settles a moment after a choice. */
  async function untilTopicsAre(...names: string[]): Promise<void> {
    const deadline = Date.now() + 30_000;
    while ((await topicNames()).join() !== names.join()) {
      assert.ok(Date.now() < deadline, `${(await topicNames()).join()} are not ${names.join()}`);
      await window.page.waitForTimeout(100);
    }
  }

  it('are filtered while one types, say how many match, and are whole again after Escape [C4] [K1]', async () => {
    await row(/^Topics/).hover();
    await row(/^Topics/)
      .getByRole('button', { name: 'Filter topics...' })
      .click();
    await window.quickInput().fill('/^orders(/');
    await window.page.getByText('This regular expression cannot be read').waitFor();
    await window.quickInput().fill('/^orders/');
    await row(/^Topics, 2 of 4 match \/\^orders\/$/).waitFor();
    await window.page.keyboard.press('Enter');
    await untilTopicsAre('orders', 'orders.dead');
    await window.screenshot('trees-filtered');
    await row(/^Topic orders,/).click();
    await window.page.keyboard.press('Escape');
    await untilTopicsAre('audit', 'orders', 'orders.dead', 'payments');
    await row(/^Topics, 4$/).waitFor();
  });

  it('have favourites at the top and other orders, and keep rows open and selected [C4]', async () => {
    await view.open(cluster, /^Topics/, /^Topic orders, /, /^Partition 0/);
    const selected = row(/^Group billing, committed 19,990, lag 10$/);
    await selected.click();
    await view.choose(row(/^Topic payments/), 'Pin to the top');
    await untilTopicsAre('payments', 'audit', 'orders', 'orders.dead');
    await row(/^Topic payments, .*favourite$/).waitFor();
    await view.choose(row(/^Topics/), 'Sort topics...');
    await view.pick('Sort topics', 'by records');
    await untilTopicsAre('payments', 'orders', 'audit', 'orders.dead');
    await row(/^Topics, 4, by records$/).waitFor();
    await selected.waitFor();
    assert.equal(await selected.getAttribute('aria-selected'), 'true');
    await window.screenshot('trees-pinned');
    await view.choose(row(/^Topics/), 'Sort topics...');
    await view.pick('Sort topics', 'by name');
    await view.choose(row(/^Topic payments/), 'Unpin');
    await untilTopicsAre('audit', 'orders', 'orders.dead', 'payments');
  });

  it('show what lags by words and a badge, and count it on the icon of the view [C3] [K1]', async () => {
    const slow = row(/^Group slow-report, Empty, lag 19,995, lagging/);
    await slow.waitFor();
    await row(/^Consumer groups, 2, 1 in trouble$/).waitFor();
    const icon = window.page.locator('.activitybar .action-item', {
      has: window.page.locator('[aria-label^="Kafka Workbench"]'),
    });
    await icon.locator('.badge-content', { hasText: /^1$/ }).waitFor();
  });

  it('have the log end and the size of a partition in its tooltip [C2]', async () => {
    await row(/^Partition 0, offsets 0 to 20,000/).hover();
    const tooltip = window.page.locator('.workbench-hover-container');
    await tooltip.getByText('Log end offset').waitFor();
    await tooltip.getByText(/^[1-9][\d,]* bytes$/).waitFor();
    await window.screenshot('trees-tooltip');
    await window.page.mouse.move(900, 500);
  });

  it('open a partition where a group stands, from either side [C8]', async () => {
    await view.choose(row(/^Group billing, committed 19,990/), 'Tail from the committed offset');
    const tail = await window.webview('[role=grid]');
    await tail.getByRole('row', { name: /order 19990/ }).waitFor();
    assert.equal(await tail.getByRole('row', { name: /order 19989/ }).count(), 0);
    await view.open(cluster, /^Consumer groups/, /^Group billing, Empty/, /^Topic orders, lag/);
    await row(/^Partition 0, committed 19,990, lag 10/).waitFor();
    await window.runCommand('View: Close All Editors');
  });

  it('open the produce panel with what is dropped on a topic [C8]', async () => {
    const transfer = await window.page.evaluateHandle<unknown>(`(() => {
      const transfer = new DataTransfer();
      transfer.setData('text/plain', '{"key":"O-7","value":"{\\\\"id\\\\":7}"}');
      return transfer;
    })()`);
    const topic = row(/^Topic payments/);
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
    await window.runCommand('View: Close All Editors');
  });
});
