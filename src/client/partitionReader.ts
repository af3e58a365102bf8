import { type Deferred, deferred } from '../base/deferred.ts';
import type { Disposable } from '../base/disposable.ts';
import { t } from '../base/l10n.ts';
import { errorCodes } from '../protocol/errors.ts';
import { type FetchedPartition, readFetchedBatches } from './fetchedPartition.ts';
import { type FetchLimits, fetchPartitions, type PartitionAnswer } from './fetchPartitions.ts';
import type { KafkaClient } from './kafkaClient.ts';
import { ConnectionError, DeadlineError, isBrokerDown, KafkaError } from './kafkaError.ts';
import type { TopicMetadata } from './metadata.ts';
import { valueOf } from './outcome.ts';
import { backoffMs } from './retry.ts';
import { orCancelled, sleep } from './waiting.ts';

export interface PartitionReaderOptions extends Partial<FetchLimits> {
  readonly topic: string;
}

/** What happened to the partitions of one leader. */
export type ReaderEvent =
  | { readonly kind: 'fetched'; readonly fetched: FetchedPartition }
  /** The position is before the log's start or past its end. Reading stops until `start` says where. */
  | { readonly kind: 'outOfRange'; readonly partition: number; readonly position: bigint }
  /** Reading a partition has failed for good, and stops. */
  | { readonly kind: 'failed'; readonly partition: number; readonly error: Error }
  /** Something failed that may pass; reading is tried again. */
  | { readonly kind: 'trouble'; readonly partitions: readonly number[]; readonly error: Error };

interface Position {
  offset: bigint;
  /** Part of a fetch that is under way, or of events that were not taken yet. */
  isBusy: boolean;
  /** Failures one after the other. */
  failures: number;
  /** How many of the last ones said that there is no such topic. */
  unknowns: number;
}

/** What a fetch asked for, to be told apart from what a later `start` asks for. */
interface Asked {
  readonly partition: number;
  readonly position: Position;
  readonly offset: bigint;
  readonly leaderEpoch: number;
}

interface Delivery {
  readonly events: readonly ReaderEvent[];
  readonly asked: readonly Asked[];
}

const requestMarginMs = 15_000;
/** A topic that is said so often in a row to be unknown is; a broker that has just started may not know it yet. */
const unknownsUntilFinal = 6;
let readerCount = 0;

/**
 * Reads partitions of one topic from given offsets, without a group: a long poll a leader. The caller
 * pulls: of each leader at most one answer is held ready and none is asked for beyond it, so a slow
 * caller slows the reading and nothing piles up. [Fetcher]
 */
export class PartitionReader implements Disposable {
  readonly #client: KafkaClient;
  readonly #options: Required<PartitionReaderOptions>;
  readonly #lane = `reader-${++readerCount}`;
  readonly #positions = new Map<number, Position>();
  readonly #busyLeaders = new Set<number>();
  readonly #ready: Delivery[] = [];
  readonly #end = new AbortController();
  #arrival: Deferred<void> | undefined;
  #topicId: string | undefined;

  constructor(client: KafkaClient, options: PartitionReaderOptions) {
    this.#client = client;
    this.#options = {
      isolation: 'read_uncommitted',
      maxWaitMs: 500,
      partitionMaxBytes: 1024 * 1024,
      maxBytes: 4 * 1024 * 1024,
      ...options,
    };
  }

  /** Partitions that are being read. */
  get partitions(): number[] {
    return [...this.#positions.keys()];
  }

  /** Reads a partition from `offset` on, whatever it did before. */
  start(partition: number, offset: bigint): void {
    this.#positions.set(partition, { offset, isBusy: false, failures: 0, unknowns: 0 });
  }

  stop(partition: number): void {
    this.#positions.delete(partition);
  }

  /**
   * What the next leader to answer has brought; at the ends of all partitions that takes up to
   * `maxWaitMs`, and then brings no batches. Resolves with no event only where nothing is being read.
   */
  async read(signal?: AbortSignal): Promise<readonly ReaderEvent[]> {
    for (;;) {
      const delivery = this.#ready.shift();
      if (delivery) {
        for (const { position } of delivery.asked) position.isBusy = false;
        // Asks for the next answer while the caller is at work on this one.
        this.#fetchIdle();
        if (delivery.events.length > 0) return delivery.events;
        continue;
      }
      if (this.#positions.size === 0 || this.#end.signal.aborted) return [];
      this.#fetchIdle();
      this.#arrival ??= deferred();
      await orCancelled(this.#arrival.promise, signal);
    }
  }

  dispose(): void {
    this.#end.abort();
    this.#positions.clear();
    this.#client.closeLane(this.#lane);
    this.#arrive();
  }

  #fetchIdle(): void {
    const idle = [...this.#positions].filter(([, position]) => !position.isBusy);
    if (idle.length === 0) return;
    for (const [, position] of idle) position.isBusy = true;
    void this.#fetchFromLeaders(idle);
  }

  async #fetchFromLeaders(idle: readonly (readonly [number, Position])[]): Promise<void> {
    const asked = idle.map(([partition, position]) => ({
      partition,
      position,
      offset: position.offset,
      leaderEpoch: -1,
    }));
    try {
      const topic = await this.#topic();
      for (const [leader, theirs] of this.#byLeader(topic, asked)) {
        void this.#fetchFrom(topic, leader, theirs);
      }
    } catch (error) {
      await this.#fail(asked, error as Error);
    }
  }

  /** The topic, which must stay the same one: offsets mean nothing in one made anew under its name. */
  async #topic(): Promise<TopicMetadata> {
    const { topic: name } = this.#options;
    const outcome = (await this.#client.topics([name], { signal: this.#end.signal })).get(name);
    const context = { api: 'metadata', topic: name } as const;
    if (!outcome) throw new KafkaError(errorCodes.UNKNOWN_TOPIC_OR_PARTITION, context);
    const topic = valueOf(outcome);
    this.#topicId ??= topic.topicId;
    if (this.#topicId === topic.topicId) return topic;
    throw new TopicReplacedError(name);
  }

  #byLeader(topic: TopicMetadata, asked: readonly Asked[]): Map<number, Asked[]> {
    const leaders = new Map<number, Asked[]>();
    for (const one of asked) {
      const metadata = topic.partitions.find(({ partition }) => partition === one.partition);
      const leader = metadata?.leader ?? -1;
      if (this.#busyLeaders.has(leader)) {
        // The leader is answering for others; this one joins its next fetch.
        one.position.isBusy = false;
        continue;
      }
      const located = { ...one, leaderEpoch: metadata?.leaderEpoch ?? -1 };
      const list = leaders.get(leader);
      if (list) list.push(located);
      else leaders.set(leader, [located]);
    }
    return leaders;
  }

  async #fetchFrom(topic: TopicMetadata, leader: number, asked: readonly Asked[]): Promise<void> {
    if (leader < 0) {
      await Promise.all(asked.map((one) => this.#fail([one], this.#leaderless(one))));
      return;
    }
    this.#busyLeaders.add(leader);
    try {
      const answers = await this.#fetch(topic, leader, asked);
      this.#busyLeaders.delete(leader);
      this.#deliver(answers, asked);
    } catch (error) {
      this.#busyLeaders.delete(leader);
      await this.#fail(asked, error as Error);
    }
  }

  #leaderless({ partition }: Asked): KafkaError {
    const { topic } = this.#options;
    return new KafkaError(errorCodes.LEADER_NOT_AVAILABLE, { api: 'fetch', topic, partition });
  }

  #fetch(
    topic: TopicMetadata,
    leader: number,
    partitions: readonly Asked[],
  ): Promise<Map<number, PartitionAnswer>> {
    const limits = this.#options;
    return fetchPartitions(
      this.#client,
      { topic, partitions, limits },
      {
        to: leader,
        lane: this.#lane,
        signal: this.#end.signal,
        timeoutMs: limits.maxWaitMs + requestMarginMs,
      },
    );
  }

  #deliver(answers: ReadonlyMap<number, PartitionAnswer>, asked: readonly Asked[]): void {
    const events: ReaderEvent[] = [];
    const delivered: Asked[] = [];
    const failed: { readonly asked: Asked; readonly error: Error }[] = [];
    for (const one of asked) {
      if (this.#positions.get(one.partition) !== one.position) continue;
      const answer = answers.get(one.partition);
      const outcome = answer ? this.#read(answer, one) : undefined;
      if (outcome instanceof Error) failed.push({ asked: one, error: outcome });
      else delivered.push(one);
      if (outcome && !(outcome instanceof Error)) events.push(outcome);
    }
    this.#push({ events, asked: delivered });
    for (const { asked: one, error } of failed) void this.#fail([one], error);
  }

  #read(answer: PartitionAnswer, asked: Asked): ReaderEvent | Error {
    const { partition, position, offset } = asked;
    if (answer.errorCode === errorCodes.OFFSET_OUT_OF_RANGE) {
      this.#positions.delete(partition);
      return { kind: 'outOfRange', partition, position: offset };
    }
    if (answer.errorCode !== errorCodes.NONE) {
      const { topic } = this.#options;
      return new KafkaError(answer.errorCode, { api: 'fetch', topic, partition });
    }
    try {
      const batches = readFetchedBatches(answer.records, offset, answer.abortedTransactions);
      const last = batches.at(-1);
      if (!last && answer.records && answer.records.length > 0) {
        throw new Error(
          t('the broker sent part of a batch at offset {0}, and no whole one', offset),
        );
      }
      position.offset = last ? last.header.lastOffset + 1n : offset;
      position.failures = 0;
      position.unknowns = 0;
      const { highWatermark, lastStableOffset, logStartOffset } = answer;
      const ends = { highWatermark, lastStableOffset, logStartOffset };
      return {
        kind: 'fetched',
        fetched: { partition, ...ends, batches, nextOffset: position.offset },
      };
    } catch (error) {
      this.#positions.delete(partition);
      return { kind: 'failed', partition, error: error as Error };
    }
  }

  /** Says so, waits, and lets the partitions be asked for again; or gives up on them. */
  async #fail(asked: readonly Asked[], error: Error): Promise<void> {
    if (this.#end.signal.aborted) return;
    const isPassing = isRetriable(error);
    const isUnknown = error instanceof KafkaError && error.kafkaName.startsWith('UNKNOWN_TOPIC');
    const events: ReaderEvent[] = [];
    const retried: Asked[] = [];
    for (const one of asked) {
      const { partition, position } = one;
      if (this.#positions.get(partition) !== position) continue;
      position.failures++;
      position.unknowns = isUnknown ? position.unknowns + 1 : 0;
      if (isPassing && position.unknowns < unknownsUntilFinal) {
        retried.push(one);
      } else {
        this.#positions.delete(partition);
        events.push({ kind: 'failed', partition, error });
      }
    }
    const partitions = retried.map(({ partition }) => partition);
    if (retried.length > 0) events.push({ kind: 'trouble', partitions, error });
    if (events.length > 0) this.#push({ events, asked: [] });
    await this.#retryLater(retried);
  }

  async #retryLater(asked: readonly Asked[]): Promise<void> {
    if (asked.length === 0) return;
    this.#client.forgetTopics([this.#options.topic]);
    const failures = Math.max(...asked.map(({ position }) => position.failures));
    try {
      const { clock, random } = this.#client;
      await sleep(clock, backoffMs(failures + 1, random), this.#end.signal);
    } catch {
      return; // disposed
    }
    for (const { position } of asked) position.isBusy = false;
    // A caller that has not taken what is ready asks for more once it does: its trouble would pile up else.
    if (this.#ready.length === 0) this.#fetchIdle();
  }

  #push(delivery: Delivery): void {
    this.#ready.push(delivery);
    this.#arrive();
  }

  #arrive(): void {
    this.#arrival?.resolve();
    this.#arrival = undefined;
  }
}

/** The topic was deleted, and another made under its name. */
export class TopicReplacedError extends Error {
  override name = 'TopicReplacedError';

  constructor(topic: string) {
    super(t('{0} was deleted and made anew while it was being read', topic));
  }
}

function isRetriable(error: Error): boolean {
  // A leader that just went down: others will know soon who leads now.
  if (error instanceof KafkaError) return error.retriable || isBrokerDown(error);
  return error instanceof ConnectionError || error instanceof DeadlineError;
}
