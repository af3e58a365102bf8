// One editor with both clusters in it: the embedded one, and a real Apache Kafka 4.4 as a connection.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { after, before, describe } from 'mocha';
import { sendOnce } from '../support/kafka/sendOnce.ts';
import type { Editor } from '../support/vscode/editor.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import type { ClustersView } from './clustersView.ts';
import { endEmbedded } from './controlObserver.ts';
import { openEditorWithBoth } from './editorWithBoth.ts';

export interface StagedCluster {
  /** As titles of tests have it. */
  readonly name: 'embedded' | 'Kafka 4.4';
  /** As the editor has it. */
  readonly label: 'Embedded' | 'real';
  /** Its row in the tree. */
  readonly row: RegExp;
  readonly bootstrap: string;
  /** An application's client, outside of the editor. */
  readonly kafka: Kafka;
  readonly admin: Admin;
}

export interface Stage {
  readonly editor: Editor;
  readonly window: EditorWindow;
  readonly view: ClustersView;
  readonly clusters: readonly StagedCluster[];
}

const settings = {
  'kafkaWorkbench.lag.sampleSeconds': 0.5,
  'kafkaWorkbench.tree.refreshSeconds': 1,
  // Else it ends when a window takes more than 30 s to reload.
  'kafkaWorkbench.embedded.keepRunning': true,
};

let shared: Promise<Stage> | undefined;

after(async () => {
  if (!shared) return;
  const { editor, window, clusters } = await shared;
  await Promise.all(clusters.map(({ admin }) => admin.disconnect()));
  await window.close();
  await endEmbedded(editor);
  await editor.stop();
});

/** The one such editor of this test process. */
export function sharedStage(): Promise<Stage> {
  return (shared ??= startStage());
}

/** Writes `order 0`, `order 1` … to a partition, as an application does. */
export async function produceOrders(
  kafka: Kafka,
  topic: string,
  { partition, count }: { readonly partition: number; readonly count: number },
): Promise<void> {
  const messages = Array.from({ length: count }, (_, i) => ({ partition, value: `order ${i}` }));
  await sendOnce(kafka, { topic, messages });
}

/** Defines the same tests for each cluster, all in the one editor of this test process. */
export function forBothClusters(
  title: string,
  define: (cluster: () => StagedCluster, stage: () => Stage) => void,
): void {
  let found: Stage | undefined;
  const stage = (): Stage => {
    if (!found) throw new Error('asked for before it was there');
    return found;
  };
  for (const [index, name] of names.entries()) {
    describe(`${title} (${name})`, function () {
      this.timeout(120_000);
      before(async function () {
        this.timeout(240_000);
        found = await sharedStage();
        await found.window.runCommand('View: Close All Editors');
        await emptyCluster(cluster().admin);
      });
      after(() => emptyCluster(cluster().admin));
      const cluster = (): StagedCluster => {
        const each = stage().clusters[index];
        if (!each) throw new Error(`${name} is not staged`);
        return each;
      };
      define(cluster, stage);
    });
  }
}

const names = ['embedded', 'Kafka 4.4'] as const;

async function startStage(): Promise<Stage> {
  const { bootstrap, ...open } = await openEditorWithBoth(settings);
  const clusters = await Promise.all([
    clientOf({ name: names[0], label: 'Embedded', bootstrap: bootstrap.embedded }),
    clientOf({ name: names[1], label: 'real', bootstrap: bootstrap.real }),
  ]);
  return { ...open, clusters };
}

/** What a file leaves would push the rows of the next out of view, also where that is of another editor. */
export async function emptyCluster(admin: Admin): Promise<void> {
  const topics = (await admin.listTopics()).filter((name) => !name.startsWith('__'));
  if (topics.length > 0) await admin.deleteTopics({ topics });
  const ids = (await admin.listGroups()).groups.map(({ groupId }) => groupId);
  if (ids.length === 0) return;
  const { groups } = await admin.describeGroups(ids);
  const idle = groups.filter(({ state }) => state === 'Empty').map(({ groupId }) => groupId);
  if (idle.length > 0) await admin.deleteGroups(idle);
}

async function clientOf(
  known: Pick<StagedCluster, 'name' | 'label' | 'bootstrap'>,
): Promise<StagedCluster> {
  const kafka = new Kafka({ brokers: [known.bootstrap], logLevel: logLevel.NOTHING });
  const admin = patient(kafka.admin());
  await admin.connect();
  return { ...known, row: new RegExp(`^${known.label} cluster`), kafka, admin };
}

const KNOWN_LIMIT_MS = 60_000;

/** For kafkajs it is an error that a broker has yet to hear of a topic from its controller. */
function patient(admin: Admin): Admin {
  return {
    ...admin,
    async createTopics(options) {
      const isCreated = await admin.createTopics({ ...options, waitForLeaders: false });
      const deadline = performance.now() + KNOWN_LIMIT_MS;
      for (;;) {
        const known = new Set(await admin.listTopics());
        const missing = options.topics.filter(({ topic }) => !known.has(topic));
        if (missing.length === 0) return isCreated;
        assert.ok(performance.now() < deadline, 'a topic that is created is not known');
        await sleep(50);
      }
    },
  };
}
