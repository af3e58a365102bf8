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
import type { Figure } from '../measure.ts';

const VSIX = path.join(import.meta.dirname, '../../../kafka-workbench.vsix');
const HOST_FILE = path.join(import.meta.dirname, 'tree.host.ts');
const TOPICS = 10_000;
const PARTITIONS = 3;
const GROUPS = 5_000;
const TOPICS_AT_ONCE = 1000;

/** What the host writes: for each thing done, how long it took, and the longest turn of the event loop. */
type TreeFigures = readonly {
  readonly what: string;
  readonly ms: number;
  readonly longestTurnMs: number;
  /** Of the processor: on a busy machine, the part of it that is ours. */
  readonly longestTurnCpuMs: number;
}[];

export async function tree(runs: number): Promise<Figure[]> {
  const broker = await startEmbedded();
  try {
    await fill(broker.bootstrap);
    const all: TreeFigures[] = [];
    for (let run = 0; run < runs; run++) all.push(await measure(broker.bootstrap));
    return (all[0] ?? []).flatMap(({ what }, i): Figure[] => [
      {
        what,
        unit: 'ms',
        ours: all.map((figures) => figures[i]?.ms ?? NaN),
        ...(what.includes('first 500 topics') && { goal: '<= 300 ms' }),
      },
      {
        what: `${what}: longest turn of the event loop`,
        unit: 'ms',
        ours: all.map((figures) => figures[i]?.longestTurnMs ?? NaN),
        goal: '<= 50 ms',
      },
      {
        what: `${what}: of that, the processor`,
        unit: 'ms',
        ours: all.map((figures) => figures[i]?.longestTurnCpuMs ?? NaN),
      },
    ]);
  } finally {
    await broker.stop();
  }
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
  });
  assert.deepEqual(failed, []);
  const figures = JSON.parse(await readFile(file, 'utf8')) as TreeFigures;
  await rm(folder, { recursive: true });
  return figures;
}
