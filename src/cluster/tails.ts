import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { RecordDetails, TailProgress, TailRow } from '../shared/contracts/tail.ts';
import type { OpenTail } from '../shared/contracts/tailWorker.ts';
import { ProblemError, toProblem } from './problems.ts';
import { TailThread, type TailThreadOptions } from './tailThread.ts';

export type TailOptions = Omit<OpenTail, 'tail'>;

/** A tail that runs in the worker. Rows stay there; what is looked at is asked for. */
export class Tail implements Disposable {
  readonly id: number;
  readonly #thread: TailThread;
  readonly #disposables = new DisposableStore();
  readonly #progressEmitter = this.#disposables.add(new Emitter<TailProgress>());
  /** Counts, when they change, and the worker's end: at most ten times a second. */
  readonly onDidProgress = this.#progressEmitter.event;
  #progress: TailProgress;

  constructor(id: number, session: number, thread: TailThread) {
    this.id = id;
    this.#thread = thread;
    this.#progress = {
      session,
      held: 0,
      dropped: 0,
      perSecond: 0,
      state: 'reading',
      behind: '0',
    };
  }

  /** As last told. */
  get progress(): TailProgress {
    return this.#progress;
  }

  async setPaused(paused: boolean): Promise<void> {
    await this.#thread.channel.call('setPaused', { tail: this.id, paused });
  }

  /** Rows by number, those that are held, from the number `first` of the answer on. */
  rows(first: number, count: number): Promise<{ first: number; rows: TailRow[] }> {
    return this.#thread.channel.call('rows', { tail: this.id, first, count });
  }

  /** A whole record, read again where it was dropped. Undefined: it is gone from the log. */
  async details(
    partition: number,
    offset: bigint,
    signal?: AbortSignal,
  ): Promise<RecordDetails | undefined> {
    const params = { tail: this.id, partition, offset: String(offset) };
    const { record, error } = await this.#thread.channel.call('details', params, signal);
    if (error) throw new ProblemError(error.message, error.hint);
    return record;
  }

  /** Told by its owner. */
  tell(progress: TailProgress): void {
    this.#progress = progress;
    this.#progressEmitter.fire(progress);
  }

  /** Runs `end` when the tail is closed. */
  onClose(end: () => void): void {
    this.#disposables.add({ dispose: end });
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

/**
 * The tails of a window, in one worker that starts with the first of them and ends with the last. Should
 * it stop by itself, every tail says so, and the next to be opened starts another.
 */
export class Tails implements Disposable {
  readonly #options: TailThreadOptions;
  readonly #tails = new Map<number, Tail>();
  #thread: TailThread | undefined;
  #lastId = 0;

  constructor(options: TailThreadOptions) {
    this.#options = options;
  }

  /** Whether the worker runs. */
  get isRunning(): boolean {
    return this.#thread !== undefined;
  }

  /** Resolves once reading has begun. Rejects, in words, where it cannot. */
  async open(options: TailOptions, signal?: AbortSignal): Promise<Tail> {
    const thread = (this.#thread ??= this.#start());
    const tail = new Tail(++this.#lastId, options.session, thread);
    this.#tails.set(tail.id, tail);
    tail.onClose(() => this.#close(tail.id, thread));
    try {
      const { error } = await thread.channel.call('open', { tail: tail.id, ...options }, signal);
      if (error) throw new ProblemError(error.message, error.hint);
      return tail;
    } catch (error) {
      tail.dispose();
      throw this.#ended.get(thread) ?? error;
    }
  }

  dispose(): void {
    for (const tail of [...this.#tails.values()]) tail.dispose();
  }

  /** Why threads ended by themselves: a call that was under way learns only that its channel closed. */
  readonly #ended = new WeakMap<TailThread, ProblemError>();

  #start(): TailThread {
    const thread: TailThread = new TailThread(this.#options, {
      onProgress: (tail, progress) => this.#tails.get(tail)?.tell(progress),
      onEnd: (reason) => this.#lose(thread, reason),
    });
    return thread;
  }

  #close(id: number, thread: TailThread): void {
    if (!this.#tails.delete(id) || this.#thread !== thread) return;
    if (this.#tails.size === 0) {
      this.#thread = undefined;
      thread.dispose();
    } else {
      // A worker that is gone has closed it already.
      thread.channel.call('close', { tail: id }).catch(() => undefined);
    }
  }

  #lose(thread: TailThread, reason: ProblemError): void {
    this.#ended.set(thread, reason);
    if (this.#thread === thread) this.#thread = undefined;
    const { message, hint } = toProblem(reason);
    const error = { message, ...(hint !== undefined && { hint }) };
    const lost = [...this.#tails.values()];
    this.#tails.clear();
    for (const tail of lost) {
      tail.tell({ ...tail.progress, held: 0, perSecond: 0, state: 'failed', error, behind: '0' });
    }
  }
}
