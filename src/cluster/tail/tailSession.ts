import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { RecordDetails } from '../../shared/contracts/recordDetails.ts';
import type { TailHistogram } from '../../shared/contracts/tailHistogram.ts';
import type { TailProgress } from '../../shared/contracts/tailProgress.ts';
import type { FilterShow, TailOrder, TimeSpan } from '../../shared/contracts/tailQuery.ts';
import type { TailRow } from '../../shared/contracts/tailRows.ts';
import { Throttle } from '../throttle.ts';
import type { TailDecoders } from './tailDecoders.ts';
import { readRecordAgain } from './tailDetails.ts';
import { type ExportPage, type ExportRequest, exportPage } from './tailExporting.ts';
import { TailReading, type TailSource } from './tailReading.ts';
import { recordDetails } from './tailRows.ts';
import type { WorkerFiles } from './tailScriptMatcher.ts';
import { TailStore, type TailStoreLimits } from './tailStore.ts';
import { TailView, type WantedRows } from './tailView.ts';

export interface TailSessionOptions extends TailSource {
  /** Goes into `TailProgress.session`; a panel counts it up with each seek. */
  readonly session: number;
  readonly limits?: TailStoreLimits;
  /** Where what filters need is. */
  readonly files: WorkerFiles;
}

export interface FilterRequest {
  readonly filter: string;
  readonly show: FilterShow;
  readonly within?: TimeSpan | undefined;
  /** Its new number. */
  readonly session: number;
}

/** Progress is told at most so often. */
const progressIntervalMs = 100;

/**
 * What is read of a topic into a store of bounded size, and how it is looked at: filtered, sorted and decoded. A new
 * seek is a new session. Knows nothing of where it runs.
 */
export class TailSession implements Disposable {
  readonly options: TailSessionOptions;
  readonly #disposables = new DisposableStore();
  readonly #progressEmitter = this.#disposables.add(new Emitter<TailProgress>());
  /** Counts, when they change, at most ten times a second. */
  readonly onDidProgress = this.#progressEmitter.event;
  readonly #store: TailStore;
  readonly #view: TailView;
  readonly #reading: TailReading;
  /** Counted up by the panel: with another filter rows are numbered anew. */
  #session: number;
  #telling: Throttle | undefined;
  #lastProgress = '';

  constructor(options: TailSessionOptions) {
    this.options = options;
    this.#session = options.session;
    this.#store = new TailStore(options.limits);
    this.#view = this.#disposables.add(
      new TailView({
        store: this.#store,
        files: options.files,
        clock: systemClock,
        onProgress: () => this.#touch(),
      }),
    );
    this.#reading = new TailReading({
      ...options,
      store: this.#store,
      keepUp: () => this.#view.keepUp(),
      onReached: (clock) =>
        (this.#telling = new Throttle(clock, progressIntervalMs, () => this.#tell())),
      onRecords: () => this.#view.wake(),
      onChange: () => this.#touch(),
    });
  }

  /**
   * Resolves once the start positions are known and reading has begun. Rejects where the expression
   * cannot be read or followed.
   */
  start(signal?: AbortSignal): Promise<void> {
    return this.#reading.start(signal);
  }

  get progress(): TailProgress {
    const { held, first: dropped, progress: filter, sorted } = this.#view;
    const { bytes, limits } = this.#store;
    return {
      session: this.#session,
      began: this.options.session,
      ...this.#reading.progress,
      held,
      dropped,
      bytes,
      bytesMax: limits.bytes,
      ...(filter && { filter }),
      ...(sorted && { sorted }),
    };
  }

  /** Stops reading and keeps the positions; nothing is lost when it goes on. */
  setPaused(paused: boolean): void {
    this.#reading.setPaused(paused);
  }

  /**
   * Looks only at what a filter lets through, or at what it failed on. Rejects, in words, where the filter
   * cannot be read; then nothing changes.
   */
  async setFilter({ filter, show, within, session }: FilterRequest): Promise<void> {
    await this.#view.setFilter(filter, show, within);
    this.#number(session);
    this.#touch();
  }

  /** Reads payloads by other decoders from now on; takes the number where a filter had to start over. */
  async setDecoders(decoders: TailDecoders, session: number): Promise<void> {
    if (await this.#view.setDecoders(decoders)) this.#number(session);
    this.#touch();
  }

  /** Sorts what is looked at now, or goes back to the order of arrival. False: another request came before it was. */
  async setOrder(order: TailOrder | undefined, session: number): Promise<boolean> {
    const isDone = await this.#view.setOrder(order);
    if (isDone) this.#number(session);
    this.#touch();
    return isDone;
  }

  histogram(): TailHistogram | undefined {
    return this.#view.histogram();
  }

  /** Rows of a session by number, those that are held: `progress.dropped` is the number of the oldest. */
  rows(session: number, wanted: WantedRows): TailRow[] {
    return session === this.#session ? this.#view.rows(wanted) : [];
  }

  /** The number of the row of a record, where it is held and shown. */
  findRow(session: number, partition: number, offset: bigint): number | undefined {
    return session === this.#session ? this.#view.findRow(partition, offset) : undefined;
  }

  exportRows(request: ExportRequest): ExportPage {
    return exportPage(this.#view, this.options.topic, request);
  }

  /** A whole record: from the store, or read again where it was dropped. Undefined: it is gone from the log. */
  async details(
    partition: number,
    offset: bigint,
    signal?: AbortSignal,
  ): Promise<RecordDetails | undefined> {
    const { topic, cluster } = this.options;
    const { decoders } = this.#view;
    const held = this.#store.find(partition, offset);
    if (held?.kind === 'record') {
      const { header } = held.batch;
      return recordDetails({ topic, partition, header, record: held.record }, decoders);
    }
    const place = { topic, partition, offset, decoders };
    return cluster.use((client) => readRecordAgain(client, place, signal), signal);
  }

  dispose(): void {
    this.#reading.dispose();
    this.#telling?.dispose();
    this.#disposables.dispose();
  }

  /** What was asked for earlier may be done later: it takes no number back. */
  #number(session: number): void {
    this.#session = Math.max(this.#session, session);
  }

  #touch(): void {
    this.#telling?.request();
  }

  /** Tells the progress, unless it is as it was. */
  #tell(): void {
    const { progress } = this;
    const text = JSON.stringify(progress);
    if (text === this.#lastProgress) return;
    this.#lastProgress = text;
    this.#progressEmitter.fire(progress);
    // The rate falls without anything happening.
    if (progress.perSecond > 0) this.#touch();
  }
}
