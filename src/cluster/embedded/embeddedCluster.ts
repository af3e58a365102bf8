import { type Clock, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
import { errorMessage, type Logger } from '../../base/logger.ts';
import { CancelledError, throwIfCancelled } from '../../client/kafkaError.ts';
import { orCancelled, sleep } from '../../client/waiting.ts';
import type { EmbeddedStatus } from '../../shared/contracts/control.ts';
import type { MaintenanceResult, MaintenanceTask } from '../../shared/maintenance.ts';
import type { Change } from '../activity/change.ts';
import { type ChangeLog, type RunningChange, unlogged } from '../activity/changeLog.ts';
import { launchBroker, readLogTail, type ReadyLine } from './brokerProcess.ts';
import {
  type ClusterTime,
  EmbeddedControl,
  isAlive,
  isHeld,
  readLockFile,
  type ServedPosition,
} from './embeddedControl.ts';
import { embeddedProfile } from './embeddedProfile.ts';
import type { EmbeddedSettings } from './embeddedSettings.ts';
import { type EmbeddedState, runningState, stopWords } from './embeddedState.ts';
import { endByForce, hasEnded } from './ending.ts';
import { freePort, type WantedPort } from './freePort.ts';
import { ProblemError } from '../problems.ts';

export interface EmbeddedClusterOptions {
  /** The Node that runs the broker: the editor's own executable in the extension host. */
  readonly executable: string;
  readonly execArgv?: readonly string[];
  /** `dist/cli.js`. */
  readonly cliPath: string;
  readonly dataDir: string;
  readonly settings: () => EmbeddedSettings;
  /** Told of everything that is changed. */
  readonly changes?: ChangeLog;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** A clean shutdown flushes and takes under 2 s. */
const stopTimeoutMs = 10_000;
const pollMs = 50;
const fasterTimeoutMs = 10_000;
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
  #starting: Promise<string> | undefined;
  #isDisposed = false;

  constructor(options: EmbeddedClusterOptions) {
    this.options = options;
    this.#clock = options.clock ?? systemClock;
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
    try {
      await control.stop(signal);
    } catch (error) {
      // The channel may close before the answer is read: what counts is that the process ends.
      this.options.logger.debug(`stop: ${errorMessage(error)}`);
    }
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

  /** Moves the cluster's clock forward; what takes a week is due at once. Rejects where it does not run. */
  async advanceClock(byMs: number): Promise<ClusterTime> {
    const control = this.#running();
    return this.#change({ kind: 'advanceClock', byMs }, () => control.advanceClock(byMs));
  }

  /** Runs now what the broker otherwise does every few minutes; says in words what came of it. */
  async runMaintenance(tasks: readonly MaintenanceTask[]): Promise<readonly MaintenanceResult[]> {
    const control = this.#running();
    const change: Change = { kind: 'runMaintenance', tasks: [...tasks] };
    return this.#change(change, () => control.runMaintenance(tasks));
  }

  /** How far clients have been sent the partitions of topics; noted from the first call on. */
  async servedPositions(topics: readonly string[]): Promise<ServedPosition[]> {
    return this.#running().servedPositions(topics);
  }

  /** Removes every member of a group, so that a reset of its offsets is accepted. */
  async removeGroupMembers(groupId: string): Promise<{ readonly removed: number }> {
    const control = this.#running();
    const change = { kind: 'removeMembers', group: groupId } as const;
    return this.#change(change, () => control.removeGroupMembers(groupId));
  }

  #change<T>(
    change: Change,
    work: (running: RunningChange) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const { changes = unlogged } = this.options;
    return changes.run({ cluster: embeddedProfile(), change, signal }, work);
  }

  #running(): EmbeddedControl {
    if (this.#control) return this.#control;
    throw new ProblemError(t('the embedded cluster does not run'), t('Start it first.'));
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
      (running) => this.#launch(running.signal),
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

  async #launch(signal?: AbortSignal): Promise<string> {
    const { executable, execArgv = [], cliPath, dataDir, settings } = this.options;
    const { host, configs, keepRunning, emulate = '', ...wanted } = settings();
    const port = await this.#choosePort({ host, ...wanted });
    const launch = { executable, execArgv, cliPath, dataDir, host, port, configs, emulate };
    let ready: ReadyLine | undefined;
    try {
      ready = await launchBroker({ ...launch, clock: this.#clock }, signal);
      throwIfCancelled(signal);
      const bootstrap = await this.#attach(signal);
      if (bootstrap === undefined) throw new Error(t('its control channel does not answer'));
      if (keepRunning) await this.setKeepRunning(true);
      return bootstrap;
    } catch (error) {
      if (ready) endByForce(ready.pid);
      throwIfCancelled(signal);
      const bootstrap = ready ? undefined : await this.#attachToFaster(signal);
      if (bootstrap === undefined) throw error;
      return bootstrap;
    }
  }

  /** Another window may have been faster, and its process may not be ready yet. */
  async #attachToFaster(signal?: AbortSignal): Promise<string | undefined> {
    for (let waitedMs = 0; waitedMs < fasterTimeoutMs; waitedMs += pollMs) {
      const bootstrap = await this.#attach(signal);
      if (bootstrap !== undefined || !(await isHeld(this.options.dataDir))) return bootstrap;
      await sleep(this.#clock, pollMs, signal);
    }
    return undefined;
  }

  async #choosePort(wanted: WantedPort): Promise<number> {
    const { port, taken } = await freePort(wanted);
    if (taken !== undefined) {
      const instead = port === 0 ? t('a free port') : t('port {0}', port);
      this.#noticeEmitter.fire(t('The embedded cluster takes {0}, as {1}.', instead, taken));
    }
    return port;
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
