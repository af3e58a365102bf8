import assert from 'node:assert/strict';
import { Kafka, logLevel } from 'kafkajs';
import { after, afterEach, before, describe, it } from 'mocha';
import { sendOnce } from '../support/kafka/sendOnce.ts';
import { sharedKafka } from '../support/kafka/sharedKafka.ts';
import { sharedEditor } from '../support/vscode/editor.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { ClustersView } from './clustersView.ts';

describe('a connection to Apache Kafka 4.4', function () {
  this.timeout(180_000);
  let window: EditorWindow;
  let view: ClustersView;
  let bootstrap: string;
  let kafka: Kafka;

  before(async () => {
    ({ bootstrap } = await sharedKafka());
    // A Kafka that is busy takes a while to know what was just created.
    const retry = { retries: 12 };
    kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.ERROR, retry });
    const admin = kafka.admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: 'ui.orders', numPartitions: 3 }] });
    const messages = [1200, 30].flatMap((count, partition) =>
      Array.from({ length: count }, (_, i) => ({ partition, value: `order ${i}` })),
    );
    await sendOnce(kafka, { topic: 'ui.orders', messages });
    await admin.setOffsets({
      groupId: 'ui.billing',
      topic: 'ui.orders',
      partitions: [{ partition: 0, offset: '200' }],
    });
    await admin.disconnect();
    window = await (await sharedEditor()).open();
    view = new ClustersView(window);
    await view.show();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('real-kafka-failed');
  });

  after(() => window.close());

  it('is added from an address, a name and whether it may be changed', async () => {
    await window.runCommand('Kafka Workbench: Connect to a cluster...');
    await view.answer('(1/5)', 'localhost');
    await window.page.getByText('"localhost" is not host:port').waitFor();
    await view.answer('(1/5)', bootstrap);
    await view.answer('(2/5)', 'real');
    await view.pick('(3/5)', /^PLAINTEXT/);
    await view.pick('(4/5)', 'Read and write');
    await view.pick('(5/5)', 'No mark');
    await window.treeItem(/^real cluster, connected/).waitFor();
  });

  it('shows brokers, topics, partitions and groups with their offsets and lag [C1]', async () => {
    await view.open(/^real cluster/, /^Topics/, /^Topic ui\.orders/, /^Partition 0/);
    await view.open(/^real cluster/, /^Consumer groups/, /^Group ui\.billing/, /^Topic ui\.orders/);
    await view.open(/^real cluster/, /^Brokers/);
    await view.below(undefined, /^Partition 0, committed 200/).waitFor();
    const rows = (await view.rows()).join('\n');
    await window.screenshot('real-kafka');
    assert.match(rows, /Topic ui\.orders, 3 partitions, 1,230 offsets/);
    assert.match(rows, /Partition 0, offsets 0 to 1,200, leader 1/);
    assert.match(rows, /Partition 2, offsets 0 to 0, leader 1/);
    assert.match(rows, /Group ui\.billing, committed 200, lag 1,000/);
    assert.match(rows, /Group ui\.billing, Empty, lag 1,000/);
    assert.match(rows, /Broker 1, 127\.0\.0\.1:\d+/);
  });

  it('creates a topic, adds partitions, and deletes it, saying what is destroyed', async () => {
    await window.runCommand('Kafka Workbench: Create topic...');
    await view.answer('(1/2)', 'ui orders');
    await window.page.getByText('" " cannot be in a topic').waitFor();
    await view.answer('(1/2)', 'ui.made');
    await view.answer('(2/2)', '2');
    const row = view.below(undefined, /^Topic ui\.made, 2 partitions/);
    await row.waitFor();
    await view.choose(row, 'Add partitions...');
    await view.answer('Add partitions', '5');
    const grown = view.below(undefined, /^Topic ui\.made, 5 partitions/);
    await grown.waitFor();
    await view.choose(grown, 'Delete topic...');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByText('Delete topic ui.made (5 partitions, 0 records)?').waitFor();
    await window.screenshot('delete-topic');
    await window.chooseInDialog('Delete');
    await grown.waitFor({ state: 'detached' });
  });

  it('deletes a group, saying what is lost', async () => {
    const group = view.below(undefined, /^Group ui\.billing, Empty/);
    await view.choose(group, 'Delete consumer group...');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByText('Delete consumer group ui.billing (1 committed offset)?').waitFor();
    await window.chooseInDialog('Delete');
    await group.waitFor({ state: 'detached' });
    const { groups } = await describeGroups('ui.billing');
    assert.equal(groups[0]?.state, 'Dead');
  });

  it('fails in its own row when a cluster cannot be reached, and says why [B6]', async () => {
    await window.runCommand('Kafka Workbench: Connect to a cluster...');
    await view.answer('(1/5)', '127.0.0.1:1');
    await view.answer('(2/5)', 'nowhere');
    await view.pick('(3/5)', /^PLAINTEXT/);
    await view.pick('(4/5)', 'Read and write');
    await view.pick('(5/5)', 'No mark');
    await window.toast(/Connect to a cluster: .*127\.0\.0\.1:1\b/);
    const failed = view.below(undefined, /^nowhere cluster, failed, .*127\.0\.0\.1:1\b/);
    await failed.waitFor();
    await view.below(undefined, /^Topic ui\.orders, 3 partitions, 1,230 offsets/).waitFor();
    await window.screenshot('unreachable');
    await view.choose(failed, 'Remove connection...');
    await window.chooseInDialog('Remove');
    await failed.waitFor({ state: 'detached' });
  });

  it('offers nothing that changes a cluster marked read-only', async () => {
    await view.choose(view.below(undefined, /^real cluster/), 'Edit connection...');
    await view.answer('(1/5)', bootstrap);
    await view.answer('(2/5)', 'real');
    await view.pick('(3/5)', /^PLAINTEXT/);
    await view.pick('(4/5)', 'Read only');
    await view.pick('(5/5)', 'No mark');
    const topic = await view.open(
      /^real cluster, connected, .*READ ONLY/,
      /^Topics/,
      /^Topic ui\.orders/,
    );
    await topic.click({ button: 'right' });
    const menu = window.page.locator('.monaco-menu');
    await menu.getByText('Tail records').waitFor();
    const entries = (await menu.innerText()).split('\n').filter(Boolean);
    await window.page.keyboard.press('Escape');
    assert.deepEqual(entries, [
      ...['Tail records', 'Show lag', 'Topic configs...', 'Pin to the top', 'Copy', 'Refresh'],
    ]);
  });

  async function describeGroups(
    ...ids: string[]
  ): ReturnType<ReturnType<Kafka['admin']>['describeGroups']> {
    const admin = kafka.admin();
    await admin.connect();
    try {
      return await admin.describeGroups(ids);
    } finally {
      await admin.disconnect();
    }
  }
});
