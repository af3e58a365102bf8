// One editor with both clusters in it, embedded and Apache Kafka 4.4, and the same tests against each.
import assert from 'node:assert/strict';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { after, afterEach, before, describe } from 'mocha';
import { createTopic } from '../../../src/client/admin/topics.ts';
import { KafkaClient } from '../../../src/client/kafkaClient.ts';
import { sharedKafka } from '../../support/kafka/sharedKafka.ts';
import { type Editor, startEditor } from '../../support/vscode/editor.ts';
import type { EditorWindow } from '../../support/vscode/editorWindow.ts';
import { ClustersView } from '../clustersView.ts';
import { embeddedStatus, endEmbedded } from '../controlObserver.ts';

const vsix = path.join(import.meta.dirname, '../../../kafka-workbench.vsix');

/** A cluster, by the name of its connection in the editor, and ways to it beside the editor. */
export interface Cluster {
  readonly name: 'Embedded' | 'real';
  readonly bootstrap: string;
  /** Our own client. */
  readonly client: KafkaClient;
  readonly kafka: Kafka;
}

export interface Scene {
  readonly editor: Editor;
  readonly window: EditorWindow;
  readonly view: ClustersView;
  /** The cluster that the test is about. */
  readonly cluster: Cluster;
  readonly other: Cluster;
}

const names = { embedded: 'Embedded', 'Kafka 4.4': 'real' } as const;

/** Defines the same tests on the embedded cluster and on Apache Kafka, which differ in nothing that is tested. */
export function onBothClusters(title: string, define: (scene: () => Scene) => void): void {
  describe(title, function () {
    this.timeout(240_000);
    let scenes: Record<keyof typeof names, Scene> | undefined;
    let current: Scene | undefined;

    before(async function () {
      this.timeout(240_000);
      scenes = await openScenes();
    });

    afterEach(async function () {
      if (this.currentTest?.state !== 'failed') return;
      const name = this.currentTest.fullTitle().replaceAll(/\W+/g, '-').slice(0, 80);
      await current?.window.screenshot(`failed-${name}`);
      // Questions that are left open are not for the next test.
      for (let i = 0; i < 3; i++) await current?.window.page.keyboard.press('Escape');
    });

    after(async () => {
      const { editor, window, cluster, other } = current ?? assert.fail('no editor');
      cluster.client.dispose();
      other.client.dispose();
      await window.close();
      await endEmbedded(editor);
      await editor.stop();
    });

    for (const cluster of ['embedded', 'Kafka 4.4'] as const) {
      describe(`(${cluster})`, () => {
        before(() => (current = scenes?.[cluster]));
        define(() => current ?? assert.fail('no editor'));
      });
    }
  });
}

async function openScenes(): Promise<Record<keyof typeof names, Scene>> {
  const settings = {
    'kafkaWorkbench.embedded.port': 0,
    // Else it ends when a window takes more than 30 s to reload.
    'kafkaWorkbench.embedded.keepRunning': true,
  };
  const [{ bootstrap }, editor] = await Promise.all([
    sharedKafka(),
    startEditor({ vsix, settings }),
  ]);
  const window = await editor.open();
  await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const view = new ClustersView(window);
  await view.show();
  await window.page.getByRole('button', { name: 'Start the embedded cluster' }).click();
  await window.treeItem(/^Embedded cluster, running/).waitFor();
  await window.runCommand('Kafka Workbench: Connect to a cluster...');
  await view.answer('(1/5)', bootstrap);
  await view.answer('(2/5)', names['Kafka 4.4']);
  await view.pick('(3/5)', /^PLAINTEXT/);
  await view.pick('(4/5)', 'Read and write');
  await view.pick('(5/5)', 'No mark');
  await window.treeItem(/^real cluster, connected/).waitFor();
  const embedded = clusterAt('Embedded', (await embeddedStatus(editor)).bootstrap);
  const real = clusterAt('real', bootstrap);
  const common = { editor, window, view };
  return {
    embedded: { ...common, cluster: embedded, other: real },
    'Kafka 4.4': { ...common, cluster: real, other: embedded },
  };
}

function clusterAt(name: Cluster['name'], bootstrap: string): Cluster {
  const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
  return { name, bootstrap, kafka, client: new KafkaClient({ bootstrap: [bootstrap] }) };
}

export async function newTopic(
  { client }: Cluster,
  name: string,
  partitionCount = 1,
  configs: Readonly<Record<string, string>> = {},
): Promise<string> {
  await createTopic(client, { name, partitionCount, replicationFactor: -1, configs });
  return name;
}

const LIMIT_MS = 60_000;

/** Looks until it is so; else fails with what it was last. */
export async function becomes<T>(look: () => Promise<T>, expected: T): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const actual = await look();
    if (isDeepStrictEqual(actual, expected)) return;
    if (performance.now() > deadline) assert.deepEqual(actual, expected);
    await sleep(50);
  }
}
