import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Deferred, deferred } from '../base/deferred.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { listOffsets, offsetSpec } from '../client/admin/listOffsets.ts';
import type { FetchedPartition } from '../client/fetchedPartition.ts';
import type { KafkaClient } from '../client/kafkaClient.ts';
import { KafkaError } from '../client/kafkaError.ts';
import { valueOf } from '../client/outcome.ts';
import { PartitionReader, type ReaderEvent } from '../client/partitionReader.ts';
import { type OffsetRange, readRange } from '../client/readRange.ts';
import { sleep } from '../client/waiting.ts';
import type { RecordDetails, TailProgress, TailRow } from '../shared/contracts/tail.ts';
import { parseSeek } from '../shared/seek.ts';
import type { ClusterSession } from './clusterSession.ts';
import type { Problem } from './model.ts';
import { toProblem } from './problems.ts';
import { RateMeter } from './rateMeter.ts';
import { recordDetails, tailRow } from './tailRows.ts';
import { resolveTail, type TailRange } from './tailStart.ts';
import { TailStore, type TailStoreLimits } from './tailStore.ts';
import { Throttle } from './throttle.ts';
import { readHighWatermarks } from './topicReads.ts';

export interface TailSessionOptions {
  readonly cluster: ClusterSession;
  readonly topic: string;
  readonly partitions: readonly number[];
  /** A seek expression, such as `latest`, `last 100` or `group billing`. */
  readonly from: string;
  /** Goes into `TailProgress.session`; a panel counts it up with each seek. */
  readonly session: number;
  readonly limits?: TailStoreLimits;
}

interface Following {
  readonly range: TailRange;
  /** The offset after the last one taken in. */
  next: bigint;
  highWatermark: bigint;
}

/** Progress is told at most so often. */
const progressIntervalMs = 100;
/** How often a paused session looks how far it has fallen behind. */
const behindIntervalMs = 1000;
/** Longer than this at a time the session does not keep the event loop. */
const sliceMs = 8;

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
  readonly #following = new Map<number, Following>();
  readonly #end = new AbortController();
  #client: KafkaClient | undefined;
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
    this.#store = new TailStore(options.limits);
  }

  /**
   * Resolves once the start positions are known and reading has begun. Rejects where the expression
   * cannot be read or followed.
   */
  async start(signal?: AbortSignal): Promise<void> {
    const { cluster, topic, partitions, from } = this.options;
    const either = signal ? AbortSignal.any([signal, this.#end.signal]) : this.#end.signal;
    try {
      const seek = parseSeek(from);
      await cluster.use(async (client) => {
        this.#client = client;
        this.#rate = new RateMeter(client.clock);
        this.#telling = new Throttle(client.clock, progressIntervalMs, () => this.#tell());
        for (const range of await resolveTail(client, { topic, partitions }, seek, either)) {
          const highWatermark = range.end;
          this.#following.set(range.partition, { range, next: range.position, highWatermark });
        }
        this.#state = 'reading';
        this.#touch();
        void this.#run(client);
      }, either);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  get progress(): TailProgress {
    const { session } = this.options;
    const { held, firstRow: dropped } = this.#store;
    const perSecond = this.#rate?.perSecond ?? 0;
    const behind = String(this.#pause ? this.#behind : 0n);
    const error = this.#problem && {
      message: this.#problem.message,
      ...(this.#problem.hint !== undefined && { hint: this.#problem.hint }),
    };
    const state = this.#shownState();
    return { session, held, dropped, perSecond, state, behind, ...(error && { error }) };
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

  /** Rows by number, those that are held: `progress.dropped` is the number of the oldest. */
  rows(first: number, count: number): TailRow[] {
    return this.#store.rows(first, count).map(tailRow);
  }

  /** A whole record: from the store, or read again where it was dropped. Undefined: it is gone from the log. */
  async details(
    partition: number,
    offset: bigint,
    signal?: AbortSignal,
  ): Promise<RecordDetails | undefined> {
    const { topic, cluster } = this.options;
    const held = this.#store.find(partition, offset);
    if (held && 'record' in held) {
      const { header } = held.stored.batch;
      return recordDetails({ topic, partition, header, record: held.record });
    }
    const range = { topic, partition, from: offset, to: offset + 1n };
    return cluster.use((client) => readDetails(client, range, signal), signal);
  }

  dispose(): void {
    this.#end.abort();
    this.#pause?.resolve();
    this.#telling?.dispose();
    this.#disposables.dispose();
  }

  async #run(client: KafkaClient): Promise<void> {
    const reader = new PartitionReader(client, { topic: this.options.topic });
    try {
      for (const { range } of this.#following.values()) this.#startReading(reader, range);
      while (reader.partitions.length > 0 && !this.#end.signal.aborted) {
        await this.#pause?.promise;
        const events = await reader.read(this.#end.signal);
        // Paused while waiting: what came is kept for later.
        await this.#pause?.promise;
        await this.#takeAll(client, reader, events);
        this.#touch();
      }
      if (this.#state === 'reading') this.#state = this.#following.size > 0 ? 'ended' : 'failed';
    } catch (error) {
      this.#fail(error);
    } finally {
      reader.dispose();
      this.#touch();
    }
  }

  #startReading(reader: PartitionReader, { partition, position, from, to }: TailRange): void {
    if (to === null || (from < to && position < to)) reader.start(partition, position);
  }

  async #takeAll(
    client: KafkaClient,
    reader: PartitionReader,
    events: readonly ReaderEvent[],
  ): Promise<void> {
    let sliceEndMs = client.clock.monotonicMs() + sliceMs;
    for (const event of events) {
      if (this.#end.signal.aborted) return;
      if (event.kind === 'fetched') this.#take(reader, event.fetched);
      else await this.#handle(client, reader, event);
      if (client.clock.monotonicMs() < sliceEndMs) continue;
      await nextTurn();
      sliceEndMs = client.clock.monotonicMs() + sliceMs;
    }
  }

  #take(reader: PartitionReader, fetched: FetchedPartition): void {
    const { partition, nextOffset, highWatermark, batches } = fetched;
    const following = this.#following.get(partition);
    if (!following) return;
    const { from, to } = following.range;
    for (const batch of batches) {
      if (batch.isControl) continue;
      const start = following.next > from ? following.next : from;
      this.#rate?.add(this.#store.add({ partition, batch, from: start, to }));
    }
    following.next = nextOffset;
    following.highWatermark = highWatermark;
    this.#problem = undefined;
    if (to !== null && nextOffset >= to) reader.stop(partition);
  }

  async #handle(
    client: KafkaClient,
    reader: PartitionReader,
    event: Exclude<ReaderEvent, { kind: 'fetched' }>,
  ): Promise<void> {
    if (event.kind === 'trouble') {
      this.#problem = toProblem(event.error);
    } else if (event.kind === 'failed') {
      this.#problem = toProblem(event.error);
      this.#following.delete(event.partition);
    } else {
      await this.#backIntoLog(client, reader, event);
    }
  }

  /** Retention passed the position, or the log was cut short: reading goes on at the nearer end. */
  async #backIntoLog(
    client: KafkaClient,
    reader: PartitionReader,
    { partition, position }: { readonly partition: number; readonly position: bigint },
  ): Promise<void> {
    const { topic } = this.options;
    const at = async (timestamp: bigint): Promise<bigint> => {
      const outcome = await listOffsets(client, [{ topic, partition, timestamp }], {
        signal: this.#end.signal,
      });
      const listed = outcome.get(topic, partition);
      return (listed && valueOf(listed).offset) ?? position;
    };
    const logStart = await at(offsetSpec.earliest);
    const next = position < logStart ? logStart : await at(offsetSpec.latest);
    const following = this.#following.get(partition);
    if (!following) return;
    following.next = next;
    reader.start(partition, next);
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
    if (!client) return;
    const { topic } = this.options;
    const partitions = [...this.#following.keys()].map((partition) => ({ topic, partition }));
    const ends = await readHighWatermarks(client, partitions, { signal: this.#end.signal });
    let behind = 0n;
    for (const { partition, value } of ends) {
      const following = this.#following.get(partition);
      if (!following) continue;
      const { to } = following.range;
      const end = to !== null && to < value ? to : value;
      if (end > following.next) behind += end - following.next;
    }
    this.#behind = behind;
    this.#touch();
  }

  #shownState(): TailProgress['state'] {
    if (this.#state === 'failed' || this.#state === 'ended') return this.#state;
    if (this.#problem) return 'failed';
    if (this.#pause) return 'paused';
    if (this.#state === 'starting') return 'reading';
    const isLive = [...this.#following.values()].every(
      ({ next, highWatermark, range }) =>
        next >= highWatermark || (range.to !== null && next >= range.to),
    );
    return isLive ? 'live' : 'reading';
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

async function readDetails(
  client: KafkaClient,
  range: OffsetRange,
  signal?: AbortSignal,
): Promise<RecordDetails | undefined> {
  const { topic, partition, from } = range;
  try {
    for await (const batch of readRange(client, range, signal)) {
      const [record] = batch.isControl ? [] : batch.records();
      if (record?.offset !== from) continue;
      return recordDetails({ topic, partition, header: batch.header, record });
    }
  } catch (error) {
    const isGone = error instanceof KafkaError && error.kafkaName === 'OFFSET_OUT_OF_RANGE';
    if (!isGone) throw error;
  }
  return undefined;
}
