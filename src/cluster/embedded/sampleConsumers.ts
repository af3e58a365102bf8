import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { t } from '../../base/l10n.ts';
import { CancelledError, throwIfCancelled } from '../../client/kafkaError.ts';

export interface SampleGroup {
  readonly groupId: string;
  /** How much of each partition it reads before it stops, from 0 to 1. */
  readonly share: number;
}

/** What the sample application is told, as its one argument in JSON. */
export interface SampleTask {
  readonly bootstrap: string;
  readonly topic: string;
  readonly groups: readonly SampleGroup[];
}

/** What it says, a line each in JSON. */
export type SampleMessage =
  | { readonly event: 'read'; readonly count: number }
  | { readonly event: 'done' }
  | { readonly event: 'failed'; readonly message: string };

export interface SampleRun {
  readonly executable: string;
  readonly scriptPath: string;
  readonly task: SampleTask;
  readonly signal: AbortSignal;
  /** How many records all groups have read so far. */
  readonly onRead: (count: number) => void;
}

const timeoutMs = 60_000;

/**
 * Runs the sample application: real consumers, in a process of their own, as a foreign client has no
 * place in the editor's. Rejects with its words where it fails, and ends it when cancelled.
 */
export async function runSampleConsumers(run: SampleRun): Promise<void> {
  const { executable, scriptPath, task, signal } = run;
  throwIfCancelled(signal);
  const child = spawn(executable, [scriptPath, JSON.stringify(task)], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const cancel = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', cancel, { once: true });
  try {
    await untilDone(child, run);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    child.kill('SIGKILL');
  }
}

function untilDone(child: ChildProcess, { signal, onRead }: SampleRun): Promise<void> {
  return new Promise((resolve, reject) => {
    let errors = '';
    const fail = (message: string): void => {
      if (signal.aborted) reject(new CancelledError());
      else reject(new Error(message));
    };
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-2000);
    });
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const message = readMessage(line);
        if (message?.event === 'done') resolve();
        else if (message?.event === 'failed')
          fail(t('the sample application failed: {0}', message.message));
        else if (message) onRead(message.count);
      });
    }
    child.once('error', (error) =>
      fail(t('the sample application cannot be started: {0}', error.message)),
    );
    child.once('exit', (code, killedBy) =>
      fail(
        t(
          'the sample application ended too early ({0}) {1}',
          killedBy ?? t('exit code {0}', String(code)),
          errors,
        ).trim(),
      ),
    );
  });
}

/** It is our own program; what is not a message is something that a library printed. */
function readMessage(line: string): SampleMessage | undefined {
  try {
    const message = JSON.parse(line) as Partial<SampleMessage>;
    return message.event === undefined ? undefined : (message as SampleMessage);
  } catch {
    return undefined;
  }
}
