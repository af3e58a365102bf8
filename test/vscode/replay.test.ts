import assert from 'node:assert/strict';
import path from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { after, afterEach, before, describe, it } from 'mocha';
import type { FrameLocator } from 'playwright-core';
import { KafkaClient } from '../../src/client/kafkaClient.ts';
import { plaintext } from '../../src/client/security.ts';
import { sendOnce } from '../support/kafka/sendOnce.ts';
import { type EmbeddedBroker, startEmbedded } from '../support/embedded.ts';
import { type Editor, startEditor } from '../support/vscode/editor.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { ClustersView } from './clustersView.ts';
import { chooseInList } from './rows/questions.ts';

const vsix = path.join(import.meta.dirname, '../../kafka-workbench.vsix');
/** More than one lot of a replay, which is 1,000 records. */
const recordCount = 3000;

describe('a replay of records', function () {
  this.timeout(180_000);
  let editor: Editor;
  let window: EditorWindow;
  let view: ClustersView;
  let broker: EmbeddedBroker;
  let kafka: Kafka;

  before(async () => {
    broker = await startEmbedded({ inMemory: true });
    kafka = new Kafka({ brokers: [broker.bootstrap], logLevel: logLevel.NOTHING });
    await writeRecords();
    editor = await startEditor({ vsix });
    window = await editor.open();
    view = new ClustersView(window);
    await view.show();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('replay-failed');
  });

  after(async () => {
    await window.close();
    await editor.stop();
    await broker.stop();
  });

  async function writeRecords(): Promise<void> {
    const admin = kafka.admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: 'orders' }, { topic: 'copy' }] });
    await admin.disconnect();
    const messages = Array.from({ length: recordCount }, (_, i) => ({
      key: `O-${i}`,
      value: 'v'.repeat(100),
    }));
    await sendOnce(kafka, { topic: 'orders', messages });
  }

  async function copied(): Promise<number> {
    const admin = kafka.admin();
    await admin.connect();
    const [partition] = await admin.fetchTopicOffsets('copy');
    await admin.disconnect();
    return Number(partition?.high ?? NaN);
  }

  async function connect(name: string, access: string, mark: string): Promise<void> {
    await window.runCommand('Kafka Workbench: Connect to a cluster...');
    await view.answer('(1/5)', broker.bootstrap);
    await view.answer('(2/5)', name);
    await view.pick('(3/5)', /^PLAINTEXT/);
    await view.pick('(4/5)', access);
    await view.pick('(5/5)', mark);
    await window.treeItem(new RegExp(`^${name} cluster`)).waitFor();
  }

  /** All of `orders`, in the panel that the first test opened. */
  let page: FrameLocator;

  async function tail(cluster: string): Promise<FrameLocator> {
    const topic = await view.open(new RegExp(`^${cluster} cluster`), /^Topics/, /^Topic orders/);
    await view.choose(topic, 'Tail records');
    const title = `.title:has(strong:text-is("orders")):has-text("@ ${cluster}")`;
    const opened = await window.webview(title);
    // It begins with the last ones, at some moment after the menu: what is typed before is lost.
    const last = opened.getByText(/^100 records/).first();
    await last.waitFor();
    const from = opened.getByRole('combobox', { name: 'Show records from' });
    await from.fill('earliest');
    await from.press('Enter');
    await opened.getByText('3,000 records').first().waitFor();
    return opened;
  }

  /** Everything as it is; there is one cluster that may be written to, so it is not asked for. */
  async function replayToCopy(): Promise<void> {
    await page.getByRole('button', { name: 'Replay...', exact: true }).click();
    await chooseInList(window, 'To which topic of prod?', 'copy');
    await chooseInList(window, 'To which partitions?', 'The same partition');
    await chooseInList(window, 'Which timestamps?', 'Keep the timestamps');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByText('Write up to 3,000 records to copy on prod?').waitFor();
    await window.chooseInDialog('Write');
  }

  it('writes nothing to a cluster that is read-only, and says so [B5] [D8]', async () => {
    await connect('audit', 'Read only', 'No mark');
    page = await tail('audit');
    await page.getByRole('button', { name: 'Replay...', exact: true }).click();
    const refusal = 'audit is marked read-only, so nothing is changed in it';
    await page.getByRole('alert').getByText(refusal).waitFor();
    assert.equal(await copied(), 0);
  });

  it('asks for the name of a production cluster before it writes [B5] [D8]', async () => {
    await connect('prod', 'Read and write', 'Production');
    await replayToCopy();
    await view.refused('Write up to 3,000 records', 'production', 'Type prod.');
    await window.page.keyboard.press('Escape');
    assert.equal(await copied(), 0);
    await replayToCopy();
    await view.answer('Write up to 3,000 records', 'prod');
    await window.toast('3,000 records written to copy on prod.');
    assert.equal(await copied(), recordCount);
    await window.runCommand('Notifications: Clear All Notifications');
  });

  it('is cancelled half way, and says how much was written [D8]', async () => {
    await throttleProducers();
    await replayToCopy();
    await view.answer('Write up to 3,000 records', 'prod');
    const toast = window.page.locator('.notifications-toasts .notification-list-item', {
      hasText: 'Replaying up to 3,000 records to copy on prod',
    });
    await toast.getByText(/[12],000 of 3,000/).waitFor();
    await toast.getByRole('button', { name: 'Cancel' }).click();
    const end = await window.toast(/^Cancelled: [12],000 records written to copy on prod/);
    const written = Number(/\d/.exec(end)?.[0]) * 1000;
    // Those under way may have arrived too.
    const there = (await copied()) - recordCount;
    assert.ok(there >= written && there < recordCount, `${there} of ${written}`);
    await view.below(undefined, /^Replay records to copy, .*cancelled/).waitFor();
  });

  /** By a quota, a lot takes seconds. */
  async function throttleProducers(): Promise<void> {
    const client = new KafkaClient({ bootstrap: [broker.bootstrap], security: plaintext });
    try {
      const entity = [{ entityType: 'client-id', entityName: null }];
      const ops = [{ key: 'producer_byte_rate', value: 2000, remove: false }];
      const body = { entries: [{ entity, ops }], validateOnly: false };
      const { entries } = await client.request('alterClientQuotas', body, { to: 'any' });
      assert.equal(entries[0]?.errorCode, 0);
    } finally {
      client.dispose();
    }
  }
});
