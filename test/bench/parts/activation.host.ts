import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { it } from 'mocha';
import * as vscode from 'vscode';

it('activates, timed', async () => {
  const extension = vscode.extensions.getExtension('kafka-workbench.kafka-workbench');
  assert.ok(extension);
  assert.equal(extension.isActive, false, 'something else activated it first');
  const started = performance.now();
  await extension.activate();
  const ms = performance.now() - started;
  writeFileSync(process.env['KAFKA_WORKBENCH_BENCH_FILE'] ?? '', String(ms));
});
