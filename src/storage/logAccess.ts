import type { Uuid } from '../base/uuid.ts';
import { beginning, type LogCheckpoint, type StartCheckpoint } from './logCheckpoint.ts';
import type { LogConfig } from './logConfig.ts';
import type { LogOffsets } from './logOffsets.ts';
import { LogTrouble, storageFailure } from './logTrouble.ts';
import type { LogView } from './logTypes.ts';
import { OpenLog } from './openLog.ts';
import type { StorageContext } from './storageContext.ts';
import { StorageError } from './storageError.ts';
import { UnwrittenLog } from './unwrittenLog.ts';

export interface LogAccessOptions {
  readonly context: StorageContext;
  readonly directory: string;
  /** As messages call it. */
  readonly name: string;
  readonly topicId: Uuid;
  readonly offsets: LogOffsets;
  readonly checkpoint: StartCheckpoint;
  /** It has a folder. */
  readonly isBegun: boolean;
  /** What the disk said instead of whose folder it is: that is still to be found out. */
  readonly unreadable?: unknown;
  /** The topic's configuration at the time of asking. */
  readonly config: () => LogConfig;
  /** How large index files of the segment that is active at first may become. */
  readonly firstIndexBytes: number;
  /** Answers whether the folder is new. */
  readonly makeFolder: () => Promise<boolean>;
  /** Runs with nothing else changing the log. */
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>;
  /** As `exclusively`, for what changes the log itself: refused where it is offline. */
  readonly changingExclusively: <T>(work: () => Promise<T>) => Promise<T>;
  readonly onDidAppend: () => void;
  readonly onDidOpen: (wasOffline: boolean) => void;
  /** The disk failed it: it is offline. */
  readonly onDidFail: () => void;
}

/**
 * How a log stands with its folder: it has none yet, nobody has read it yet, it is open, it is offline, or it is
 * closed. An offline log is refused to everybody until somebody opens it.
 */
export class LogAccess {
  readonly #options: LogAccessOptions;
  readonly #trouble: LogTrouble;
  #open: OpenLog | undefined;
  /** What was open when the disk failed; until it is read anew, the partition is offline. */
  #failed: OpenLog | undefined;
  #opening: Promise<OpenLog> | undefined;
  #isBegun: boolean;
  /** Undefined once its folder is read: one that could only be made has nothing yet. */
  #unwritten: UnwrittenLog | undefined;
  /** Whose folder it is is not known yet. */
  #isForeign: boolean;
  #problem: StorageError | undefined;
  #isClosed = false;

  constructor(options: LogAccessOptions) {
    this.#options = options;
    const { name, topicId, offsets } = options;
    const { clock, logger } = options.context;
    this.#trouble = new LogTrouble({ name, topicId, clock, logger });
    this.#isBegun = options.isBegun;
    if (!options.isBegun) this.#unwritten = new UnwrittenLog(name, offsets);
    this.#isForeign = options.unreadable !== undefined;
    if (this.#isForeign) this.#problem = this.#trouble.failure(options.unreadable);
  }

  get open(): OpenLog | undefined {
    return this.#open;
  }

  get unwritten(): UnwrittenLog | undefined {
    return this.#unwritten;
  }

  /** What can be asked without reading the folder for that. */
  get view(): Pick<LogView, 'leaderEpoch'> | undefined {
    return this.#open ?? this.#unwritten;
  }

  get problem(): StorageError | undefined {
    return this.#problem;
  }

  get isBegun(): boolean {
    return this.#isBegun;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** What its files hold past the recovery point is not known to be sound. */
  get needsRecovery(): boolean {
    if (this.#open || this.#unwritten) return false;
    return this.#failed !== undefined || !this.#options.checkpoint.hadCleanShutdown;
  }

  /** Kafka's error; of a log that is closed nobody has to hear. */
  failure(error: unknown): StorageError {
    return this.#isClosed
      ? storageFailure(this.#options.name, error)
      : this.#trouble.failure(error);
  }

  refuseIfClosed(): void {
    const { name } = this.#options;
    if (this.#isClosed)
      throw new StorageError('KAFKA_STORAGE_ERROR', `${name} is closed or being deleted`);
  }

  /** The log, unless it is offline: that ends where somebody opens it, not where somebody needs it. */
  async usable(): Promise<OpenLog> {
    if (this.#problem) throw this.#problem;
    return this.#open ?? (await this.ensureOpen());
  }

  async ensureOpen(): Promise<OpenLog> {
    return this.#open ?? (this.#opening ??= this.#load());
  }

  async #load(): Promise<OpenLog> {
    try {
      await this.releaseFailed();
      const open = await this.#read();
      this.#open = open;
      this.#unwritten = undefined;
      this.#failed = undefined;
      const wasOffline = this.#problem !== undefined;
      this.#problem = undefined;
      this.#options.onDidOpen(wasOffline);
      return open;
    } catch (error) {
      this.#opening = undefined;
      const failure = this.failure(error);
      const hasRecords = this.#options.isBegun || this.#failed !== undefined;
      if (hasRecords && !this.#isClosed) this.#problem = failure;
      throw failure;
    }
  }

  async #read(): Promise<OpenLog> {
    const unwritten = this.#unwritten;
    const isNew = (unwritten !== undefined || this.#isForeign) && (await this.#makeFolder());
    const open = await OpenLog.load(
      {
        ...this.#options,
        trouble: this.#trouble,
        exclusively: this.#options.changingExclusively,
        onDidFail: (error) => this.#onDidFail(error),
      },
      isNew ? beginning : this.#checkpoint,
    );
    if (unwritten && unwritten.leaderEpoch >= 0) open.state.startLeaderEpoch(unwritten.leaderEpoch);
    return open;
  }

  /** What is known of the log that its folder does not say. */
  get #checkpoint(): LogCheckpoint {
    const { checkpoint, offsets } = this.#options;
    if (this.#failed === undefined) return checkpoint;
    const { logStart: logStartOffset, recoveryPoint, cleaned: cleanedOffset } = offsets;
    const { mayHaveGaps } = checkpoint;
    const found = { logStartOffset, recoveryPoint, cleanedOffset, mayHaveGaps };
    return { ...found, hadCleanShutdown: false, hadFailedSync: true };
  }

  /** From here on nothing is answered from what was open. */
  #onDidFail(error: unknown): void {
    if (this.#open === undefined) return;
    this.#failed = this.#open;
    this.#open = undefined;
    this.#opening = undefined;
    if (this.#isClosed) return;
    this.#problem = this.failure(error);
    this.#options.onDidFail();
  }

  /** Waits until nothing touches the folder any more. */
  async releaseFailed(): Promise<void> {
    const failed = this.#failed;
    if (failed === undefined) return;
    this.refuseIfClosed();
    await this.#options.exclusively(() => failed.state.release());
  }

  async #makeFolder(): Promise<boolean> {
    this.refuseIfClosed();
    const isNew = await this.#options.makeFolder();
    this.#isBegun = true;
    this.#isForeign = false;
    return isNew;
  }

  /** Resolves when nobody is opening it. */
  async whenSettled(): Promise<void> {
    await this.#opening?.catch(() => undefined);
  }

  /** Lets go of the files, once nothing uses them. */
  async release(): Promise<void> {
    await (this.#open ?? this.#failed)?.state.release();
  }

  /** Everything is refused from here on. */
  close(): void {
    this.#isClosed = true;
  }
}
