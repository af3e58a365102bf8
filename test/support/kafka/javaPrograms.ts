// Small Java programs of ours that use Kafka's classes: in bytes, out bytes.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { spawnOwned } from '../process.ts';
import { kafkaHome } from './home.ts';
import { javaArguments } from './java.ts';

const folder = path.join(import.meta.dirname, '..', 'java');

/** Starts `test/support/java/<name>.java`, whose streams are the caller's. */
export async function spawnJavaProgram(
  name: string,
  args: readonly string[],
): Promise<ChildProcess> {
  const source = path.join(folder, `${name}.java`);
  return spawnOwned('java', [...javaArguments(await kafkaHome(), source), ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/**
 * Runs `test/support/java/<name>.java`, which Java compiles as it starts, with `input` on standard
 * input; resolves with what it wrote to standard output. Rejects if it fails or takes over `timeoutMs`.
 */
export async function runJavaProgram(
  name: string,
  input: Buffer,
  timeoutMs = 60_000,
): Promise<Buffer> {
  const source = path.join(folder, `${name}.java`);
  const child = spawnOwned('java', javaArguments(await kafkaHome(), source), {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
  child.stdin?.on('error', () => undefined); // a program that fails does not read to the end
  child.stdin?.end(input);
  const limit = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(limit);
  if (code === 0) return Buffer.concat(output);
  throw new Error(`${name} ended with ${code}\n${Buffer.concat(errors).toString()}`);
}
