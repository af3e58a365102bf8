import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import type { Clock } from '../../base/clock.ts';
import { t } from '../../base/l10n.ts';
import { makeDirectory } from '../../base/makeDirectory.ts';
import { errorMessage } from '../../base/logger.ts';
import { throwIfCancelled } from '../../client/kafkaError.ts';

export interface BrokerLaunch {
  readonly executable: string;
  /** Node options in front of the script; none of the host's own are passed on. */
  readonly execArgv: readonly string[];
  readonly cliPath: string;
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  readonly configs: Readonly<Record<string, string>>;
  /** The server that it behaves as, by the name that the command line has for it; empty: Apache Kafka 4.4. */
  readonly emulate: string;
  readonly clock: Clock;
}

/** What the process says once clients can connect. */
const readyLine = v.object({
  event: v.literal('ready'),
  bootstrap: v.string(),
  pid: v.number(),
});
export type ReadyLine = v.InferOutput<typeof readyLine>;

/**
 * So long after the last window has left, it stops by itself, unless it is to keep running. A window that is
 * reloaded on a busy machine is away for half a minute and more.
 */
const unattendedSeconds = 60;
const readyTimeoutMs = 30_000;
const longestReadyLine = 64 * 1024;
const logTailBytes = 4096;
/** Beyond this it begins anew with the next start. */
const maxLogBytes = 1024 * 1024;

/** Where the process's own words go, as nobody may be there to read them. */
export function logPath(dataDir: string): string {
  return path.join(dataDir, 'kafka-workbench.log');
}

/** The end of the process's log, from byte `start` on; empty where there is none. */
export async function readLogTail(dataDir: string, start = 0): Promise<string> {
  try {
    const bytes = (await readFile(logPath(dataDir))).subarray(start);
    return bytes.subarray(-logTailBytes).toString().trim();
  } catch {
    return '';
  }
}

/**
 * Starts the broker as a process of its own that outlives this one, and waits until it is ready. Rejects
 * with what it logged where it ends before that or takes too long; then it is not left behind.
 */
export async function launchBroker(launch: BrokerLaunch, signal?: AbortSignal): Promise<ReadyLine> {
  const { dataDir } = launch;
  throwIfCancelled(signal);
  await makeDirectory(dataDir);
  // Appended to: the log may belong to a process of another window, which has just been faster.
  const log = await open(logPath(dataDir), 'a', 0o600);
  try {
    const { size } = await log.stat();
    if (size > maxLogBytes) await log.truncate();
    const logStart = size > maxLogBytes ? 0 : size;
    const child = spawnBroker(launch, log.fd);
    try {
      return await untilReady(child, launch, signal);
    } catch (error) {
      child.kill('SIGKILL');
      const tail = await readLogTail(dataDir, logStart);
      const reason = errorMessage(error);
      throw new Error(tail === '' ? reason : `${reason}: ${tail}`, { cause: error });
    } finally {
      child.stdout?.destroy();
      child.unref();
    }
  } finally {
    await log.close();
  }
}

function spawnBroker(launch: BrokerLaunch, logFd: number): ChildProcess {
  const { executable, execArgv, cliPath, dataDir, host, port, configs, emulate } = launch;
  const args = ['start', '--json', '--host', host, '--port', String(port), '--data-dir', dataDir];
  args.push('--unattended-seconds', String(unattendedSeconds));
  for (const [name, value] of Object.entries(configs)) args.push('--set', `${name}=${value}`);
  if (emulate !== '') args.push('--emulate', emulate);
  const env: NodeJS.ProcessEnv = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  // The editor's debugger would otherwise follow into the broker and end it with itself.
  delete env['NODE_OPTIONS'];
  delete env['VSCODE_INSPECTOR_OPTIONS'];
  return spawn(executable, [...execArgv, cliPath, ...args], {
    cwd: dataDir,
    detached: true,
    env,
    stdio: ['ignore', 'pipe', logFd],
    windowsHide: true,
  });
}

function untilReady(
  child: ChildProcess,
  { clock }: BrokerLaunch,
  signal?: AbortSignal,
): Promise<ReadyLine> {
  return new Promise((resolve, reject) => {
    let output = '';
    const finish = (settle: () => void): void => {
      timer.dispose();
      signal?.removeEventListener('abort', cancel);
      settle();
    };
    const fail = (message: string): void => finish(() => reject(new Error(message)));
    const cancel = (): void => fail(t('starting was cancelled'));
    const timer = clock.setTimer(readyTimeoutMs, () =>
      fail(t('the embedded cluster was not ready within {0} s', readyTimeoutMs / 1000)),
    );
    // An abort that came before this would never be heard of.
    if (signal?.aborted) {
      cancel();
      return;
    }
    signal?.addEventListener('abort', cancel, { once: true });
    child.once('error', (error) =>
      fail(t('the embedded cluster cannot be started: {0}', error.message)),
    );
    child.once('exit', (code, killedBy) =>
      fail(
        t(
          'the embedded cluster ended while starting ({0})',
          killedBy ?? t('exit code {0}', String(code)),
        ),
      ),
    );
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const ready = findReadyLine(output);
      if (ready) finish(() => resolve(ready));
      else if (output.length > longestReadyLine)
        fail(t('the embedded cluster says something else'));
    });
  });
}

function findReadyLine(output: string): ReadyLine | undefined {
  for (const line of output.split('\n').slice(0, -1)) {
    try {
      const parsed = v.safeParse(readyLine, JSON.parse(line));
      if (parsed.success) return parsed.output;
    } catch {
      // Not JSON, so not the line.
    }
  }
  return undefined;
}
