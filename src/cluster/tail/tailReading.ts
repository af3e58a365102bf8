import type { Clock } from '../../base/clock.ts';
import { type Deferred, deferred } from '../../base/deferred.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { t } from '../../base/l10n.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import type { TailProgress } from '../../shared/contracts/tailProgress.ts';
import type { TailScope } from '../../shared/contracts/tailQuery.ts';
import { parseSeek } from '../../shared/seek.ts';
import type { ClusterSession } from '../clusterSession.ts';
import type { Problem } from '../model.ts';
import { toProblem } from '../problems.ts';
import { RateMeter } from '../rateMeter.ts';
import { missedStart } from './missedStart.ts';
import { watchBehind } from './tailBehind.ts';
import { TailFeed, type TailSink } from './tailFeed.ts';
import { StableWatch } from './tailStable.ts';
import { isPlace, offsetsIn, resolveTail } from './tailStart.ts';
import type { TailStore } from './tailStore.ts';
import { TopicWatch } from './tailTopic.ts';

/** What is read. */
export interface TailSource {
  readonly cluster: ClusterSession;
  readonly topic: string;
  readonly partitions: readonly number[];
  /** They are all that there are: those that are added are read too. */
  readonly isAll: boolean;
  /** A seek expression, such as `latest`, `last 100` or `group billing`. */
  readonly from: string;
  readonly scope: TailScope;
}

export interface TailReadingOptions extends TailSource {
  /** Gets what is read. */
  readonly store: TailStore;
  /** Resolves when those who look at the store can take more. */
  readonly keepUp: () => Promise<void>;
  /** The cluster is reached, and by this clock. */
  readonly onReached: (clock: Clock) => void;
  /** There is more in the store. */
  readonly onRecords: () => void;
  /** The progress is another. */
  readonly onChange: () => void;
}

/** What a reading knows of the progress of its tail. */
export type ReadingProgress = Pick<
  TailProgress,
  | 'beganAtPlace'
  | 'missed'
  | 'unordered'
  | 'perSecond'
  | 'state'
  | 'behind'
  | 'transactionsEnded'
  | 'heldBack'
  | 'heldBy'
  | 'error'
  | 'partitionCount'
  | 'topicGone'
>;

/**
 * Follows partitions from a seek expression into a store, and knows how that stands. Makes no consumer group. What is
 * read is in the order of arrival, that of one partition in the order of offsets.
 */
export class TailReading implements Disposable {
  readonly #options: TailReadingOptions;
  readonly #disposables = new DisposableStore();
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

  constructor(options: TailReadingOptions) {
    this.#options = options;
  }

  /**
   * Resolves once the start positions are known and reading has begun. Rejects where the expression
   * cannot be read or followed.
   */
  async start(signal?: AbortSignal): Promise<void> {
    const { cluster, from } = this.#options;
    const either = signal ? AbortSignal.any([signal, this.#end.signal]) : this.#end.signal;
    try {
      const seek = parseSeek(from);
      await cluster.use(async (client) => {
        this.#client = client;
        this.#rate = new RateMeter(client.clock);
        this.#options.onReached(client.clock);
        const { topic, partitions, scope } = this.#options;
        const { isolation } = scope;
        const ranges = await resolveTail(client, { topic, partitions, isolation }, seek, either);
        this.#beganAtPlace = isPlace(seek.start) && ranges.some((range) => offsetsIn(range) > 0n);
        const { signal: ended } = this.#end;
        const sink = this.#sink();
        this.#feed = new TailFeed({ client, topic, ranges, scope, sink, signal: ended });
        this.#state = 'reading';
        this.#options.onChange();
        void this.#run(this.#feed);
        this.#watchStable(client, this.#feed);
        this.#watchTopic(client, this.#feed);
      }, either);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  get progress(): ReadingProgress {
    const { message, hint } = this.#problem ?? {};
    const error = message !== undefined && { message, ...(hint !== undefined && { hint }) };
    const missed = this.#feed && missedStart([...this.#feed.following.values()]);
    return {
      ...(this.#beganAtPlace && { beganAtPlace: true }),
      ...(missed && { missed }),
      ...(this.#feed?.isUnordered && { unordered: true }),
      perSecond: this.#rate?.perSecond ?? 0,
      state: this.#shownState(),
      behind: String(this.#pause ? this.#behind : 0n),
      transactionsEnded: this.#feed?.transactionsEnded ?? 0,
      heldBack: String(this.#feed?.heldBack ?? 0n),
      heldBy: [...(this.#stable?.heldBack ?? [])],
      ...(error && { error }),
      ...this.#topic?.progress,
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
    this.#options.onChange();
  }

  dispose(): void {
    this.#end.abort();
    this.#goOn();
    this.#disposables.dispose();
  }

  #sink(): TailSink {
    const { store, keepUp, onRecords } = this.#options;
    return {
      add: (part) => this.#rate?.add(store.add(part)),
      addPiece: (piece) => this.#rate?.add(store.addPiece(piece)),
      addNote: (note) => store.addNote(note),
      onTrouble: (error) => (this.#error = error),
      ready: async () => {
        await keepUp();
        await this.#pause?.over.promise;
      },
      onProgress: () => {
        onRecords();
        this.#options.onChange();
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
    this.#options.onChange();
  }

  #watchStable(client: KafkaClient, feed: TailFeed): void {
    const { topic } = this.#options;
    this.#stable = this.#disposables.add(
      new StableWatch({
        client,
        clock: client.clock,
        suspects: () => feed.suspects.map((partition) => ({ topic, partition })),
        onChange: () => this.#options.onChange(),
      }),
    );
  }

  /** A tail that ends by itself reads what was there when it began. */
  #watchTopic(client: KafkaClient, feed: TailFeed): void {
    const { topic, partitions, isAll } = this.#options;
    const follows = isAll && [...feed.following.values()].every(({ range }) => range.to === null);
    this.#topic = this.#disposables.add(
      new TopicWatch({
        client,
        topic,
        partitionCount: follows ? partitions.length : undefined,
        isUnread: () => this.#pause !== undefined,
        onGrown: (added) => feed.join(added),
        onChange: () => this.#options.onChange(),
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
      this.#options.onChange();
    };
    void watchBehind({ client, topic: this.#options.topic, feed, signal, onCount });
  }

  get #problem(): Problem | undefined {
    const { topic } = this.#options;
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
    this.#options.onChange();
  }
}
