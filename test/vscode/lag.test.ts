import assert from 'node:assert/strict';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { after, afterEach, before, describe, it } from 'mocha';
import type { FrameLocator, Locator } from 'playwright-core';
import { sharedKafka } from '../support/kafka/sharedKafka.ts';
import { type Editor, startEditor } from '../support/vscode/editor.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { ClustersView } from './clustersView.ts';
import { embeddedStatus } from './controlObserver.ts';

const vsix = path.join(import.meta.dirname, '../../kafka-workbench.vsix');

/** Something that only the lag panel has. */
const marker = '[role=grid][aria-label="Partitions"]';

describe('the lag panel in the editor', function () {
  this.timeout(120_000);
  let editor: Editor;
  let window: EditorWindow;
  let view: ClustersView;
  let kafka: Kafka;

  before(async () => {
    const settings = { 'kafkaWorkbench.embedded.port': 0, 'kafkaWorkbench.lag.sampleSeconds': 0.5 };
    editor = await startEditor({ vsix, settings });
    window = await editor.open();
    view = new ClustersView(window);
    await view.show();
    await window.page.getByRole('button', { name: 'Start the embedded cluster' }).click();
    await window.treeItem(/^Embedded cluster, running/).waitFor();
    const { bootstrap } = await embeddedStatus(editor);
    kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
    const admin = kafka.admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: 'orders', numPartitions: 2 }] });
    await produce(0, 30);
    const partitions = [{ partition: 0, offset: '10' }];
    await admin.setOffsets({ groupId: 'billing', topic: 'orders', partitions });
    await admin.disconnect();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('lag-failed');
  });

  after(async () => {
    await window.runCommand('Kafka Workbench: Stop the embedded cluster');
    await window.treeItem(/^Embedded cluster, stopped/).waitFor();
    assert.deepEqual(window.policyViolations(), []);
    await window.close();
    await editor.stop();
  });

  async function produce(partition: number, count: number): Promise<void> {
    const producer = kafka.producer();
    await producer.connect();
    const messages = Array.from({ length: count }, (_, i) => ({ partition, value: `order ${i}` }));
    await producer.send({ topic: 'orders', messages });
    await producer.disconnect();
  }

  const figure = (panel: FrameLocator, name: string): Locator =>
    panel.locator('.figure', { has: panel.locator(`dt:text-is("${name}")`) }).locator('dd');

  it('opens from the group in the tree, follows it, and counts what can be read [G1] [G2] [G3]', async () => {
    await view.open(/^Embedded/, /^Consumer groups/);
    await view.choose(view.below(undefined, /^Group billing/), 'Show lag');
    const panel = await window.webview(marker);
    await figure(panel, 'Lag').getByText('20', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Count what can be read' }).click();
    await panel.getByText('Every one of the 20 offsets is a record to read.').waitFor();
    await produce(0, 5);
    await figure(panel, 'Lag').getByText('25', { exact: true }).waitFor();
    await panel.getByRole('slider', { name: 'Time in the charts' }).waitFor();
    await window.screenshot('lag');
  });

  it('opens from the topic too, and is the same panel [G1]', async () => {
    await window.runCommand('View: Close All Editors');
    await view.open(/^Embedded/, /^Topics/);
    await view.choose(view.below(undefined, /^Topic orders/), 'Show lag');
    const panel = await window.webview(marker);
    await figure(panel, 'Lag').getByText('25', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Tail what is not read' }).click();
    await window.page.getByRole('tab', { name: 'orders-0 @ Embedded' }).waitFor();
    await window.runCommand('View: Close Editor');
  });

  it('watches a group while no panel shows it, tells of a crossing once, and opens the panel [G3]', async () => {
    const panel = await window.webview(marker);
    await panel.getByRole('button', { name: 'Watch lag' }).click();
    await panel.getByRole('checkbox', { name: 'Watch this group' }).click();
    const records = panel.getByRole('textbox', { name: 'Alert at a lag of so many offsets' });
    await records.fill('100');
    await panel.getByRole('button', { name: 'Save' }).click();
    await window.page.getByRole('button', { name: 'Lag is watched: billing' }).waitFor();
    await window.runCommand('View: Close All Editors');
    await produce(0, 100);
    await window.toast('billing on Embedded is 125 offsets behind. You asked to be told at 100.');
    await window.screenshot('lag-alert');
    await window.page.getByRole('button', { name: 'Show lag' }).click();
    const again = await window.webview(marker);
    await figure(again, 'Lag').getByText('125', { exact: true }).waitFor();
    const status = /^Behind by more than is watched for: billing/;
    await window.page.getByRole('button', { name: status }).waitFor();
  });

  it('is there again after a reload, with what was chosen in it, and goes on watching [G3]', async () => {
    const panel = await window.webview(marker);
    await panel.getByRole('radio', { name: '1 h' }).check();
    // In a browser the editor writes what panels keep every few seconds; Mocha's limit bounds the wait.
    while (!(await window.browserState()).includes('3600000')) await sleep(200);
    await window.reload();
    const restored = await window.webview(marker);
    await figure(restored, 'Lag').getByText('125', { exact: true }).waitFor();
    assert.equal(await restored.getByRole('radio', { name: '1 h' }).isChecked(), true);
    await window.page.getByRole('button', { name: /: billing$/ }).waitFor();
    await window.runCommand('Kafka Workbench: Show watched groups');
    await restored.getByRole('button', { name: 'Watched' }).waitFor();
  });

  it('of a real Kafka says why it is 1 where there is nothing to read [G1] [G2]', async () => {
    const { bootstrap } = await sharedKafka();
    const real = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
    const producer = real.producer({
      ...{ transactionalId: 'ui-lag', maxInFlightRequests: 1, idempotent: true },
    });
    const admin = real.admin();
    await Promise.all([producer.connect(), admin.connect()]);
    await admin.createTopics({ topics: [{ topic: 'ui.lag', numPartitions: 1 }] });
    const transaction = await producer.transaction();
    await transaction.send({ topic: 'ui.lag', messages: [{ value: 'a' }] });
    await transaction.commit();
    const partitions = [{ partition: 0, offset: '1' }];
    await admin.setOffsets({ groupId: 'ui.lag', topic: 'ui.lag', partitions });
    await Promise.all([producer.disconnect(), admin.disconnect()]);
    await window.runCommand('Kafka Workbench: Connect to a cluster...');
    await view.answer('(1/5)', bootstrap);
    await view.answer('(2/5)', 'real');
    await view.pick('(3/5)', /^PLAINTEXT/);
    await view.pick('(4/5)', 'Read only');
    await view.pick('(5/5)', 'No mark');
    await window.treeItem(/^real cluster, connected/).waitFor();
    await window.runCommand('View: Close All Editors');
    await window.runCommand('Kafka Workbench: Show lag');
    await window.pick('real');
    await window.pick('ui.lag');
    const panel = await window.webview(marker);
    await figure(panel, 'Lag').getByText('1', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Count what can be read' }).click();
    await panel.getByText('the last offset is a transaction marker').waitFor();
    assert.equal(await panel.getByRole('button', { name: 'Reset offsets' }).isDisabled(), true);
    await window.screenshot('lag-real-kafka');
  });
});
