// Our broker as people run it: `dist/cli.js` in a process of its own, on a free port.
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { untilCoordinating } from './kafka/untilCoordinating.ts';
import { residentMiB, spawnOwned, stopProcess } from './process.ts';

export interface StartEmbeddedOptions {
  /** Default: a temporary one, removed on `stop`. */
  readonly dataDir?: string;
  readonly inMemory?: boolean;
  readonly brokers?: number;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Broker configs by Kafka's own names. */
  readonly config?: Readonly<Record<string, string | number | boolean>>;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Gives up after this. Default 30 s. */
  readonly timeoutMs?: number;
}

/** The line that `--json` prints when clients can connect. */
export interface ReadyLine {
  readonly event: 'ready';
  readonly bootstrap: string;
  readonly brokers: readonly unknown[];
  readonly pid: number;
  readonly dataDir?: string | null;
}

export interface EmbeddedBroker {
  readonly bootstrap: string;
  readonly pid: number;
  readonly ready: ReadyLine;
  /** From the process's start to its ready line. */
  readonly startMs: number;
  /** Undefined for a cluster in memory. */
  readonly dataDir: string | undefined;
  /** What it has printed so far, both streams. */
  output(): string;
  residentMiB(): Promise<number>;
  /** SIGTERM; resolves with the exit code. Rejects if it needs more than 10 s. */
  stop(): Promise<number>;
  /** SIGKILL. The data directory stays, also a temporary one. */
  kill9(): Promise<void>;
}

const CLI = path.join(import.meta.dirname, '../../dist/cli.js');
const STOP_LIMIT_MS = 10_000;

/** Starts our broker and resolves at its ready line. Rejects with what it printed. */
export async function startEmbedded(options: StartEmbeddedOptions = {}): Promise<EmbeddedBroker> {
  if (!existsSync(CLI)) throw new Error('There is no dist/cli.js: run `npm run build` first');
  const temporary =
    options.inMemory || options.dataDir !== undefined
      ? undefined
      : await mkdtemp(path.join(tmpdir(), 'embedded-'));
  const dataDir = options.dataDir ?? temporary;
  const startedAt = performance.now();
  const child = spawnOwned(process.execPath, [CLI, ...cliArguments(options, dataDir)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: options.env ?? process.env,
  });
  const output = collectOutput(child);
  const ready = await readyLine(child, output, options.timeoutMs ?? 30_000);
  const startMs = performance.now() - startedAt;
  letGo(child);
  return {
    bootstrap: ready.bootstrap,
    pid: child.pid ?? 0,
    ready,
    startMs,
    dataDir,
    output,
    residentMiB: () => residentMiB(child.pid ?? 0),
    async stop() {
      await stopProcess(child, STOP_LIMIT_MS);
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
      if (child.signalCode === 'SIGKILL')
        throw new Error(`The broker did not stop within ${STOP_LIMIT_MS} ms\n${output()}`);
      return child.exitCode ?? 0;
    },
    kill9: () => stopProcess(child, 0),
  };
}

let shared: Promise<EmbeddedBroker> | undefined;

/**
 * The one broker of this test process, its coordinators ready, ended with it. Tests take topic and group names of their
 * own.
 */
export function sharedEmbedded(): Promise<EmbeddedBroker> {
  shared ??= startCoordinating();
  return shared;
}

async function startCoordinating(): Promise<EmbeddedBroker> {
  const config = {
    'group.initial.rebalance.delay.ms': 0,
    // A retention pass would take records that a test gave old timestamps.
    'log.retention.check.interval.ms': 3_600_000,
  };
  const broker = await startEmbedded({ config });
  await untilCoordinating(broker.bootstrap);
  return broker;
}

function cliArguments(options: StartEmbeddedOptions, dataDir: string | undefined): string[] {
  const { port = 0, brokers, config = {}, args = [] } = options;
  return [
    ...['start', '--json', '--port', String(port)],
    ...(dataDir === undefined ? ['--in-memory'] : ['--data-dir', dataDir]),
    ...(brokers === undefined ? [] : ['--brokers', String(brokers)]),
    ...Object.entries(config).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    ...args,
  ];
}

function collectOutput(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return () => text;
}

function readyLine(
  child: ChildProcess,
  output: () => string,
  timeoutMs: number,
): Promise<ReadyLine> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadyLine>();
  const fail = (what: string) => {
    child.kill('SIGKILL');
    reject(new Error(`The broker ${what}\n${output()}`));
  };
  const limit = setTimeout(() => fail(`was not ready within ${timeoutMs} ms`), timeoutMs);
  child.once('exit', (code, signal) => fail(`ended with ${signal ?? code} before it was ready`));
  child.once('error', (error) => fail(`could not be started: ${error.message}`));
  if (child.stdout)
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('{"event":"ready"')) resolve(JSON.parse(line) as ReadyLine);
    });
  return promise.finally(() => {
    clearTimeout(limit);
  });
}

/** A broker that is left running does not keep the test process alive. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdout, child.stderr]) (stream as Socket | null)?.unref();
}
