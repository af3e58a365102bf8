// What the extension costs the editor: the size of its package, and the time of its activation.
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { runHostTests } from '../../support/vscode/hostTests.ts';
import { repeat } from '../measure.ts';
import type { Figure } from '../measure.ts';

const VSIX = path.join(import.meta.dirname, '../../../kafka-workbench.vsix');
const HOST_FILE = path.join(import.meta.dirname, 'activation.host.ts');

export async function extension(runs: number): Promise<Figure[]> {
  const { size } = await stat(VSIX);
  const times = await repeat(runs, activationMs);
  return [
    { what: 'size of the .vsix', unit: 'MB', ours: [size / 1e6], goal: '< 3 MB' },
    {
      what: 'activation, loading its code included',
      unit: 'ms',
      ours: times,
      goal: '< 50 ms',
    },
  ];
}

/** In an extension host of its own each time: the code is loaded only once in one. */
async function activationMs(): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'activation-'));
  const file = path.join(folder, 'ms');
  const env = { KAFKA_WORKBENCH_BENCH_FILE: file };
  const { failed } = await runHostTests({ vsix: VSIX, files: [HOST_FILE], env });
  assert.deepEqual(failed, []);
  const ms = Number(await readFile(file, 'utf8'));
  await rm(folder, { recursive: true });
  return ms;
}
