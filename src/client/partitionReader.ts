import { type Deferred, deferred } from '../base/deferred.ts';
import type { Disposable } from '../base/disposable.ts';
import { errorCodes } from '../protocol/errors.ts';
import type { FetchedPartition } from './fetchedPartition.ts';
import { type FetchLimits, fetchPartitions, type PartitionAnswer } from './fetchPartitions.ts';
import type { KafkaClient } from './kafkaClient.ts';
import { KafkaError } from './kafkaError.ts';
import type { TopicMetadata } from './metadata.ts';
import { readAnswer, type ReadOutcome, type ReadPosition } from './partitionAnswer.ts';
import { Reading } from './reading.ts';
import { backoffMs } from './retry.ts';
import { SameTopic } from './sameTopic.ts';
import { orCancelled, sleep } from './waiting.ts';

export interface PartitionReaderOptions extends Partial<FetchLimits> {
  readonly topic: string;
}

/** What happened to the partitions of one leader. */
export type ReaderEvent =
  | { readonly kind: 'fetched'; readonly fetched: FetchedPartition }
  /** The position is before the log's start or past its end. Reading stops until `start` says where. */
  | {
      readonly kind: 'outOfRange';
      readonly partition: number;
      readonly position: bigint;
      /** Where the log was cut off, with what had been read from there on: a new leader never had it. */
      readonly end?: bigint | undefined;
    }
  /** Reading a partition has failed for good, and stops. */
  | { readonly kind: 'failed'; readonly partition: number; readonly error: Error }
  /** Something failed that may pass; reading is tried again. */
  | { readonly kind: 'trouble'; readonly partitions: readonly number[]; readonly error: Error };

/** What a fetch asked for, to be told apart from what a later `start` asks for. */
interface Asked {
  readonly partition: number;
  readonly reading: Reading;
  readonly position: ReadPosition;
  readonly leaderEpoch: number;
}

interface Delivery {
  readonly events: readonly ReaderEvent[];
  readonly asked: readonly Asked[];
}

const requestMarginMs = 15_000;
let readerCount = 0;

/**
 * Reads partitions of one topic from given offsets, without a group: a long poll a leader. The caller
 * pulls: of each leader at most one answer is held ready and none is asked for beyond it, so a slow
 * caller slows the reading and nothing piles up. [Fetcher]
 */
export class PartitionReader implements Disposable {
  readonly #client: KafkaClient;
  readonly #options: Required<PartitionReaderOptions>;
  readonly #topic: SameTopic;
  readonly #lane = `reader-${++readerCount}`;
  readonly #readings = new Map<number, Reading>();
  readonly #busyLeaders = new Set<number>();
  readonly #ready: Delivery[] = [];
  readonly #end = new AbortController();
  #arrival: Deferred<void> | undefined;

  constructor(client: KafkaClient, options: PartitionReaderOptions) {
    this.#client = client;
    this.#topic = new SameTopic(client, options.topic);
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
    return [...this.#readings.keys()];
  }

  /**
   * Reads a partition from `offset` on, whatever it did before; `lastEpoch` is that of the record before it, if known.
   */
  start(partition: number, offset: bigint, lastEpoch = -1): void {
    this.#readings.set(partition, new Reading({ offset, lastEpoch }));
  }

  stop(partition: number): void {
    this.#readings.delete(partition);
  }

  /**
   * What the next leader to answer has brought; at the ends of all partitions that takes up to
   * `maxWaitMs`, and then brings no batches. Resolves with no event only where nothing is being read.
   */
  async read(signal?: AbortSignal): Promise<readonly ReaderEvent[]> {
    for (;;) {
      const delivery = this.#ready.shift();
      if (delivery) {
        for (const { reading } of delivery.asked) reading.isBusy = false;
        // Asks for the next answer while the caller is at work on this one.
        this.#fetchIdle();
        if (delivery.events.length > 0) return delivery.events;
        continue;
      }
      if (this.#readings.size === 0 || this.#end.signal.aborted) return [];
      this.#fetchIdle();
      this.#arrival ??= deferred();
      await orCancelled(this.#arrival.promise, signal);
    }
  }

  dispose(): void {
    this.#end.abort();
    this.#readings.clear();
    this.#client.closeLane(this.#lane);
    this.#arrive();
  }

  #fetchIdle(): void {
    const idle = [...this.#readings].filter(([, reading]) => !reading.isBusy);
    if (idle.length === 0) return;
    for (const [, reading] of idle) reading.isBusy = true;
    void this.#fetchFromLeaders(idle);
  }

  async #fetchFromLeaders(idle: readonly (readonly [number, Reading])[]): Promise<void> {
    const asked = idle.map(([partition, reading]) => {
      const { position } = reading;
      return { partition, reading, position, leaderEpoch: -1 };
    });
    try {
      const topic = await this.#topic.get(this.#end.signal);
      for (const [leader, theirs] of this.#byLeader(topic, asked)) {
        void this.#fetchFrom(topic, leader, theirs);
      }
    } catch (error) {
      await this.#fail(asked, error as Error);
    }
  }

  #byLeader(topic: TopicMetadata, asked: readonly Asked[]): Map<number, Asked[]> {
    const leaders = new Map<number, Asked[]>();
    for (const one of asked) {
      const metadata = topic.partitions.find(({ partition }) => partition === one.partition);
      const leader = metadata?.leader ?? -1;
      if (this.#busyLeaders.has(leader)) {
        // The leader is answering for others; this one joins its next fetch.
        one.reading.isBusy = false;
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
    asked: readonly Asked[],
  ): Promise<Map<number, PartitionAnswer>> {
    const limits = this.#options;
    const partitions = asked.map(({ partition, position, leaderEpoch }) => ({
      ...{ partition, ...position, leaderEpoch },
    }));
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
    const refused: { readonly asked: Asked; readonly error: Error }[] = [];
    const { topic } = this.#options;
    for (const one of asked) {
      const { partition, reading, position } = one;
      if (this.#readings.get(partition) !== reading) continue;
      const answer = answers.get(partition);
      const outcome = answer && readAnswer(answer, position, { topic, partition });
      if (outcome?.kind === 'refused') {
        refused.push({ asked: one, error: outcome.error });
        continue;
      }
      delivered.push(one);
      if (outcome) events.push(...this.#follow(outcome, one));
    }
    this.#push({ events, asked: delivered });
    for (const { asked: one, error } of refused) void this.#fail([one], error);
  }

  /** Goes where the answer says, and tells of it. */
  #follow(
    outcome: Exclude<ReadOutcome, { kind: 'refused' }>,
    { partition, reading, position: { offset: position } }: Asked,
  ): ReaderEvent[] {
    if (outcome.kind === 'withoutEpoch') {
      reading.position = outcome.next;
      return [];
    }
    if (outcome.kind === 'fetched') {
      const { next, fetched } = outcome;
      reading.advance(next);
      return [{ kind: 'fetched', fetched }];
    }
    this.#readings.delete(partition);
    if (outcome.kind === 'damaged') return [{ kind: 'failed', partition, error: outcome.error }];
    const { end } = outcome;
    return [{ kind: 'outOfRange', partition, position, ...(end !== undefined && { end }) }];
  }

  /** Says so, waits, and lets the partitions be asked for again; or gives up on them. */
  async #fail(asked: readonly Asked[], error: Error): Promise<void> {
    if (this.#end.signal.aborted) return;
    const events: ReaderEvent[] = [];
    const retried: Asked[] = [];
    for (const one of asked) {
      const { partition, reading } = one;
      if (this.#readings.get(partition) !== reading) continue;
      const isNews = this.#client.topicNews.has(this.#options.topic, partition);
      if (reading.fail(error, isNews)) {
        retried.push(one);
      } else {
        this.#readings.delete(partition);
        events.push({ kind: 'failed', partition, error });
      }
    }
    const partitions = retried.map(({ partition }) => partition);
    if (retried.length > 0) events.push({ kind: 'trouble', partitions, error });
    if (events.length > 0) this.#push({ events, asked: [] });
    const isLeaderKnown = error instanceof KafkaError && error.isLeaderKnown;
    if (!isLeaderKnown) this.#client.forgetTopics([this.#options.topic]);
    await this.#retryLater(retried);
  }

  async #retryLater(asked: readonly Asked[]): Promise<void> {
    if (asked.length === 0) return;
    const failures = Math.max(...asked.map(({ reading }) => reading.failures));
    try {
      const { clock, random } = this.#client;
      await sleep(clock, backoffMs(failures + 1, random), this.#end.signal);
    } catch {
      return; // disposed
    }
    for (const { reading } of asked) reading.isBusy = false;
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
