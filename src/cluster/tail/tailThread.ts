import { Worker } from 'node:worker_threads';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { spoken } from '../../base/l10n.ts';
import { t } from '../../base/l10n.ts';
import { errorMessage, type Logger, silentLogger } from '../../base/logger.ts';
import { Channel } from '../../shared/channel.ts';
import type { TailProgress } from '../../shared/contracts/tailProgress.ts';
import { tailWorker, tailWorkerHost } from '../../shared/contracts/tailWorker.ts';
import { ProblemError } from '../problems.ts';
import { portTransport } from './tailPort.ts';
import type { WorkerFiles } from './tailScriptMatcher.ts';

export interface TailThreadOptions {
  /** The worker's script, `dist/worker.js`, and what it needs beside it. */
  readonly files: WorkerFiles;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** A worker that does not answer for so long, twice in a row, is ended. */
  readonly answerWithinMs?: number;
}

export interface TailThreadEvents {
  readonly onProgress: (tail: number, progress: TailProgress) => void;
  /** The worker is gone, by itself or because it did not answer. Told once. */
  readonly onEnd: (reason: ProblemError) => void;
}

const defaultAnswerWithinMs = 5000;
/** Rows are views of buffers outside of this heap; more than this inside it means that something leaks. */
const heapMb = 512;

/** The worker that runs tails, seen from the thread that started it. */
export class TailThread implements Disposable {
  readonly channel: Channel<typeof tailWorkerHost, typeof tailWorker>;
  readonly #worker: Worker;
  readonly #clock: Clock;
  readonly #answerWithinMs: number;
  readonly #events: TailThreadEvents;
  #watch: Disposable | undefined;
  #hasAnswered = false;
  #hasEnded = false;

  /** Throws a ProblemError where there are no workers here. */
  constructor(options: TailThreadOptions, events: TailThreadEvents) {
    this.#clock = options.clock ?? systemClock;
    this.#answerWithinMs = options.answerWithinMs ?? defaultAnswerWithinMs;
    this.#events = events;
    const logger = options.logger ?? silentLogger;
    this.#worker = startWorker(options.files);
    this.#worker.on('error', (error) => this.#end(errorMessage(error)));
    this.#worker.on('exit', (code) => this.#end(t('it ended with code {0}', code)));
    this.channel = new Channel({
      transport: portTransport(this.#worker),
      serves: tailWorkerHost,
      handlers: {
        progress: ({ tail, progress }) => events.onProgress(tail, progress),
        log: ({ level, message }) => logger[level](message),
      },
      calls: tailWorker,
      onInvalid: (problem) => logger.warn(`tail worker: ${problem}`),
    });
    void this.#watchAnswers();
  }

  /** Ends the worker and what it has under way. */
  dispose(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#stop();
  }

  /** Asks whether it is there, again and again. Twice, as after the machine slept the first may be late. */
  async #watchAnswers(): Promise<void> {
    let missed = 0;
    while (!this.#hasEnded) {
      if (await this.#answers()) {
        missed = 0;
        this.#hasAnswered = true;
      } else if (++missed === 2) {
        this.#end(t('it has not answered for {0} seconds', (2 * this.#answerWithinMs) / 1000));
      }
    }
  }

  /** Resolves after `answerWithinMs`, with whether there was an answer by then. */
  #answers(): Promise<boolean> {
    return new Promise((resolve) => {
      let answered = false;
      this.channel.call('ping', {}).then(
        () => (answered = this.#hasAnswered = true),
        () => undefined,
      );
      this.#watch = this.#clock.setTimer(this.#answerWithinMs, () => resolve(answered));
    });
  }

  #end(reason: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#stop();
    this.#events.onEnd(
      this.#hasAnswered
        ? new ProblemError(
            t('The worker that reads records stopped: {0}.', reason),
            t('Its rows are gone from memory, not from Kafka. Start again to read them anew.'),
          )
        : notStarted(reason),
    );
  }

  #stop(): void {
    this.#watch?.dispose();
    this.channel.dispose();
    void this.#worker.terminate();
  }
}

function startWorker(files: WorkerFiles): Worker {
  try {
    return new Worker(files.workerPath, {
      workerData: { role: 'tails', ...files, language: spoken() },
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
  } catch (error) {
    throw notStarted(errorMessage(error));
  }
}

function notStarted(reason: string): ProblemError {
  return new ProblemError(
    t('Records are read in a worker thread, and this editor could not start it: {0}.', reason),
    t('Tailing needs the desktop editor, or one that runs its extensions on a machine with Node.'),
  );
}
