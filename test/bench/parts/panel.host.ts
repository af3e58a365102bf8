// Runs inside the extension host (see panel.ts).
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { it } from 'mocha';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/ui/api.ts';
import { Turns } from '../host/turns.ts';

const idleMs = 5000;

function residentMB(): number {
  return process.memoryUsage.rss() / 1e6;
}

it('tails a busy topic', async function () {
  this.timeout(280_000);
  const extension = vscode.extensions.getExtension<WorkbenchApi>('kafka-workbench.kafka-workbench');
  assert.equal(extension?.isActive, false);
  const idle = new Turns('nothing, without the extension');
  await idle.start();
  await sleep(idleMs);
  const without = idle.end();
  const { internals } = await extension.activate();
  assert.ok(internals);
  const { workbench } = internals;
  const bootstrap = [process.env['KAFKA_WORKBENCH_BENCH_BOOTSTRAP'] ?? ''];
  const cluster = await workbench.registry.add({ name: 'busy', bootstrap, readOnly: false });
  const startMB = residentMB();
  let peakMB = startMB;
  const turns = new Turns('a tail');
  await turns.start();
  workbench.panels.openTail({ cluster, topic: 'busy', from: 'latest' });
  while (!existsSync(process.env['KAFKA_WORKBENCH_BENCH_DONE'] ?? '')) {
    await sleep(200);
    peakMB = Math.max(peakMB, residentMB());
  }
  const figures = { without, tail: turns.end(), startMB, peakMB };
  await workbench.registry.remove(cluster.id);
  writeFileSync(process.env['KAFKA_WORKBENCH_BENCH_FILE'] ?? '', JSON.stringify(figures));
});
