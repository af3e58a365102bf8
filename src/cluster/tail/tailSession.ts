import { systemClock } from '../../base/clock.ts';
import { type Deferred, deferred } from '../../base/deferred.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import type { RecordDetails } from '../../shared/contracts/recordDetails.ts';
import type { TailHistogram } from '../../shared/contracts/tailHistogram.ts';
import type { TailProgress } from '../../shared/contracts/tailProgress.ts';
import type {
  FilterShow,
  TailOrder,
  TailScope,
  TimeSpan,
} from '../../shared/contracts/tailQuery.ts';
import type { TailRow } from '../../shared/contracts/tailRows.ts';
import { parseSeek } from '../../shared/seek.ts';
import type { ClusterSession } from '../clusterSession.ts';
import type { Problem } from '../model.ts';
import { toProblem } from '../problems.ts';
import { RateMeter } from '../rateMeter.ts';
import { watchBehind } from './tailBehind.ts';
import type { TailDecoders } from './tailDecoders.ts';
import { readRecordAgain } from './tailDetails.ts';
import { missedStart } from './missedStart.ts';
import { type ExportPage, type ExportRequest, exportPage } from './tailExporting.ts';
import { TailFeed, type TailSink } from './tailFeed.ts';
import { recordDetails } from './tailRows.ts';
import type { WorkerFiles } from './tailScriptMatcher.ts';
import { StableWatch } from './tailStable.ts';
import { isPlace, offsetsIn, resolveTail } from './tailStart.ts';
import { TailStore, type TailStoreLimits } from './tailStore.ts';
import { TopicWatch } from './tailTopic.ts';
import { TailView, type WantedRows } from './tailView.ts';
import { Throttle } from '../throttle.ts';

export interface TailSessionOptions {
  readonly cluster: ClusterSession;
  readonly topic: string;
  readonly partitions: readonly number[];
  /** They are all that there are: those that are added are read too. */
  readonly isAll: boolean;
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

/** Progress is told at most so often. */
const progressIntervalMs = 100;
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
  #topic: TopicWatch | undefined;
  #beganAtPlace = false;
  #rate: RateMeter | undefined;
  #state: 'starting' | 'reading' | 'ended' | 'failed' = 'starting';
  /** Set while paused: resolved to go on, and what ends the looking how far it has fallen behind. */
  #pause: { readonly over: Deferred<void>; readonly end: AbortController } | undefined;
  #behind = 0n;
  /** What keeps it from reading. */
  #error: unknown;
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
        this.#beganAtPlace = isPlace(seek.start) && ranges.some((range) => offsetsIn(range) > 0n);
        const { signal: ended } = this.#end;
        const sink = this.#sink();
        this.#feed = new TailFeed({ client, topic, ranges, scope, sink, signal: ended });
        this.#state = 'reading';
        this.#touch();
        void this.#run(this.#feed);
        this.#watchStable(client, this.#feed);
        this.#watchTopic(client, this.#feed);
      }, either);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  get progress(): TailProgress {
    const { held, first: dropped, progress: filter, sorted } = this.#view;
    const { bytes, limits } = this.#store;
    const { message, hint } = this.#problem ?? {};
    const error = message !== undefined && { message, ...(hint !== undefined && { hint }) };
    return {
      session: this.#session,
      ...this.#beginning,
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
      ...this.#topic?.progress,
      ...(filter && { filter }),
      ...(sorted && { sorted }),
    };
  }

  /** Where it began, and how what was there comes. */
  get #beginning(): Pick<TailProgress, 'began' | 'beganAtPlace' | 'missed' | 'unordered'> {
    const missed = this.#feed && missedStart([...this.#feed.following.values()]);
    return {
      began: this.options.session,
      ...(this.#beganAtPlace && { beganAtPlace: true }),
      ...(missed && { missed }),
      ...(this.#feed?.isUnordered && { unordered: true }),
    };
  }

  /** Stops reading and keeps the positions; nothing is lost when it goes on. */
  setPaused(paused: boolean): void {
    if (paused === (this.#pause !== undefined)) return;
    this.#behind = 0n;
    if (paused) {
      this.#pause = { over: deferred(), end: new AbortController() };
      this.#watchBehind(this.#pause.end.signal);
    } else {
      this.#goOn();
    }
    this.#touch();
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
    this.#end.abort();
    this.#goOn();
    this.#telling?.dispose();
    this.#disposables.dispose();
  }

  /** What was asked for earlier may be done later: it takes no number back. */
  #number(session: number): void {
    this.#session = Math.max(this.#session, session);
  }

  #sink(): TailSink {
    return {
      add: (part) => this.#rate?.add(this.#store.add(part)),
      addPiece: (piece) => this.#rate?.add(this.#store.addPiece(piece)),
      addNote: (note) => this.#store.addNote(note),
      onTrouble: (error) => (this.#error = error),
      ready: async () => {
        await this.#view.keepUp();
        await this.#pause?.over.promise;
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
      if (feed.following.size > 0) this.#state = 'ended';
      else this.#fail(this.#error);
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

  /** A tail that ends by itself reads what was there when it began. */
  #watchTopic(client: KafkaClient, feed: TailFeed): void {
    const { topic, partitions, isAll } = this.options;
    const follows = isAll && [...feed.following.values()].every(({ range }) => range.to === null);
    this.#topic = this.#disposables.add(
      new TopicWatch({
        client,
        topic,
        partitionCount: follows ? partitions.length : undefined,
        isUnread: () => this.#pause !== undefined,
        onGrown: (added) => feed.join(added),
        onChange: () => this.#touch(),
      }),
    );
  }

  #goOn(): void {
    this.#pause?.end.abort();
    this.#pause?.over.resolve();
    this.#pause = undefined;
  }

  #watchBehind(signal: AbortSignal): void {
    const [client, feed] = [this.#client, this.#feed];
    if (!client || !feed) return;
    const onCount = (behind: bigint): void => {
      this.#behind = behind;
      this.#touch();
    };
    void watchBehind({ client, topic: this.options.topic, feed, signal, onCount });
  }

  get #problem(): Problem | undefined {
    const { topic } = this.options;
    switch (this.#topic?.gone) {
      case 'deleted':
        return { message: t('Topic {0} was deleted.', topic) };
      case 'back':
        return { message: t('Topic {0} was deleted. There is one of that name again.', topic) };
      case undefined:
        return this.#error === undefined ? undefined : toProblem(this.#error);
    }
  }

  #shownState(): TailProgress['state'] {
    if (this.#state === 'failed' || this.#state === 'ended') return this.#state;
    if (this.#error !== undefined || this.#topic?.gone) return 'failed';
    if (this.#pause) return 'paused';
    return this.#feed?.isLive ? 'live' : 'reading';
  }

  #fail(error: unknown): void {
    if (this.#end.signal.aborted) return;
    this.#state = 'failed';
    this.#error = error;
    this.#topic?.noteFailure(error);
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
