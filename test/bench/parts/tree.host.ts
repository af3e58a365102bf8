// Runs inside the extension host (see tree.ts).
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { it } from 'mocha';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/ui/api.ts';
import { readNameFilter } from '../../../src/cluster/nameFilter.ts';
import { type TurnFigures, Turns } from '../host/turns.ts';

type Figures = ({ what: string; ms: number } & TurnFigures)[];

const idleMs = 3000;
const betweenLettersMs = 60;
/** What the editor does with what it was told comes after. */
const afterwardsMs = 1000;

it('shows ten thousand topics and five thousand groups', async function () {
  this.timeout(280_000);
  const extension = vscode.extensions.getExtension<WorkbenchApi>('kafka-workbench.kafka-workbench');
  const figures: Figures = [];
  const done = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const turns = new Turns(what);
    await turns.start();
    const startedMs = performance.now();
    await work();
    const ms = performance.now() - startedMs;
    await sleep(afterwardsMs);
    figures.push({ what, ms, ...turns.end() });
  };
  assert.equal(extension?.isActive, false);
  await done('nothing, without the extension', () => sleep(idleMs));
  const { internals } = await extension.activate();
  assert.ok(internals);
  const { workbench, model } = internals;
  const bootstrap = [process.env['KAFKA_WORKBENCH_BENCH_BOOTSTRAP'] ?? ''];
  const profile = await workbench.registry.add({ name: 'large', bootstrap, readOnly: false });
  await vscode.commands.executeCommand('kafkaWorkbench.clusters.focus');
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
  await done('filtering as “topic-0999” is typed', async () => {
    for (let end = 1; end <= 10; end++) {
      await filter('topic-0999'.slice(0, end));
      await sleep(betweenLettersMs);
    }
  });
  await done('filtering by a regular expression', () => filter('/9[0-4].*7$/'));
  await done('clearing the filter', () => filter(''));
  await done('opening a topic', () => open(`${cluster}/topics/topic-00000`));
  await done('opening a partition', () => open(`${cluster}/topics/topic-00000/0`));
  await done('a refresh of all that is open', () => model.refresh());
  await done('another refresh', () => model.refresh());
  await done('nothing but its own refreshing', () => sleep(idleMs));
  const more = model.cell(`${cluster}/topics/more`);
  assert.ok(more);
  await done('500 topics more', () => model.showMore(more));
  await done('sorting by records', () => workbench.choices.setSort(topics, 'records'));
  await done('sorting by lag', () => workbench.choices.setSort(topics, 'lag'));
  await workbench.choices.setSort(topics, 'name');
  await workbench.registry.remove(profile.id);
  writeFileSync(process.env['KAFKA_WORKBENCH_BENCH_FILE'] ?? '', JSON.stringify(figures));
});
