import assert from 'node:assert/strict';
import path from 'node:path';
import { type Consumer, Kafka, logLevel } from 'kafkajs';
import { after, afterEach, before, describe, it } from 'mocha';
import type { FrameLocator } from 'playwright-core';
import { type Editor, startEditor } from '../support/vscode/editor.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { ClustersView } from './clustersView.ts';
import { sendFromPage, watchPages } from './untrustedPage.ts';

const vsix = path.join(import.meta.dirname, '../../kafka-workbench.vsix');

/** What an application with kafkajs reads as a group, from the group's commits on. */
class Application {
  readonly #consumer: Consumer;
  readonly values: string[] = [];

  constructor(bootstrap: string) {
    const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
    this.#consumer = kafka.consumer({ groupId: 'billing', sessionTimeout: 6000 });
  }

  async start(): Promise<void> {
    await this.#consumer.connect();
    await this.#consumer.subscribe({ topic: 'orders', fromBeginning: true });
    await this.#consumer.run({
      autoCommitThreshold: 1,
      eachMessage: ({ message }) => {
        this.values.push(message.value?.toString() ?? 'null');
        return Promise.resolve();
      },
    });
  }

  /** Resolves once it has read so many. */
  async hasRead(count: number): Promise<readonly string[]> {
    for (let waited = 0; this.values.length < count; waited += 50) {
      assert.ok(waited < 20_000, `read ${this.values.length} of ${count}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return this.values;
  }

  /** Leaves the group; what it read is committed. */
  async stop(): Promise<void> {
    await this.#consumer.disconnect();
  }
}

describe('the embedded cluster in the editor', function () {
  this.timeout(120_000);
  let editor: Editor;
  let window: EditorWindow;
  let view: ClustersView;
  let bootstrap: string;

  before(async () => {
    editor = await startEditor({ vsix, settings: { 'kafkaWorkbench.embedded.port': 0 } });
    window = await editor.open();
    view = new ClustersView(window);
    await view.show();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('embedded-failed');
  });

  after(async () => {
    await window.runCommand('Kafka Workbench: Stop the embedded cluster');
    await window.treeItem(/^Embedded cluster, stopped/).waitFor();
    await window.close();
    await editor.stop();
  });

  async function runningAt(): Promise<string> {
    const row = window.treeItem(/^Embedded cluster, running/);
    await row.waitFor();
    await window.treeItem(/^Consumer groups/).waitFor();
    const label = (await row.getAttribute('aria-label')) ?? '';
    return /127\.0\.0\.1:\d+/.exec(label)?.[0] ?? assert.fail(`no address in "${label}"`);
  }

  async function produce(page: FrameLocator, key: string, value: string): Promise<void> {
    await page
      .getByRole('radiogroup', { name: 'Kind of key' })
      .getByRole('radio', { name: 'Text' })
      .check();
    await page.getByRole('textbox', { name: 'Key', exact: true }).fill(key);
    await page.getByRole('textbox', { name: 'Value', exact: true }).fill(value);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
  }

  it('starts from the welcome view, and says where it listens [A1]', async () => {
    await window.screenshot('welcome');
    await window.page.getByRole('button', { name: 'Start the embedded cluster' }).click();
    bootstrap = await runningAt();
    await window.page
      .locator('.statusbar')
      .getByRole('button', { name: `running on ${bootstrap}` })
      .waitFor();
  });

  it('fills itself with sample data that two groups have read [C1] [C2]', async () => {
    await window.runCommand('Kafka Workbench: Load sample data');
    await window.toast('Topic flights holds 20,000 records');
    await view.open(/^Embedded/, /^Topics/, /^Topic flights/, /^Partition 0/);
    await view.open(/^Embedded/, /^Consumer groups/);
    await view.below(undefined, /^Group route-stats, Empty/).waitFor();
    await window.screenshot('sample-data');
    const rows = (await view.rows()).join('\n');
    assert.match(rows, /Topic flights, 3 partitions, 20,000 offsets between log start and end/);
    assert.match(rows, /Partition 0, offsets 0 to 6,760, leader 1/);
    assert.match(rows, /Group delay-alerts, committed 6,760, lag 0/);
    assert.match(rows, /Group route-stats, committed 4,056, lag 2,704/);
    assert.match(rows, /Group delay-alerts, Empty, lag 0/);
    assert.match(rows, /Group route-stats, Empty, lag 8,001/);
  });

  it('loads the sample once: asked for again, it says where it is and adds nothing [C1]', async () => {
    await window.runCommand('Notifications: Clear All Notifications');
    await window.runCommand('Kafka Workbench: Load sample data');
    await window.toast('The sample is loaded already, in topic flights.');
    await window.page.getByRole('button', { name: 'Show flights' }).waitFor();
    await window.runCommand('Kafka Workbench: Refresh');
    await view.below(undefined, /^Topic flights, 3 partitions, 20,000 offsets/).waitFor();
    await view.below(undefined, /^Group route-stats, Empty, lag 8,001/).waitFor();
    const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
    const admin = kafka.admin();
    await admin.connect();
    const ends = (await admin.fetchTopicOffsets('flights')).map(({ high }) => Number(high));
    await admin.disconnect();
    assert.equal(
      ends.reduce((sum, end) => sum + end, 0),
      20_000,
    );
  });

  it('has the rows open, and selected, that were so before the cluster was stopped [C1]', async () => {
    const commit = view.below(undefined, /^Group delay-alerts, committed/);
    await commit.click();
    const selected = commit.and(window.page.locator('.selected'));
    await selected.waitFor();
    await window.runCommand('Kafka Workbench: Restart the embedded cluster');
    await selected.waitFor({ state: 'detached' });
    await selected.waitFor();
    bootstrap = await runningAt();
  });

  it('shows a record from the produce panel in the tail panel and in an application, and its lag, and lets the group read again [D1] [E1] [F1] [G1]', async () => {
    await window.runCommand('Kafka Workbench: Create topic...');
    await view.answer('(1/2)', 'orders');
    await view.answer('(2/2)', '1');
    const topic = await view.open(/^Embedded/, /^Topics/, /^Topic orders/);
    await topic.click();
    await window.page.keyboard.press('Enter');
    await window.webview('[role=grid]');
    await view.choose(topic, 'Produce a record...');
    const form = await window.webview('form[aria-label="Record"]');

    const first = new Application(bootstrap);
    await first.start();
    await produce(form, 'O-1', '{"id":1}');
    await form.getByText('orders / 0 at 0').waitFor();
    assert.deepEqual(await first.hasRead(1), ['{"id":1}']);
    await view.open(/^Embedded/, /^Topics/, /^Topic orders/, /^Partition 0/);
    await view.below(undefined, /^Group billing, committed 1, lag 0/).waitFor();
    await first.stop();

    await produce(form, 'O-2', '{"id":2}');
    await view.below(undefined, /^Group billing, committed 1, lag 1/).waitFor();
    await window.screenshot('produce');
    await window.page.getByRole('tab', { name: 'orders @ Embedded' }).first().click();
    const tail = await window.webview('[role=grid]');
    await tail.getByRole('row', { name: /O-2/ }).waitFor();
    assert.equal(await tail.getByRole('row', { name: /O-\d/ }).count(), 2);
    await window.screenshot('tail');

    const group = view.below(undefined, /^Group billing, Empty, lag 1/);
    await view.choose(group, 'Reset offsets...');
    const offsets = await window.webview('table[aria-label="Partitions"]');
    await offsets.getByRole('combobox', { name: 'Scenario' }).click();
    await offsets.getByRole('option', { name: 'to earliest' }).click();
    await offsets.getByRole('row', { name: /orders.*re-read|again/ }).waitFor();
    await window.screenshot('offsets');
    await offsets.getByRole('button', { name: /^Reset/ }).click();
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByText('Reset the offsets of billing on 1 partition?').waitFor();
    await window.chooseInDialog('Reset');
    await view.below(undefined, /^Group billing, committed 0, lag 2/).waitFor();
    await window.screenshot('offsets-reset');

    const second = new Application(bootstrap);
    await second.start();
    assert.deepEqual(await second.hasRead(2), ['{"id":1}', '{"id":2}']);
    await view.below(undefined, /^Group billing, committed 2, lag 0/).waitFor();
    await second.stop();
  });

  it('asks before a stop or a restart cuts clients off, and names them and their groups [A1] [K1]', async () => {
    const application = new Application(bootstrap);
    await application.start();
    await view.below(undefined, /^Group billing, Stable/).waitFor();
    const dialog = window.page.locator('.monaco-dialog-box');
    for (const [command, answer] of [
      ['Stop the embedded cluster', 'Stop'],
      ['Restart the embedded cluster', 'Restart'],
    ] as const) {
      await window.runCommand(`Kafka Workbench: ${command}`);
      await dialog.getByText(`${command} while clients are connected?`).waitFor();
      await dialog.getByText(/^\d+ connections? would be cut off: kafkajs/).waitFor();
      await dialog.getByText('Groups with members: billing.').waitFor();
      await dialog.getByRole('button', { name: answer, exact: true }).waitFor();
      if (answer === 'Stop') await window.screenshot('stop-connected');
      await window.chooseInDialog('Cancel');
      await dialog.waitFor({ state: 'detached' });
    }
    assert.equal(await runningAt(), bootstrap);
    await application.stop();
  });

  it('restores its panels and keeps the cluster over a reload of the window [K2]', async () => {
    await window.reload();
    await window.treeItem(/^Embedded cluster, running/).waitFor();
    const label = await window.treeItem(/^Embedded cluster, running/).getAttribute('aria-label');
    assert.ok(label?.includes(bootstrap), 'the same process on the same port');
    await window.page.getByRole('tab', { name: 'orders @ Embedded' }).first().click();
    const tail = await window.webview('[role=grid]');
    await tail.getByRole('row', { name: /O-2/ }).waitFor();
  });

  it('refuses messages from a page that break the contract, and goes on serving it [K2]', async () => {
    await watchPages(window);
    const topic = await view.open(/^Embedded/, /^Topics/, /^Topic flights/);
    await view.choose(topic, 'Tail records');
    await window.page.getByRole('tab', { name: 'flights @ Embedded' }).waitFor();
    const tail = await window.webview('[role=grid]');
    const call = { kind: 'call', method: 'rows', params: { session: 1, first: 0, count: 10 } };
    const refused: readonly [Readonly<Record<string, unknown>>, RegExp][] = [
      [{ params: { session: 1, first: -1, count: 10 } }, /rows of the wrong shape: first/],
      [{ params: { session: 1, first: 0, count: 1e9 } }, /rows of the wrong shape: count/],
      [{ params: 'all of them' }, /rows of the wrong shape/],
      [{ method: 'toString' }, /no method toString/],
      [{ method: '__proto__' }, /no method __proto__/],
      [{ method: 'deleteEverything' }, /no method deleteEverything/],
    ];
    for (const [i, [change, why]] of refused.entries()) {
      const answer = await sendFromPage(tail, { ...call, ...change, id: 9000 + i });
      assert.match((answer as { message: string }).message, why);
    }
    const answer = await sendFromPage(tail, { ...call, id: 9999 });
    assert.equal((answer as { kind: string }).kind, 'answer');
    await tail.getByRole('row').nth(5).waitFor();
  });

  it('kept to the content security policy in every panel [K2]', () => {
    const refused = window.problems.filter((text) => text.includes('Content Security Policy'));
    assert.deepEqual(refused, []);
  });
});
