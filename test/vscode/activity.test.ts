import assert from 'node:assert/strict';
import path from 'node:path';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { runKafkaTool } from '../support/kafka/java.ts';
import { sharedKafka } from '../support/kafka/sharedKafka.ts';
import { sendOnce } from '../support/kafka/sendOnce.ts';
import { type Editor, startEditor } from '../support/vscode/editor.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { ClustersView } from './clustersView.ts';
import { embeddedStatus } from './controlObserver.ts';

const vsix = path.join(import.meta.dirname, '../../kafka-workbench.vsix');
const CONSUMER_GROUPS = 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand';

describe('the activity in the editor', function () {
  this.timeout(180_000);
  let editor: Editor;
  let window: EditorWindow;
  let view: ClustersView;
  let real: string;
  let embedded: string;
  const admins: Admin[] = [];

  before(async () => {
    ({ bootstrap: real } = await sharedKafka());
    editor = await startEditor({ vsix, settings: { 'kafkaWorkbench.embedded.port': 0 } });
    window = await editor.open();
    view = new ClustersView(window);
    await view.show();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('activity-failed');
  });

  after(async () => {
    await Promise.all(admins.map((admin) => admin.disconnect()));
    await window.close();
    await editor.stop();
  });

  /** A topic of 2 partitions with a group that committed 4 and 5 on it. */
  async function newTopic(bootstrap: string): Promise<Admin> {
    const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
    const admin = kafka.admin();
    admins.push(admin);
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: 'act.orders', numPartitions: 2 }] });
    const messages = Array.from({ length: 20 }, (_, i) => ({ value: `${i}`, partition: i % 2 }));
    await sendOnce(kafka, { topic: 'act.orders', messages });
    const partitions = [0, 1].map((partition) => ({ partition, offset: String(4 + partition) }));
    await admin.setOffsets({ groupId: 'act.billing', topic: 'act.orders', partitions });
    return admin;
  }

  /** The group's commits, as Kafka's own tool reads them: `0 4`, `1 5`. */
  async function committed(): Promise<string[]> {
    const { stdout } = await runKafkaTool(CONSUMER_GROUPS, [
      ...['--bootstrap-server', real, '--describe', '--offsets', '--group', 'act.billing'],
    ]);
    const lines = [...stdout.matchAll(/^act\.billing\s+act\.orders\s+(\d+)\s+(\S+)/gm)];
    return lines.map(([, partition = '', offset = '']) => `${partition} ${offset}`).sort();
  }

  const entry = (name: RegExp): Locator => view.below(undefined, name);

  /** Again where the key came before the extension knew of the selection: it then asks which change is meant. */
  async function undoByKeyboard(row: Locator): Promise<void> {
    const dialog = window.page.locator('.monaco-dialog-box');
    const isAsked = (): Promise<boolean> =>
      dialog.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
    for (let tries = 0; tries < 5; tries++) {
      await row.click();
      await window.page.keyboard.press('Control+z');
      if (await isAsked()) return;
      await window.page.keyboard.press('Escape');
    }
    assert.fail('Ctrl+Z on the row asks for no undo');
  }

  /** The question of an undo, answered with yes. */
  async function confirmUndo(...texts: (string | RegExp)[]): Promise<void> {
    await answer('Undo', texts);
  }

  async function answer(
    button: 'Undo' | 'Redo',
    texts: readonly (string | RegExp)[],
  ): Promise<void> {
    const dialog = window.page.locator('.monaco-dialog-box');
    for (const text of texts) await dialog.getByText(text).first().waitFor();
    await window.chooseInDialog(button);
  }

  it('is empty at first, and says what will be there [K1]', async () => {
    await window.runCommand('Kafka Workbench: Show activity');
    await window.page.getByText('What you change is listed here').waitFor();
  });

  it('has the connection that is added and, on Kafka 4.4, a reset: undone from its row, the offsets are back [F5] [K1]', async () => {
    await newTopic(real);
    await window.runCommand('Kafka Workbench: Connect to a cluster...');
    await view.answerConnection(real, 'real');
    await entry(/^Add connection real, real, just now/).waitFor();
    await window.runCommand('Kafka Workbench: Reset offsets...');
    await window.pick('act.billing');
    const panel = await window.webview('table[aria-label="Partitions"]');
    await panel.getByRole('combobox', { name: 'Scenario' }).click();
    await panel.getByRole('option', { name: 'to earliest' }).click();
    await panel
      .getByRole('row', { name: /re-reads up to/ })
      .first()
      .waitFor();
    await panel.getByRole('button', { name: 'Reset 2 partitions' }).click();
    await window.chooseInDialog('Reset');
    const row = entry(/^Reset act\.billing: to earliest, 2 partitions, real, .*, can be undone$/);
    await row.waitFor();
    await window.screenshot('activity-reset');
    await view.choose(row, 'Undo a change...');
    await confirmUndo('Undo "Reset act.billing: to earliest"?', /act\.orders-0: 0 → 4/);
    await entry(/^Undo: Reset act\.billing: to earliest, 2 partitions, real/).waitFor();
    await entry(/^Reset act\.billing: to earliest, undone/).waitFor();
    assert.deepEqual(await committed(), ['0 4', '1 5']);
  });

  it('has the undo redone by that name from its row, and the redo undone in turn [F5] [K1]', async () => {
    const undo = entry(/^Undo: Reset act\.billing: to earliest, .*, can be redone$/);
    await view.choose(undo, 'Redo a change...');
    await answer('Redo', ['Redo "Reset act.billing: to earliest"?', /act\.orders-0: 4 → 0/]);
    const redo = entry(/^Redo: Reset act\.billing: to earliest, .*, can be undone$/);
    await redo.waitFor();
    assert.deepEqual(await committed(), ['0 0', '1 0']);
    await view.choose(redo, 'Undo a change...');
    await confirmUndo('Undo "Reset act.billing: to earliest"?', /act\.orders-0: 0 → 4/);
    await entry(/^Redo: Reset act\.billing: to earliest, undone/).waitFor();
    assert.deepEqual(await committed(), ['0 4', '1 5']);
  });

  it('has a group that is deleted in the tree, and brings it back with its commits by the keyboard [F5] [K1]', async () => {
    await window.runCommand('Kafka Workbench: Delete consumer group...');
    await window.pick('act.billing');
    await window.chooseInDialog('Delete');
    const row = entry(/^Delete group act\.billing, 2 partitions, real, .*, can be undone$/);
    await undoByKeyboard(row);
    await confirmUndo('Undo "Delete group act.billing"?', /act\.orders-1: no commit → 5/);
    await entry(/^Delete group act\.billing, undone/).waitFor();
    assert.deepEqual(await committed(), ['0 4', '1 5']);
  });

  it('says before an undo what was committed since, and undoes it all the same where that is wanted [F5]', async () => {
    await window.runCommand('Kafka Workbench: Start the embedded cluster');
    await entry(/^Start the embedded cluster, Embedded, /).waitFor();
    ({ bootstrap: embedded } = await embeddedStatus(editor));
    const admin = await newTopic(embedded);
    await window.runCommand('Kafka Workbench: Delete consumer group...');
    await window.pick('Embedded');
    await window.pick('act.billing');
    await window.chooseInDialog('Delete');
    const row = entry(/^Delete group act\.billing, 2 partitions, Embedded, .*, can be undone$/);
    await row.waitFor();
    const partitions = [{ partition: 0, offset: '7' }];
    await admin.setOffsets({ groupId: 'act.billing', topic: 'act.orders', partitions });
    await view.choose(row, 'Undo a change...');
    await confirmUndo('act.billing has moved on since', 'act.orders-0: left at no commit, now 7');
    await entry(/^Delete group act\.billing, undone, 2 partitions, Embedded/).waitFor();
    const [orders] = await admin.fetchOffsets({ groupId: 'act.billing', topics: ['act.orders'] });
    assert.deepEqual(
      orders?.partitions.map(({ offset }) => offset),
      ['4', '5'],
    );
  });

  it('has records that are sent at a rate as one entry with its progress, and cancels them [E2] [K1]', async () => {
    await window.runCommand('Kafka Workbench: Produce a record...');
    await window.pick('Embedded');
    await window.pick('act.orders');
    const panel = await window.webview('details.many');
    await panel.getByText('Send many').first().click();
    await panel.getByRole('textbox', { name: 'How many records' }).fill('1000000');
    await panel.getByRole('textbox', { name: /^Records per second/ }).fill('50');
    await panel.getByRole('button', { name: 'Send many' }).click();
    const running = entry(/^Send records to act\.orders, \d+ of 1,000,000, running, Embedded/);
    await running.waitFor();
    await window.screenshot('activity-running');
    await view.choose(running, 'Cancel a change that runs');
    await entry(/^Send records to act\.orders, cancelled, \d+ of 1,000,000, Embedded/).waitFor();
    await panel
      .getByText(/sent, then cancelled/)
      .first()
      .waitFor();
  });

  it('is there after a reload, and is filtered, emptied of a row and of all [K1]', async () => {
    await window.reload();
    await view.show();
    await window.runCommand('Kafka Workbench: Show activity');
    const sent = entry(/^Send records to act\.orders, cancelled/);
    await sent.waitFor();
    // Among the first: rows that are not in sight are not there.
    const other = entry(/^Undo: Delete group act\.billing/);
    await other.waitFor();
    await window.runCommand('Kafka Workbench: Filter the activity...');
    await view.answer('Filter the activity', 'cancelled');
    await other.waitFor({ state: 'detached' });
    await sent.click();
    await window.page.keyboard.press('Delete');
    await window.page.getByText('No change matches the filter.').waitFor();
    await window.runCommand('Kafka Workbench: Clear the filter of the activity');
    await other.waitFor();
    await window.runCommand('Kafka Workbench: Clear the activity...');
    await window.chooseInDialog('Forget');
    await window.page.getByText('What you change is listed here').waitFor();
  });

  it('brings a removed connection back [B1] [K1]', async () => {
    await view.choose(entry(/^real cluster/), 'Remove connection...');
    await window.chooseInDialog('Remove');
    await entry(/^real cluster/).waitFor({ state: 'detached' });
    await view.choose(
      entry(/^Remove connection real, real, .*, can be undone$/),
      'Undo a change...',
    );
    await confirmUndo('Bring the connection real back?', real);
    await entry(/^real cluster/).waitFor();
    await entry(/^Undo: Remove connection real, real/).waitFor();
  });
});
