import { LogAccess, type LogAccessOptions } from './logAccess.ts';
import type { LogState } from './logState.ts';
import type { AppendInfo, LogView } from './logTypes.ts';
import { LogWriter, type PendingAppend } from './logWriter.ts';
import type { OpenLog } from './openLog.ts';

export interface LogGateOptions extends Omit<
  LogAccessOptions,
  'exclusively' | 'changingExclusively' | 'onDidAppend'
> {
  /** There may be something to flush. */
  readonly noteChanged: () => void;
  /** Called when records came or went. */
  readonly onDidChange: () => void;
}

/**
 * The way to a log for all that looks at it or changes it: what changes it goes in one at a time, nothing goes in where
 * it is closed or offline, and what the file system throws comes out as Kafka's error.
 */
export class LogGate {
  readonly access: LogAccess;
  readonly #options: LogGateOptions;
  #lazyWriter: LogWriter | undefined;

  constructor(options: LogGateOptions) {
    this.#options = options;
    this.access = new LogAccess({
      ...options,
      exclusively: (work) => this.#writer.exclusively(work),
      changingExclusively: (work) => this.exclusively(work),
      onDidAppend: options.onDidChange,
    });
  }

  /** Bytes asked to be written that are not written yet. */
  get unwrittenBytes(): number {
    return this.#lazyWriter?.unwrittenBytes ?? 0;
  }

  append(append: Omit<PendingAppend, 'outcome'>): Promise<AppendInfo> {
    return this.#writer.append(append);
  }

  /** Asks what a log can be asked without its being begun for that. */
  async looking<T>(look: (log: LogView) => T | Promise<T>): Promise<T> {
    const { unwritten } = this.access;
    return unwritten ? look(unwritten) : this.guarded(look);
  }

  /** Lets in what needs the log's folder. */
  async guarded<T>(work: (open: OpenLog) => T | Promise<T>): Promise<T> {
    try {
      return await work(this.access.open ?? (await this.access.usable()));
    } catch (error) {
      throw this.access.failure(error);
    }
  }

  /** As `guarded`, with nothing else changing the log. */
  async exclusively<T>(work: (open: OpenLog) => T | Promise<T>): Promise<T> {
    this.access.refuseIfClosed();
    try {
      return await this.#writer.exclusively(() => this.guarded(work));
    } finally {
      this.#options.noteChanged();
    }
  }

  /** As `exclusively`, where records come or go. */
  async changing<T>(work: (open: OpenLog) => T | Promise<T>): Promise<T> {
    const result = await this.exclusively(work);
    this.#options.onDidChange();
    return result;
  }

  /** Makes everything written so far durable; other work goes on meanwhile. */
  async flush(): Promise<void> {
    const { access } = this;
    if (access.problem) throw access.problem;
    if (access.open === undefined) return;
    const { state, prepared } = await this.exclusively(async ({ state }) => ({
      state,
      prepared: await state.prepareFlush(),
    }));
    await state.sync(prepared).catch((error: unknown) => {
      throw access.failure(error);
    });
  }

  /** Nothing goes in any more; what a restart needs is written, all is durable and the files are closed. */
  async close(): Promise<void> {
    const { access } = this;
    try {
      await access.whenSettled();
      if (access.open !== undefined) await this.#finish(access.open.state);
      else await access.releaseFailed();
    } catch (error) {
      throw access.failure(error);
    } finally {
      access.close();
    }
  }

  /** Nothing goes in any more; what is under way is finished, and the files are let go as they are. */
  async abandon(): Promise<void> {
    const { access } = this;
    access.close();
    await this.#writer.exclusively(async () => {
      await access.whenSettled();
      await access.release();
    });
  }

  async #finish(state: LogState): Promise<void> {
    try {
      const prepared = await this.exclusively(async () => {
        this.access.close();
        await state.finish();
        return state.prepareFlush();
      });
      await state.sync(prepared);
    } finally {
      await state.release();
    }
  }

  /** Most logs are never written to. */
  get #writer(): LogWriter {
    return (this.#lazyWriter ??= new LogWriter((group) => this.#write(group)));
  }

  async #write(group: readonly PendingAppend[]): Promise<void> {
    try {
      const { state } = await this.access.usable();
      await state.append(group);
      this.#options.noteChanged();
    } catch (error) {
      for (const { outcome } of group) outcome.reject(this.access.failure(error));
    }
  }
}
