import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { installOnce } from '../../../.ci/installOnce.ts';
import { run, spawnOwned } from '../../support/process.ts';

// kafka-python is not librdkafka under another name: a protocol implementation of its own. With what it
// needs for each codec that Python does not bring.
const PACKAGES = [
  'kafka-python==3.0.12',
  'python-snappy==0.7.3',
  'lz4==4.4.5',
  'zstandard==0.25.0',
];
const FOLDER = 'kafka-python-3.0.12-with-codecs';

/** Runs a Python program that has to succeed, with kafka-python at hand; resolves with what it printed. */
export async function python(args: readonly string[], input = ''): Promise<string> {
  // A folder of packages: unlike a virtual environment it can be moved into place.
  const env = { ...process.env, PYTHONPATH: await installOnce(FOLDER, installPackages) };
  const finished = await run('python3', args, { input, env, timeoutMs: 60_000 });
  assert.equal(finished.code, 0, finished.stderr);
  return finished.stdout;
}

/** librdkafka as Python has it: the newest, unlike kcat's. */
const CONFLUENT = 'confluent-kafka==2.16.1';

/** Starts a Python program with Confluent's client at hand; its streams are the caller's. */
export async function spawnWithConfluent(args: readonly string[]): Promise<ChildProcess> {
  const env = { ...process.env, PYTHONPATH: await confluent() };
  return spawnOwned('python3', args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
}

/** Runs a Python program that has to succeed, with Confluent's client at hand; resolves with what it printed. */
export async function runWithConfluent(
  program: string,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const env = { ...process.env, ...variables, PYTHONPATH: await confluent() };
  const finished = await run('python3', ['-'], { input: program, env });
  assert.equal(finished.code, 0, finished.stderr);
  return finished.stdout;
}

/** What has a program that is built on librdkafka run with Confluent's, which can do more than Debian's. */
export async function withConfluentsLibrary(): Promise<Readonly<Record<string, string>>> {
  const folder = path.join(await confluent(), 'confluent_kafka.libs');
  const library = (await readdir(folder)).find((name) => name.startsWith('librdkafka'));
  assert.ok(library, folder);
  return { LD_LIBRARY_PATH: folder, LD_PRELOAD: path.join(folder, library) };
}

function confluent(): Promise<string> {
  return installOnce(CONFLUENT.replace('==', '-'), async (target) => {
    const pip = ['-m', 'pip', 'install', '--quiet', '--target', target, CONFLUENT];
    const { code, stderr } = await run('python3', pip, { timeoutMs: 300_000 });
    if (code !== 0) throw new Error(`pip could not install ${CONFLUENT}\n${stderr}`);
  });
}

async function installPackages(folder: string): Promise<void> {
  const args = ['-m', 'pip', 'install', '--quiet', '--target', folder, ...PACKAGES];
  const { code, stderr } = await run('python3', args, { timeoutMs: 300_000 });
  if (code !== 0) throw new Error(`pip could not install ${PACKAGES.join(' ')}\n${stderr}`);
}
