// The Clusters view over a cluster with ten thousand topics and five thousand groups: what a person waits for, and how
// long the extension host is held up meanwhile.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commitGroupOffsets } from '../../../src/client/admin/groupOffsets.ts';
import { KafkaClient } from '../../../src/client/kafkaClient.ts';
import { mapBounded } from '../../../src/client/outcome.ts';
import { startEmbedded } from '../../support/embedded.ts';
import { runHostTests } from '../../support/vscode/hostTests.ts';
import type { TurnFigures } from '../host/turns.ts';
import type { Figure } from '../measure.ts';

const VSIX = path.join(import.meta.dirname, '../../../kafka-workbench.vsix');
const HOST_FILE = path.join(import.meta.dirname, 'tree.host.ts');
const TOPICS = 10_000;
const PARTITIONS = 3;
const GROUPS = 5_000;
const TOPICS_AT_ONCE = 1000;

/** What the host writes: for each thing done, how long it took, and what the turns of the event loop took. */
type TreeFigures = readonly ({ readonly what: string; readonly ms: number } & TurnFigures)[];

export async function tree(runs: number): Promise<Figure[]> {
  const broker = await startEmbedded();
  try {
    await fill(broker.bootstrap);
    const all: TreeFigures[] = [];
    for (let run = 0; run < runs; run++) all.push(await measure(broker.bootstrap));
    return (all[0] ?? []).flatMap(({ what }, i) =>
      figuresOf(
        what,
        all.map((each) => each[i]),
      ),
    );
  } finally {
    await broker.stop();
  }
}

function figuresOf(what: string, runs: readonly (TreeFigures[number] | undefined)[]): Figure[] {
  const figure = (
    name: string,
    key: Exclude<keyof TreeFigures[number], 'what'>,
    goal?: string,
  ) => ({
    what: name,
    unit: 'ms',
    ours: runs.map((run) => run?.[key] ?? NaN),
    ...(goal !== undefined && { goal }),
  });
  return [
    figure(what, 'ms', what.includes('first 500') ? '<= 300 ms' : undefined),
    figure('  longest turn', 'longestTurnMs'),
    figure('  longest turn, of the processor', 'longestTurnCpuMs', '<= 50 ms'),
    figure('  all turns: ours', 'oursMs'),
    figure("  all turns: the editor's", 'editorsMs'),
    figure('  all turns: collecting garbage', 'garbageMs'),
  ];
}

async function fill(bootstrap: string): Promise<void> {
  const client = new KafkaClient({ bootstrap: [bootstrap], timeoutMs: 120_000 });
  for (let first = 0; first < TOPICS; first += TOPICS_AT_ONCE) {
    const topics = Array.from({ length: TOPICS_AT_ONCE }, (_, i) => ({
      name: topicName(first + i),
      numPartitions: PARTITIONS,
      replicationFactor: 1,
      configs: [],
      assignments: [],
    }));
    const request = { topics, timeoutMs: 60_000, validateOnly: false };
    await client.request('createTopics', request, { to: 'controller', isRepeatable: false });
  }
  const groups = Array.from({ length: GROUPS }, (_, i) => i);
  await mapBounded(groups, 16, (i) =>
    commitGroupOffsets(client, `group-${String(i).padStart(5, '0')}`, [
      { topic: topicName(i), partition: 0, offset: 0n, leaderEpoch: -1, metadata: '' },
    ]),
  );
  client.dispose();
}

function topicName(i: number): string {
  return `topic-${String(i).padStart(5, '0')}`;
}

async function measure(bootstrap: string): Promise<TreeFigures> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tree-'));
  const file = path.join(folder, 'figures.json');
  const { failed } = await runHostTests({
    vsix: VSIX,
    files: [HOST_FILE],
    env: { KAFKA_WORKBENCH_BENCH_FILE: file, KAFKA_WORKBENCH_BENCH_BOOTSTRAP: bootstrap },
    timeoutMs: 300_000,
  });
  assert.deepEqual(failed, []);
  const figures = JSON.parse(await readFile(file, 'utf8')) as TreeFigures;
  await rm(folder, { recursive: true });
  return figures;
}
