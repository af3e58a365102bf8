import assert from 'node:assert/strict';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Consumer, Kafka, logLevel, type Producer } from 'kafkajs';
import { after, afterEach, before, describe, it } from 'mocha';
import { type Editor, startEditor } from '../support/vscode/editor.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { installMemoryFolders } from '../support/vscode/memoryFolders.ts';
import { ClustersView } from './clustersView.ts';
import { embeddedStatus } from './controlObserver.ts';

const vsix = path.join(import.meta.dirname, '../../kafka-workbench.vsix');

/** A producer and a consumer that must notice nothing of what windows do. */
class Application {
  readonly #producer: Producer;
  readonly #consumer: Consumer;
  #sending: Promise<void> | undefined;
  #isStopped = false;
  sent = 0;
  readonly read: string[] = [];
  readonly troubles: string[] = [];

  constructor(bootstrap: string) {
    const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
    this.#producer = kafka.producer({ retry: { retries: 0 } });
    this.#consumer = kafka.consumer({ groupId: 'steady', sessionTimeout: 6000 });
    const note = ({ type }: { readonly type: string }): void => void this.troubles.push(type);
    const { CRASH, DISCONNECT, REQUEST_TIMEOUT } = this.#consumer.events;
    for (const event of [CRASH, DISCONNECT, REQUEST_TIMEOUT]) this.#consumer.on(event, note);
    this.#producer.on(this.#producer.events.DISCONNECT, note);
  }

  async start(): Promise<void> {
    await this.#producer.connect();
    await this.#consumer.connect();
    await this.#consumer.subscribe({ topic: 'steady', fromBeginning: true });
    await this.#consumer.run({
      eachMessage: ({ message }) => {
        this.read.push(message.value?.toString() ?? 'null');
        return Promise.resolve();
      },
    });
    this.#sending = this.#send();
  }

  async #send(): Promise<void> {
    while (!this.#isStopped) {
      await this.#producer.send({ topic: 'steady', messages: [{ value: String(this.sent) }] });
      this.sent++;
      await sleep(50);
    }
  }

  /** Stops sending, and waits until everything that was acknowledged has been read. */
  async finish(): Promise<void> {
    this.#isStopped = true;
    await this.#sending;
    for (let waited = 0; this.read.length < this.sent && waited < 10_000; waited += 50) {
      await sleep(50);
    }
  }

  async stop(): Promise<void> {
    await this.finish();
    await this.#producer.disconnect();
    await this.#consumer.disconnect();
  }
}

describe('two windows on one embedded cluster', function () {
  this.timeout(120_000);
  let editor: Editor;
  let first: EditorWindow;
  let second: EditorWindow;
  let application: Application;

  before(async () => {
    editor = await startEditor({ vsix, settings: { 'kafkaWorkbench.embedded.port': 0 } });
    first = await editor.open();
    const view = new ClustersView(first);
    await view.show();
    await first.page.getByRole('button', { name: 'Start the embedded cluster' }).click();
    await first.treeItem(/^Embedded cluster, running/).waitFor();
    const { bootstrap } = await embeddedStatus(editor);
    const admin = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: 'steady', numPartitions: 1 }] });
    await admin.disconnect();
    application = new Application(bootstrap);
    await application.start();
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await first.screenshot('two-windows-failed-1').catch(() => undefined);
    await second.screenshot('two-windows-failed-2').catch(() => undefined);
  });

  after(async () => {
    await application.stop();
    await editor.stop();
  });

  async function untilWindows(count: number): Promise<void> {
    for (let waited = 0; ; waited += 100) {
      const { windows } = await embeddedStatus(editor);
      if (windows === count) return;
      assert.ok(waited < 20_000, `${windows} windows are registered`);
      await sleep(100);
    }
  }

  it('a window that opens later finds the same process, and the same topics [A4]', async () => {
    const before = await embeddedStatus(editor);
    second = await editor.open();
    const view = new ClustersView(second);
    await view.show();
    await view.open(/^Embedded cluster, running/, /^Topics/);
    await view.below(undefined, /^Topic steady, 1 partition/).waitFor();
    await untilWindows(2);
    const { pid, bootstrap } = await embeddedStatus(editor);
    assert.deepEqual([pid, bootstrap], [before.pid, before.bootstrap]);
  });

  it('what is created in one window shows in the other [A4]', async () => {
    const view = new ClustersView(first);
    await first.runCommand('Kafka Workbench: Create topic...');
    await view.answer('(1/2)', 'from-the-first');
    await view.answer('(2/2)', '2');
    await new ClustersView(second)
      .below(undefined, /^Topic from-the-first, 2 partitions/)
      .waitFor();
  });

  it('one window closes, and the cluster stays for the other and for a client that noticed nothing [A4]', async () => {
    const { pid } = await embeddedStatus(editor);
    const sentBefore = application.sent;
    await first.page.goto('about:blank');
    await first.close();
    await untilWindows(1);
    const view = new ClustersView(second);
    await second.runCommand('Kafka Workbench: Create topic...');
    await view.answer('(1/2)', 'from-the-second');
    await view.answer('(2/2)', '1');
    await view.below(undefined, /^Topic from-the-second/).waitFor();
    await second.screenshot('second-window');
    await application.finish();
    assert.ok(application.sent > sentBefore);
    assert.deepEqual(
      application.read,
      Array.from({ length: application.sent }, (_, index) => String(index)),
    );
    assert.deepEqual(application.troubles, []);
    assert.equal((await embeddedStatus(editor)).pid, pid);
  });

  it('a window on a folder that is on no disk has the cluster, its topics and their records too [K2]', async () => {
    await installMemoryFolders(editor.root);
    const virtual = await editor.open('memory:/work');
    await virtual.page.locator('.explorer-viewlet, .explorer-folders-view').first().waitFor();
    await virtual.page.getByRole('treeitem', { name: 'hello.txt' }).waitFor();
    const view = new ClustersView(virtual);
    await view.show();
    await view.open(/^Embedded cluster, running/, /^Topics/);
    await view.choose(view.below(undefined, /^Topic steady/), 'Tail records');
    const tail = await virtual.webview('[role=grid]');
    await tail.getByRole('gridcell').first().waitFor();
    await virtual.screenshot('virtual-workspace');
    assert.deepEqual(virtual.policyViolations(), []);
    await virtual.close();
  });
});
