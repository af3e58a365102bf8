import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { RecordFileFormat } from '../../codec/recordFile.ts';
import type { RecordDetails } from '../../shared/contracts/recordDetails.ts';
import type { TailHistogram } from '../../shared/contracts/tailHistogram.ts';
import { noProgress, type TailProgress } from '../../shared/contracts/tailProgress.ts';
import type { FilterShow, TailOrder, TimeSpan } from '../../shared/contracts/tailQuery.ts';
import type { RecordPlace, RowPart, TailRow } from '../../shared/contracts/tailRows.ts';
import type { TopicDecoders } from '../../shared/contracts/decoders.ts';
import type { OpenTail } from '../../shared/contracts/tailWorker.ts';
import { ProblemError, toProblem } from '../problems.ts';
import { TailThread, type TailThreadOptions } from './tailThread.ts';

export type TailOptions = Omit<OpenTail, 'tail'>;

interface ExportedPage {
  readonly text: string;
  readonly records: number;
  /** Of all pages. */
  readonly rows: number;
}

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
    this.#progress = { ...noProgress, session, began: session };
  }

  /** As last told. */
  get progress(): TailProgress {
    return this.#progress;
  }

  async setPaused(paused: boolean): Promise<void> {
    await this.#thread.channel.call('setPaused', { tail: this.id, paused });
  }

  /**
   * Looks only at what a filter lets through, or at what it failed on, and at a span of time where one is given, as
   * a session of another number.
   */
  async setFilter(
    filter: string,
    show: FilterShow,
    session: number,
    within?: TimeSpan,
  ): Promise<void> {
    const params = { tail: this.id, filter, show, within, session };
    const { error } = await this.#thread.channel.call('setFilter', params);
    if (error) throw new ProblemError(error.message, error.hint);
  }

  /**
   * Has what is looked at now in another order, or as it arrives, as a session of another number. False: another
   * request came before it was sorted.
   */
  async setOrder(order: TailOrder | undefined, session: number): Promise<boolean> {
    const params = { tail: this.id, order, session };
    const { isDone, error } = await this.#thread.channel.call('setOrder', params);
    if (error) throw new ProblemError(error.message, error.hint);
    return isDone;
  }

  /** How many of its rows are of which time; undefined where none has one. */
  async histogram(): Promise<TailHistogram | undefined> {
    return (await this.#thread.channel.call('histogram', { tail: this.id })).histogram;
  }

  /**
   * Reads payloads by other decoders, as a session of another number where there is a filter. Rejects, in words,
   * where a schema cannot be read.
   */
  async setDecoders(decoders: TopicDecoders, session: number): Promise<void> {
    const params = { tail: this.id, decoders, session };
    const { error } = await this.#thread.channel.call('setDecoders', params);
    if (error) throw new ProblemError(error.message, error.hint);
  }

  /** The messages of a Protobuf schema. Rejects, in words, where it cannot be read. */
  async protobufMessages(schema: string): Promise<string[]> {
    const { names, error } = await this.#thread.channel.call('protobufMessages', { schema });
    if (error) throw new ProblemError(error.message, error.hint);
    return names;
  }

  /** What is wrong with a filter, if anything. */
  async checkFilter(filter: string): Promise<string | undefined> {
    return (await this.#thread.channel.call('checkFilter', { filter })).problem;
  }

  /** Rows of the present session by number, those that are held, from the answer's `first` on. */
  rows(
    first: number,
    count: number,
    parts?: RowPart[],
  ): Promise<{ first: number; rows: TailRow[] }> {
    const { session } = this.#progress;
    return this.#thread.channel.call('rows', { tail: this.id, session, first, count, parts });
  }

  /** The number of the row of a record, where it is held and shown. */
  async findRow(place: RecordPlace): Promise<number | undefined> {
    const { session } = this.#progress;
    return (await this.#thread.channel.call('findRow', { tail: this.id, session, ...place })).row;
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

  /**
   * Records as lines of a file, what is looked at or all that is held, as they were when it began; `rows` is how
   * many rows those were. Rejects where what is looked at is filtered otherwise meanwhile.
   */
  async *exportRows(format: RecordFileFormat, all: boolean): AsyncGenerator<ExportedPage> {
    let place: { from?: number; end?: number; session?: number } = {};
    let rows: number | undefined;
    for (;;) {
      const request = { tail: this.id, format, all, ...place };
      const page = await this.#thread.channel.call('exportRows', request);
      const { text, records, first, next, end, session } = page;
      rows ??= Math.max(0, end - first);
      yield { text, records, rows };
      if (next >= end) return;
      place = { from: next, end, session };
    }
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
      const { session, began } = tail.progress;
      tail.tell({ ...noProgress, session, began, state: 'failed', error });
    }
  }
}
