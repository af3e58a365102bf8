// The same tests against the embedded cluster and Apache Kafka 4.4, in the one editor that has both.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import { after, afterEach, before, describe } from 'mocha';
import { createTopic } from '../../../src/client/admin/topics.ts';
import { KafkaClient } from '../../../src/client/kafkaClient.ts';
import type { Editor } from '../../support/vscode/editor.ts';
import type { EditorWindow } from '../../support/vscode/editorWindow.ts';
import { emptyCluster, sharedStage, type StagedCluster } from '../bothClusters.ts';
import type { ClustersView } from '../clustersView.ts';
import { runCommand } from './questions.ts';

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

/** As titles of tests have them. */
type Place = (typeof places)[number];

const places = ['embedded', 'Kafka 4.4'] as const;

let shared: Promise<Record<Place, Scene>> | undefined;

after(async () => {
  if (!shared) return;
  const { cluster, other } = (await shared).embedded;
  cluster.client.dispose();
  other.client.dispose();
});

/**
 * Defines the same tests on the embedded cluster and on Apache Kafka, which differ in nothing that is tested; all in
 * the one editor of this test process.
 */
export function onBothClusters(title: string, define: (scene: () => Scene) => void): void {
  describe(title, function () {
    this.timeout(240_000);
    let current: Scene | undefined;

    afterEach(async function () {
      if (this.currentTest?.state !== 'failed') return;
      const name = this.currentTest.fullTitle().replaceAll(/\W+/g, '-').slice(0, 80);
      await current?.window.screenshot(`failed-${name}`);
      // Questions that are left open are not for the next test.
      for (let i = 0; i < 3; i++) await current?.window.page.keyboard.press('Escape');
    });

    after(async () => {
      for (const { admin } of (await sharedStage()).clusters) await emptyCluster(admin);
    });

    for (const place of places) {
      describe(`(${place})`, () => {
        before(async function () {
          this.timeout(240_000);
          current = (await (shared ??= openScenes()))[place];
          await runCommand(current.window, 'View: Close All Editors');
        });
        define(() => current ?? assert.fail('no editor'));
      });
    }
  });
}

async function openScenes(): Promise<Record<Place, Scene>> {
  const { clusters, ...stage } = await sharedStage();
  const [embedded, real] = clusters.map(withClient);
  assert.ok(embedded && real);
  return {
    embedded: { ...stage, cluster: embedded, other: real },
    'Kafka 4.4': { ...stage, cluster: real, other: embedded },
  };
}

function withClient({ label, bootstrap, kafka }: StagedCluster): Cluster {
  return { name: label, bootstrap, kafka, client: new KafkaClient({ bootstrap: [bootstrap] }) };
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
