// Runs inside the extension host (see tree.ts).
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { it } from 'mocha';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/ui/api.ts';
import { readNameFilter } from '../../../src/cluster/nameFilter.ts';

type Figures = { what: string; ms: number; longestTurnMs: number; longestTurnCpuMs: number }[];

const resolutionMs = 1;

/** Of this thread, so that what other processes take of a busy machine counts for nothing. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The most that one turn of the event loop takes: of time, and of the processor. */
class Turns {
  readonly #delay = monitorEventLoopDelay({ resolution: resolutionMs });
  #cpuMs = cpuMs();
  #longestCpuMs = 0;
  readonly #timer = setInterval(() => {
    const now = cpuMs();
    this.#longestCpuMs = Math.max(this.#longestCpuMs, now - this.#cpuMs);
    this.#cpuMs = now;
  }, resolutionMs);

  constructor() {
    this.#delay.enable();
  }

  end(): { longestTurnMs: number; longestTurnCpuMs: number } {
    clearInterval(this.#timer);
    this.#delay.disable();
    const longestTurnMs = Math.max(0, this.#delay.max / 1e6 - resolutionMs);
    return { longestTurnMs, longestTurnCpuMs: this.#longestCpuMs };
  }
}

it('shows ten thousand topics and five thousand groups', async function () {
  this.timeout(100_000);
  const extension = vscode.extensions.getExtension<WorkbenchApi>('kafka-workbench.kafka-workbench');
  const { internals } = (await extension?.activate()) ?? {};
  assert.ok(internals);
  const { workbench, model } = internals;
  const bootstrap = [process.env['KAFKA_WORKBENCH_BENCH_BOOTSTRAP'] ?? ''];
  const profile = await workbench.registry.add({ name: 'large', bootstrap, readOnly: false });
  await vscode.commands.executeCommand('kafkaWorkbench.clusters.focus');
  const figures: Figures = [];
  const done = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const turns = new Turns();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const startedMs = performance.now();
    await work();
    const ms = performance.now() - startedMs;
    // What the editor does with what it was told comes after.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    figures.push({ what, ms, ...turns.end() });
  };
  const open = (id: string): Promise<void> => workbench.view.reveal(id, { expand: true });
  const cluster = `cluster:${profile.id}`;
  const topics = { clusterId: profile.id, kind: 'topics' } as const;
  await model.children(undefined);
  await done('opening the cluster', () => open(cluster));
  await done('opening its first 500 topics', () => open(`${cluster}/topics`));
  assert.equal(model.cell(`${cluster}/topics`)?.children?.length, 501);
  await done('opening its first 500 groups', () => open(`${cluster}/groups`));
  const names = await model.listNames(topics);
  assert.equal(names.length, 10_000);
  const filter = async (text: string): Promise<void> => {
    const made = readNameFilter(text);
    await made?.prepare(names);
    workbench.choices.setFilter(topics, made);
  };
  await done('filtering by text', () => filter('99'));
  await done('filtering by a regular expression', () => filter('/9[0-4].*7$/'));
  await done('clearing the filter', () => filter(''));
  await done('opening a topic', () => open(`${cluster}/topics/topic-00000`));
  await done('opening a partition', () => open(`${cluster}/topics/topic-00000/0`));
  await done('a refresh of all that is open', () => model.refresh());
  await done('another refresh', () => model.refresh());
  const more = model.cell(`${cluster}/topics/more`);
  assert.ok(more);
  await done('500 topics more', () => model.showMore(more));
  await done('sorting by records', () => workbench.choices.setSort(topics, 'records'));
  await done('sorting by lag', () => workbench.choices.setSort(topics, 'lag'));
  await workbench.choices.setSort(topics, 'name');
  await workbench.registry.remove(profile.id);
  writeFileSync(process.env['KAFKA_WORKBENCH_BENCH_FILE'] ?? '', JSON.stringify(figures));
});
