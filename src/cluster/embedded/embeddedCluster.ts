import { type Clock, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
import { errorMessage } from '../../base/logger.ts';
import { CancelledError } from '../../client/kafkaError.ts';
import { orCancelled } from '../../client/waiting.ts';
import type { EmbeddedStatus } from '../../shared/contracts/control.ts';
import type { Change } from '../activity/change.ts';
import { type RunningChange, unlogged } from '../activity/changeLog.ts';
import { ProblemError } from '../problems.ts';
import { readLogTail } from './brokerProcess.ts';
import { EmbeddedControl, isAlive, readLockFile } from './embeddedControl.ts';
import { EmbeddedOperations } from './embeddedOperations.ts';
import type { EmbeddedClusterOptions } from './embeddedOptions.ts';
import { embeddedProfile } from './embeddedProfile.ts';
import { startProcess } from './embeddedStart.ts';
import { type EmbeddedState, runningState, stopWords } from './embeddedState.ts';
import { endByForce, hasEnded } from './ending.ts';

/** A clean shutdown flushes and takes under 2 s. */
const stopTimeoutMs = 10_000;
/** How long a process may go on living after its control channel closed, before that is a fault of the channel. */
const endGraceMs = 2000;

/** The embedded cluster's process as seen from a window: found or started, watched, stopped. */
export class EmbeddedCluster implements Disposable {
  readonly options: EmbeddedClusterOptions;
  readonly #clock: Clock;
  readonly #stateEmitter = new Emitter<EmbeddedState>();
  readonly onDidChangeState = this.#stateEmitter.event;
  readonly #noticeEmitter = new Emitter<string>();
  /** Things to tell the person that are no failure, such as another port having been taken. */
  readonly onDidNotice = this.#noticeEmitter.event;
  #state: EmbeddedState = { kind: 'stopped' };
  #control: EmbeddedControl | undefined;
  readonly operations: EmbeddedOperations;
  #starting: Promise<string> | undefined;
  #isDisposed = false;

  constructor(options: EmbeddedClusterOptions) {
    this.options = options;
    this.#clock = options.clock ?? systemClock;
    this.operations = new EmbeddedOperations({
      changes: options.changes,
      control: () => {
        if (this.#control) return this.#control;
        throw new ProblemError(t('the embedded cluster is not running'), t('Start it first.'));
      },
    });
  }

  get state(): EmbeddedState {
    return this.#state;
  }

  /** Attaches to a running one if there is one. True if there was. Never starts one. */
  async attach(signal?: AbortSignal): Promise<boolean> {
    if (this.#state.kind === 'running') return true;
    if (this.#starting) return this.#starting.then(() => true);
    return (await this.#attach(signal)) !== undefined;
  }

  /** Attaches or starts; resolves with the bootstrap address once clients can connect. */
  async start(signal?: AbortSignal): Promise<string> {
    if (this.#state.kind === 'running') return this.#state.bootstrap;
    if (!this.#starting) {
      this.#starting = this.#start(signal).finally(() => (this.#starting = undefined));
      return this.#starting;
    }
    try {
      return await orCancelled(this.#starting, signal);
    } catch (error) {
      // Whoever began it cancelled it; that is not for those who joined.
      if (error instanceof CancelledError && !signal?.aborted) return this.start(signal);
      throw error;
    }
  }

  /** Stops it cleanly, and by force where it has not ended after some seconds. */
  async stop(signal?: AbortSignal): Promise<void> {
    const state = this.#state;
    const control = this.#control;
    if (state.kind !== 'running' || !control) {
      if (state.kind === 'crashed') this.#setState({ kind: 'stopped' });
      return;
    }
    await this.#change(
      { kind: 'stopCluster' },
      (running) => this.#stop(control, state.pid, running),
      signal,
    );
  }

  async #stop(control: EmbeddedControl, pid: number, { signal }: RunningChange): Promise<void> {
    this.#setState({ kind: 'stopping' });
    // What counts is that the process ends: one that hangs gives no answer, and the channel may close before it is
    // read.
    void control.stop(signal).catch((error: unknown) => {
      this.options.logger.debug(`stop: ${errorMessage(error)}`);
    });
    if (!(await hasEnded(this.#clock, pid, stopTimeoutMs))) {
      this.options.logger.warn('the embedded cluster did not stop in time; it is ended by force');
      endByForce(pid);
    }
    this.#leave();
    this.#setState({ kind: 'stopped' });
  }

  async restart(signal?: AbortSignal): Promise<string> {
    await this.stop(signal);
    return this.start(signal);
  }

  /** Whether it outlives the last window. Kept for the next start by the settings. */
  async setKeepRunning(keepRunning: boolean): Promise<void> {
    await this.#control?.setKeepRunning(keepRunning);
  }

  #change<T>(
    change: Change,
    work: (running: RunningChange) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const { changes = unlogged } = this.options;
    return changes.run({ cluster: embeddedProfile(), change, signal }, work);
  }

  /** Leaves the process: it stops by itself some time after the last window has left. */
  dispose(): void {
    this.#isDisposed = true;
    this.#leave();
    this.#stateEmitter.dispose();
    this.#noticeEmitter.dispose();
  }

  async #start(signal?: AbortSignal): Promise<string> {
    this.#setState({ kind: 'starting' });
    try {
      return (await this.#attach(signal)) ?? (await this.#started(signal));
    } catch (error) {
      if (error instanceof CancelledError) this.#setState({ kind: 'stopped' });
      else this.#fellOver(errorMessage(error), '');
      throw error;
    }
  }

  #started(signal: AbortSignal | undefined): Promise<string> {
    return this.#change(
      { kind: 'startCluster' },
      ({ signal: until }) =>
        startProcess({
          options: this.options,
          clock: this.#clock,
          attach: () => this.#attach(until),
          setKeepRunning: () => this.setKeepRunning(true),
          onNotice: (words) => this.#noticeEmitter.fire(words),
          signal: until,
        }),
      signal,
    );
  }

  /** The address of the process that holds the data directory; undefined if none does. */
  async #attach(signal?: AbortSignal): Promise<string | undefined> {
    const lock = await readLockFile(this.options.dataDir);
    if (!lock || !isAlive(lock.pid)) return undefined;
    try {
      const { logger } = this.options;
      const { control, status } = await EmbeddedControl.open(lock, logger, signal);
      this.#adopt(control, status);
      return status.bootstrap;
    } catch (error) {
      if (signal?.aborted) throw new CancelledError();
      this.options.logger.debug(`no embedded cluster at ${lock.control}: ${errorMessage(error)}`);
      return undefined;
    }
  }

  #adopt(control: EmbeddedControl, status: EmbeddedStatus): void {
    this.#leave();
    if (this.#isDisposed) {
      control.dispose();
      return;
    }
    this.#control = control;
    control.onDidClose(() => void this.#lost(control, status));
    control.onDidChangeStatus((next) => {
      if (this.#state.kind !== 'running' || this.#control !== control) return;
      const state = runningState(next);
      if (state.clockAheadMs !== this.#state.clockAheadMs) this.#setState(state);
    });
    this.#setState(runningState(status));
  }

  /** The channel closed. The process has stopped, crashed, or still lives and is attached to again. */
  async #lost(control: EmbeddedControl, status: EmbeddedStatus): Promise<void> {
    if (this.#control !== control || this.#state.kind === 'stopping') return;
    this.#control = undefined;
    const isOver = await hasEnded(this.#clock, status.pid, endGraceMs);
    if (this.#isDisposed || this.#state.kind !== 'running') return;
    if (isOver && control.stopReason !== undefined) {
      this.#noticeEmitter.fire(
        t('The embedded cluster has stopped: {0}.', stopWords(control.stopReason)),
      );
      this.#setState({ kind: 'stopped' });
    } else if (isOver) {
      const logTail = await readLogTail(this.options.dataDir);
      this.#failed(t('the embedded cluster ended unexpectedly'), logTail, status);
    } else if ((await this.#attach()) === undefined) {
      this.#failed(t('the embedded cluster does not answer any more'), '', status);
    }
  }

  /** It failed by itself: nobody asked for it, and yet it is what happened. Every window sees it. */
  #failed(message: string, logTail: string, { pid, startedAtMs }: EmbeddedStatus): void {
    const { changes = unlogged } = this.options;
    const once = `cluster-failed-${pid}-${startedAtMs}`;
    const request = {
      cluster: embeddedProfile(),
      change: { kind: 'clusterFailed' },
      once,
    } as const;
    changes
      .run(request, () => Promise.reject(new Error(message)))
      .catch(() => this.#fellOver(message, logTail));
  }

  #fellOver(message: string, logTail: string): void {
    this.#leave();
    this.#setState({ kind: 'crashed', message, logTail });
  }

  #leave(): void {
    const control = this.#control;
    this.#control = undefined;
    control?.dispose();
  }

  #setState(state: EmbeddedState): void {
    if (this.#isDisposed) return;
    this.#state = state;
    this.#stateEmitter.fire(state);
  }
}
