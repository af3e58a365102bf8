import assert from 'node:assert/strict';
import path from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { after, afterEach, before, describe, it } from 'mocha';
import type { FrameLocator } from 'playwright-core';
import { spawnOwned, stopProcess } from '../support/process.ts';
import { type Editor, startEditor } from '../support/vscode/editor.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { ClustersView } from './clustersView.ts';
import { embeddedStatus } from './controlObserver.ts';

const root = path.join(import.meta.dirname, '../..');
const vsix = path.join(root, 'kafka-workbench.vsix');

/** A member of a group that says when it is in it, in a process that can be killed. */
const MEMBER = `
const { Kafka } = require(${JSON.stringify(path.join(root, 'node_modules/kafkajs'))});
const kafka = new Kafka({ clientId: 'doomed', brokers: [process.argv[1]], logLevel: 0 });
const consumer = kafka.consumer({ groupId: 'billing', sessionTimeout: 300000 });
consumer.on('consumer.group_join', () => console.log('joined'));
consumer.connect().then(() => consumer.subscribe({ topic: 'orders' }))
  .then(() => consumer.run({ autoCommit: false, eachMessage: async () => {} }));
`;

describe("the embedded cluster's time, and offsets, in the editor", function () {
  this.timeout(120_000);
  let editor: Editor;
  let window: EditorWindow;
  let view: ClustersView;
  let bootstrap: string;
  let admin: Admin;
  let member: ChildProcess | undefined;

  before(async () => {
    editor = await startEditor({ vsix, settings: { 'kafkaWorkbench.embedded.port': 0 } });
    window = await editor.open();
    view = new ClustersView(window);
    await view.show();
    await window.page.getByRole('button', { name: 'Start the embedded cluster' }).click();
    await window.treeItem(/^Embedded cluster, running/).waitFor();
    ({ bootstrap } = await embeddedStatus(editor));
    const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
    admin = kafka.admin();
    await admin.connect();
    const keptFor = (value: string) => [{ name: 'retention.ms', value }];
    await admin.createTopics({
      topics: [
        { topic: 'orders', numPartitions: 3, configEntries: keptFor('-1') },
        { topic: 'short-lived', configEntries: keptFor('86400000') },
      ],
    });
    const producer = kafka.producer();
    await producer.connect();
    const messages = Array.from({ length: 30 }, (_, i) => {
      return { key: `O-${i}`, value: `{"id":${i}}`, partition: i % 3 };
    });
    await producer.send({ topic: 'orders', messages });
    await producer.send({ topic: 'short-lived', messages: [{ value: 'a' }, { value: 'b' }] });
    await producer.disconnect();
    const partitions = [0, 1].map((partition) => ({ partition, offset: String(partition + 4) }));
    await admin.setOffsets({ groupId: 'billing', topic: 'orders', partitions });
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('time-and-offsets-failed');
  });

  after(async () => {
    if (member) await stopProcess(member, 0);
    await admin.disconnect();
    await window.close();
    await editor.stop();
  });

  async function committed(): Promise<string[]> {
    const [orders] = await admin.fetchOffsets({ groupId: 'billing', topics: ['orders'] });
    return (orders?.partitions ?? []).map(({ offset }) => offset);
  }

  async function openOffsets(): Promise<FrameLocator> {
    await view.open(/^Embedded/, /^Consumer groups/);
    await view.choose(view.below(undefined, /^Group billing/), 'Reset offsets...');
    return window.webview('table[aria-label="Partitions"]');
  }

  it('a group is reset per partition with a look at the record, read back, and undone [F1] [F2] [F4] [F5]', async () => {
    const panel = await openOffsets();
    const target = panel.getByRole('textbox', { name: 'New offset of orders partition 0' });
    await target.fill('7');
    await target.press('Tab');
    await target.focus();
    await panel.getByText(/^3 records in between, of 20/).waitFor();
    await panel.getByText('O-21').waitFor();
    await panel.getByRole('row', { name: /orders.*skips up to 3 records/ }).waitFor();
    await window.screenshot('offsets-look');
    await panel.getByRole('button', { name: 'Reset 3 partitions' }).click();
    await window.chooseInDialog('Reset');
    await panel.getByText('Reset; read back as 7').waitFor();
    assert.deepEqual(await committed(), ['7', '0', '0']);
    await panel.getByRole('button', { name: 'Undo' }).click();
    await window.chooseInDialog('Reset');
    await panel.getByText('Done; read back as no commit').waitFor();
    await window.screenshot('offsets-undone');
    assert.deepEqual(await committed(), ['4', '5', '-1']);
  });

  it('a member that died holds its group; the cluster removes it, and the group is reset [F3]', async () => {
    member = spawnOwned(process.execPath, ['-e', MEMBER, bootstrap], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    assert.ok(member.stdout);
    for await (const line of createInterface(member.stdout)) if (line === 'joined') break;
    await stopProcess(member, 0);
    const panel = await openOffsets();
    await panel.getByRole('button', { name: 'Refresh' }).click();
    await panel
      .getByText('Kafka refuses while the group has members. Stop doomed first.')
      .waitFor();
    await window.screenshot('offsets-active');
    await panel.getByRole('button', { name: 'Remove its members' }).click();
    await window.chooseInDialog('Remove');
    await panel.getByText('Empty: can be reset').waitFor();
    await panel.getByRole('combobox', { name: 'Scenario' }).click();
    await panel.getByRole('option', { name: 'to latest' }).click();
    await panel
      .getByRole('row', { name: /skips up to/ })
      .first()
      .waitFor();
    await panel.getByRole('button', { name: 'Reset 3 partitions' }).click();
    await window.chooseInDialog('Reset');
    await panel.getByText('Reset; read back as 10').first().waitFor();
    assert.deepEqual(await committed(), ['10', '10', '10']);
  });

  it('the clock goes forward by a week, retention deletes what is over its time, and the row says so [A15]', async () => {
    await view.open(/^Embedded/, /^Topics/);
    await view.below(undefined, /^Topic short-lived, 1 partition, 2 records/).waitFor();
    await window.runCommand("Kafka Workbench: Advance the embedded cluster's clock...");
    await window.pick('7 days');
    await window.treeItem(/^Embedded cluster, running, .*clock \+7d/).waitFor();
    await window.screenshot('clock');
    await window.runCommand("Kafka Workbench: Run the embedded cluster's maintenance now...");
    await window.pick('Retention');
    await window.toast(/retention: deleted 1 segment of 1 partition/);
    await view.below(undefined, /^Topic short-lived, 1 partition, 0 records/).waitFor();
    await view.below(undefined, /^Topic orders, 3 partitions, 30 records/).waitFor();
  });

  it('another duration can be typed, and nonsense is refused with what would be one [A15]', async () => {
    await window.runCommand("Kafka Workbench: Advance the embedded cluster's clock...");
    await window.pick('Another duration');
    await view.answer('Advance', 'soon');
    await window.page.getByText('Not a duration').waitFor();
    await view.answer('Advance', '36h');
    await window.treeItem(/^Embedded cluster, running, .*clock \+8d 12h/).waitFor();
  });
});
