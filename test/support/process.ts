// Child processes of tests: none outlives the process that started it, none is waited for without a limit.
import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import net from 'node:net';

/** What a finished process left behind. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Written to standard input, which is then closed. */
  readonly input?: string | Buffer;
  /** After this the process is killed and `run` rejects with what it had printed. Default 60 s. */
  readonly timeoutMs?: number;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

const alive = new Set<ChildProcess>();

// Synchronous, so that it also holds for process.exit() and for an uncaught error.
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** Has a child killed when this process ends. */
export function own(child: ChildProcess): ChildProcess {
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  child.once('error', () => alive.delete(child));
  return child;
}

/** `spawn`, with the child killed when this process ends. */
export function spawnOwned(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  return own(spawn(command, args, options));
}

/** Runs a program to its end. Rejects only if it could not be started or ran into the limit. */
export async function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Finished> {
  const { input, timeoutMs = 60_000, cwd, env } = options;
  const child = spawnOwned(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  child.stdin?.on('error', () => undefined); // a program may end without reading what it was given
  child.stdin?.end(input ?? '');
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const [code, killedBy] = (await once(child, 'close', { signal })) as [number | null, string?];
    return { code: code ?? 128, stdout: stdout(), stderr: stderr() + (killedBy ?? '') };
  } catch (error) {
    child.kill('SIGKILL');
    if (!signal.aborted) throw error;
    throw new Error(
      `${command} ${args.slice(-6).join(' ')} did not end within ${timeoutMs} ms\n${stdout()}\n${stderr()}`,
      { cause: error },
    );
  }
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

/** Asks a process to end, and ends it after `graceMs`. Resolves when it is gone. */
export async function stopProcess(child: ChildProcess, graceMs = 10_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const hard = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await gone;
  clearTimeout(hard);
}

/** Below what systems give to connections and to port 0: from 32768 (Linux), from 49152 (others). */
const ports = { lowest: 20_000, count: 12_000 } as const;
const given = new Set<number>();

/**
 * `count` different ports of 127.0.0.1 for servers that cannot tell which free one they found. Nobody is given one of
 * them by the system, nor by this function a second time in this process.
 */
export function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, freePort));
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = ports.lowest + Math.floor(Math.random() * ports.count);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = net.createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}

/** The ids of a process and of all that it started, itself or through others (Linux). */
export async function processTree(pid: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    // pid (name) state ppid: the name may hold spaces and brackets
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const tree = [pid];
  for (const member of tree) tree.push(...(children.get(member) ?? []));
  return tree;
}

/** `stopProcess`, and an end for what it had started and left behind (Linux). */
export async function stopProcessTree(child: ChildProcess, graceMs = 5_000): Promise<void> {
  const tree = await processTree(child.pid ?? 0);
  await stopProcess(child, graceMs);
  for (const pid of tree) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // gone, as it should be
    }
  }
}

/** Resident memory in MiB of a running process (Linux). */
export async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) / 1024);
}
