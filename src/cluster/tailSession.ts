import { systemClock } from '../base/clock.ts';
import { type Deferred, deferred } from '../base/deferred.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { t } from '../base/l10n.ts';
import { type RecordFileFormat, exportLine } from '../codec/recordFile.ts';
import type { KafkaClient } from '../client/kafkaClient.ts';
import { sleep } from '../client/waiting.ts';
import type { RecordDetails } from '../shared/contracts/recordDetails.ts';
import type { TailHistogram } from '../shared/contracts/tailHistogram.ts';
import type { TailProgress } from '../shared/contracts/tailProgress.ts';
import type { FilterShow, TailScope, TimeSpan } from '../shared/contracts/tailQuery.ts';
import type { TailRow } from '../shared/contracts/tailRows.ts';
import { parseSeek } from '../shared/seek.ts';
import type { ClusterSession } from './clusterSession.ts';
import type { Problem } from './model.ts';
import { toProblem } from './problems.ts';
import { RateMeter } from './rateMeter.ts';
import type { TailDecoders } from './tailDecoders.ts';
import { readRecordAgain } from './tailDetails.ts';
import { TailFeed, type TailSink } from './tailFeed.ts';
import { recordDetails } from './tailRows.ts';
import type { WorkerFiles } from './tailScriptMatcher.ts';
import { StableWatch } from './tailStable.ts';
import { resolveTail } from './tailStart.ts';
import { TailStore, type TailStoreLimits } from './tailStore.ts';
import { TailView, type WantedRows } from './tailView.ts';
import { Throttle } from './throttle.ts';
import { readHighWatermarks } from './topicReads.ts';

export interface TailSessionOptions {
  readonly cluster: ClusterSession;
  readonly topic: string;
  readonly partitions: readonly number[];
  /** A seek expression, such as `latest`, `last 100` or `group billing`. */
  readonly from: string;
  readonly scope: TailScope;
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

export interface ExportRequest {
  readonly format: RecordFileFormat;
  /** Not only what is looked at. */
  readonly all: boolean;
  readonly from?: number | undefined;
  readonly end?: number | undefined;
  readonly session?: number | undefined;
}

export interface ExportPage {
  readonly text: string;
  readonly records: number;
  readonly session: number;
  readonly first: number;
  readonly next: number;
  readonly end: number;
}

/** Of one answer: rows, and characters, which the last few rows may go beyond. */
const exportedAtOnce = 1000;
const exportedCharacters = 4 * 1024 * 1024;
const exportStep = 25;
/** Progress is told at most so often. */
const progressIntervalMs = 100;
/** How often a paused session looks how far it has fallen behind. */
const behindIntervalMs = 1000;

/**
 * Follows partitions from a seek expression into a store of bounded size. Makes no consumer group.
 * Rows are in the order of arrival, those of one partition in the order of offsets. A new seek is a new
 * session. Knows nothing of where it runs.
 */
export class TailSession implements Disposable {
  readonly options: TailSessionOptions;
  readonly #disposables = new DisposableStore();
  readonly #progressEmitter = this.#disposables.add(new Emitter<TailProgress>());
  /** Counts, when they change, at most ten times a second. */
  readonly onDidProgress = this.#progressEmitter.event;
  readonly #store: TailStore;
  readonly #view: TailView;
  /** Counted up by the panel: with another filter rows are numbered anew. */
  #session: number;
  readonly #end = new AbortController();
  #client: KafkaClient | undefined;
  #feed: TailFeed | undefined;
  #stable: StableWatch | undefined;
  #rate: RateMeter | undefined;
  #state: 'starting' | 'reading' | 'ended' | 'failed' = 'starting';
  /** Set while paused; resolved to go on. */
  #pause: Deferred<void> | undefined;
  #behind = 0n;
  #problem: Problem | undefined;
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
  }

  /**
   * Resolves once the start positions are known and reading has begun. Rejects where the expression
   * cannot be read or followed.
   */
  async start(signal?: AbortSignal): Promise<void> {
    const { cluster, topic, partitions, from, scope } = this.options;
    const either = signal ? AbortSignal.any([signal, this.#end.signal]) : this.#end.signal;
    try {
      const seek = parseSeek(from);
      await cluster.use(async (client) => {
        this.#client = client;
        this.#rate = new RateMeter(client.clock);
        this.#telling = new Throttle(client.clock, progressIntervalMs, () => this.#tell());
        const { isolation } = scope;
        const ranges = await resolveTail(client, { topic, partitions, isolation }, seek, either);
        const { signal: ended } = this.#end;
        const sink = this.#sink();
        this.#feed = new TailFeed({ client, topic, ranges, scope, sink, signal: ended });
        this.#state = 'reading';
        this.#touch();
        void this.#run(this.#feed);
        this.#watchStable(client, this.#feed);
      }, either);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  get progress(): TailProgress {
    const { held, first: dropped, progress: filter } = this.#view;
    const { bytes, limits } = this.#store;
    const error = this.#problem && {
      message: this.#problem.message,
      ...(this.#problem.hint !== undefined && { hint: this.#problem.hint }),
    };
    return {
      session: this.#session,
      held,
      dropped,
      bytes,
      bytesMax: limits.bytes,
      perSecond: this.#rate?.perSecond ?? 0,
      state: this.#shownState(),
      behind: String(this.#pause ? this.#behind : 0n),
      transactionsEnded: this.#feed?.transactionsEnded ?? 0,
      heldBack: String(this.#feed?.heldBack ?? 0n),
      heldBy: [...(this.#stable?.heldBack ?? [])],
      ...(error && { error }),
      ...(filter && { filter }),
    };
  }

  /** Stops reading and keeps the positions; nothing is lost when it goes on. */
  setPaused(paused: boolean): void {
    if (paused === (this.#pause !== undefined)) return;
    if (paused) {
      this.#pause = deferred();
      this.#behind = 0n;
      void this.#watchBehind(this.#pause);
    } else {
      this.#pause?.resolve();
      this.#pause = undefined;
    }
    this.#touch();
  }

  /**
   * Looks only at what a filter lets through, or at what it failed on. Rejects, in words, where the filter
   * cannot be read; then nothing changes.
   */
  async setFilter({ filter, show, within, session }: FilterRequest): Promise<void> {
    await this.#view.setFilter(filter, show, within);
    this.#session = session;
    this.#touch();
  }

  /** Reads payloads by other decoders from now on; takes the number where a filter had to start over. */
  async setDecoders(decoders: TailDecoders, session: number): Promise<void> {
    if (await this.#view.setDecoders(decoders)) this.#session = session;
    this.#touch();
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

  /**
   * Records as lines of a file, of what is looked at or of all that is held, from a row number on or from
   * the oldest. `next` is where to go on, until it is `end`.
   */
  exportRows({ format, all, from, end: known, session }: ExportRequest): ExportPage {
    if (!all && session !== undefined && session !== this.#session) {
      throw new Error(t('the filter was changed meanwhile: start again with what it shows now'));
    }
    const range = this.#view.range(all);
    const end = known ?? range.end;
    const first = Math.max(from ?? range.first, range.first);
    const { topic } = this.options;
    let text = '';
    let records = 0;
    let next = first;
    while (next < end && next - first < exportedAtOnce && text.length < exportedCharacters) {
      const count = Math.min(exportStep, end - next);
      for (const row of this.#view.stored(all, next, count)) {
        if (row.kind !== 'record') continue;
        text += exportLine(format, { topic, ...row });
        records++;
      }
      next += count;
    }
    return { text, records, session: this.#session, first, next, end };
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
    this.#end.abort();
    this.#pause?.resolve();
    this.#telling?.dispose();
    this.#disposables.dispose();
  }

  #sink(): TailSink {
    return {
      add: (part) => this.#rate?.add(this.#store.add(part)),
      addNote: (note) => this.#store.addNote(note),
      onTrouble: (error) => (this.#problem = error && toProblem(error)),
      onFailed: (error) => (this.#problem = toProblem(error)),
      ready: async () => {
        await this.#view.keepUp();
        await this.#pause?.promise;
      },
      onProgress: () => {
        this.#view.wake();
        this.#touch();
      },
    };
  }

  async #run(feed: TailFeed): Promise<void> {
    try {
      await feed.run();
      if (this.#state === 'reading') this.#state = feed.following.size > 0 ? 'ended' : 'failed';
    } catch (error) {
      this.#fail(error);
    }
    this.#touch();
  }

  #watchStable(client: KafkaClient, feed: TailFeed): void {
    const { topic } = this.options;
    this.#stable = this.#disposables.add(
      new StableWatch({
        client,
        clock: client.clock,
        suspects: () => feed.suspects.map((partition) => ({ topic, partition })),
        onChange: () => this.#touch(),
      }),
    );
  }

  async #watchBehind(pause: Deferred<void>): Promise<void> {
    while (this.#pause === pause && !this.#end.signal.aborted) {
      try {
        await this.#countBehind();
        if (this.#client) await sleep(this.#client.clock, behindIntervalMs, this.#end.signal);
        else return;
      } catch {
        return; // Disposed, or the cluster is gone: reading will say so when it goes on.
      }
    }
  }

  async #countBehind(): Promise<void> {
    const client = this.#client;
    const following = this.#feed?.following;
    if (!client || !following) return;
    const { topic } = this.options;
    const partitions = [...following.keys()].map((partition) => ({ topic, partition }));
    const ends = await readHighWatermarks(client, partitions, { signal: this.#end.signal });
    let behind = 0n;
    for (const { partition, value } of ends) {
      const followed = following.get(partition);
      if (!followed) continue;
      const { to } = followed.range;
      const end = to !== null && to < value ? to : value;
      if (end > followed.next) behind += end - followed.next;
    }
    this.#behind = behind;
    this.#touch();
  }

  #shownState(): TailProgress['state'] {
    if (this.#state === 'failed' || this.#state === 'ended') return this.#state;
    if (this.#problem) return 'failed';
    if (this.#pause) return 'paused';
    return this.#feed?.isLive ? 'live' : 'reading';
  }

  #fail(error: unknown): void {
    if (this.#end.signal.aborted) return;
    this.#state = 'failed';
    this.#problem = toProblem(error);
    this.#touch();
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
