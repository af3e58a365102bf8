import path from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { after, afterEach, before, describe, it } from 'mocha';
import { sendOnce } from '../support/kafka/sendOnce.ts';
import { type Editor, startEditor } from '../support/vscode/editor.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { ClustersView } from './clustersView.ts';
import { embeddedStatus } from './controlObserver.ts';

const vsix = path.join(import.meta.dirname, '../../kafka-workbench.vsix');

describe("the embedded cluster's time in the editor", function () {
  this.timeout(120_000);
  let editor: Editor;
  let window: EditorWindow;
  let view: ClustersView;

  before(async () => {
    editor = await startEditor({ vsix, settings: { 'kafkaWorkbench.embedded.port': 0 } });
    window = await editor.open();
    view = new ClustersView(window);
    await view.show();
    await window.page.getByRole('button', { name: 'Start the embedded cluster' }).click();
    await window.treeItem(/^Embedded cluster, running/).waitFor();
    const { bootstrap } = await embeddedStatus(editor);
    const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
    const admin = kafka.admin();
    await admin.connect();
    const keptFor = (value: string) => [{ name: 'retention.ms', value }];
    await admin.createTopics({
      topics: [
        { topic: 'orders', numPartitions: 3, configEntries: keptFor('-1') },
        { topic: 'short-lived', configEntries: keptFor('86400000') },
      ],
    });
    const messages = Array.from({ length: 30 }, (_, i) => {
      return { key: `O-${i}`, value: `{"id":${i}}`, partition: i % 3 };
    });
    const twoOthers = { topic: 'short-lived', messages: [{ value: 'a' }, { value: 'b' }] };
    await sendOnce(kafka, { topic: 'orders', messages }, twoOthers);
    await admin.disconnect();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('clock-failed');
  });

  after(async () => {
    await window.close();
    await editor.stop();
  });

  it('the clock goes forward by a week, retention deletes what is over its time, and the row says so [A15]', async () => {
    await view.open(/^Embedded/, /^Topics/);
    await view.below(undefined, /^Topic short-lived, 1 partition, 2 offsets/).waitFor();
    await window.runCommand("Kafka Workbench: Advance the embedded cluster's clock...");
    await window.pick('7 days');
    await window.treeItem(/^Embedded cluster, running, .*clock \+7d/).waitFor();
    await window.screenshot('clock');
    await window.runCommand("Kafka Workbench: Run the embedded cluster's maintenance now...");
    await window.pick('Retention');
    await window.toast(/retention: deleted 1 segment of 1 partition/);
    await view.below(undefined, /^Topic short-lived, 1 partition, 0 offsets/).waitFor();
    await view.below(undefined, /^Topic orders, 3 partitions, 30 offsets/).waitFor();
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
