import { once } from 'node:events';
import { spawnOwned } from '../../support/process.ts';

/** Runs a program that has to succeed; resolves with the bytes it printed, which need not be text. */
export async function runForBytes(command: string, args: readonly string[]): Promise<Buffer> {
  const child = spawnOwned(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
  const limit = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(limit);
  if (code === 0) return Buffer.concat(output);
  throw new Error(`${command} ended with ${code}\n${Buffer.concat(errors).toString()}`);
}
