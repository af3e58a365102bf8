import { setImmediate as nextTurn } from 'node:timers/promises';
import { listOffsets, offsetSpec } from '../../client/admin/listOffsets.ts';
import type { FetchedPartition } from '../../client/fetchedPartition.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import { valueOf } from '../../client/outcome.ts';
import { PartitionReader, type ReaderEvent } from '../../client/partitionReader.ts';
import type { TailScope } from '../../shared/contracts/tailQuery.ts';
import type { TailRange } from './tailStart.ts';
import type { MergedSink } from './backlogMerge.ts';
import type { BatchPart } from './keptBatch.ts';
import { TailBacklog } from './tailBacklog.ts';
import { beginsAt, wasCutShort, wereAdded, wereDeleted, wereLost } from './tailFeedWords.ts';
import { TailTrouble } from './tailTrouble.ts';
import { TailTransactions } from './tailTransactions.ts';

/** Who takes what a feed reads. */
export interface TailSink extends MergedSink {
  add(part: BatchPart): void;
  /** What keeps a partition or more from being read; undefined: nothing does any more. */
  onTrouble(error: Error | undefined): void;
  /** Resolves when more may come: at once, but for a pause. */
  ready(): Promise<void>;
  /** A slice of work is done. */
  onProgress(): void;
}

export interface TailFeedOptions {
  readonly client: KafkaClient;
  readonly topic: string;
  readonly ranges: readonly TailRange[];
  readonly scope: TailScope;
  readonly sink: TailSink;
  readonly signal: AbortSignal;
}

interface Following {
  readonly range: TailRange;
  /** The offset after the last one taken in. */
  next: bigint;
  highWatermark: bigint;
  lastStableOffset: bigint;
}

/** Longer than this at a time the feed does not keep the event loop. */
const sliceMs = 8;

/** Reads partitions from where a seek expression begins, in the order of offsets each, into a sink. */
export class TailFeed {
  readonly #options: TailFeedOptions;
  readonly #following = new Map<number, Following>();
  readonly #transactions = new TailTransactions();
  readonly #trouble = new TailTrouble();
  readonly #backlog: TailBacklog;
  #reader: PartitionReader | undefined;

  constructor(options: TailFeedOptions) {
    this.#options = options;
    this.#backlog = new TailBacklog(options.ranges, options.sink);
    for (const range of options.ranges) {
      const { partition, position, end } = range;
      const ends = { highWatermark: end, lastStableOffset: -1n };
      this.#following.set(partition, { range, next: position, ...ends });
    }
  }

  /** The partitions that are still read, and where they stand. */
  get following(): ReadonlyMap<number, Readonly<Following>> {
    return this.#following;
  }

  get transactionsEnded(): number {
    return this.#transactions.ended;
  }

  /** Whether everything that is there now, and may be shown, has been read. */
  get isLive(): boolean {
    if (!this.#backlog.isOver) return false;
    return [...this.#following.values()].every(
      (following) =>
        following.next >= this.#readableEnd(following) ||
        (following.range.to !== null && following.next >= following.range.to),
    );
  }

  /** What was there when the tail began is not in the order of time. */
  get isUnordered(): boolean {
    return this.#backlog.isUnordered;
  }

  /** Offsets that an open transaction keeps read_committed from. */
  get heldBack(): bigint {
    if (this.#options.scope.isolation === 'read_uncommitted') return 0n;
    let sum = 0n;
    for (const following of this.#following.values()) {
      sum += following.highWatermark - this.#readableEnd(following);
    }
    return sum;
  }

  /** Partitions on which records wait for a transaction to end, or of which that is not known. */
  get suspects(): number[] {
    return [...this.#following].flatMap(([partition, { lastStableOffset, highWatermark }]) =>
      lastStableOffset < highWatermark ? [partition] : [],
    );
  }

  /** Reads partitions that were added, from their beginning. False: not before what was there has been read. */
  join(partitions: readonly number[]): boolean {
    const [first] = partitions;
    if (first === undefined || !this.#backlog.isOver || !this.#reader) return false;
    for (const partition of partitions) {
      const range = { partition, position: 0n, from: 0n, to: null, end: 0n, noneAsLate: false };
      const ends = { highWatermark: 0n, lastStableOffset: -1n };
      this.#following.set(partition, { range, next: 0n, ...ends });
      this.#reader.start(partition, 0n);
    }
    const text = wereAdded(partitions);
    this.#backlog.addNote({ partition: first, offset: 0n, text });
    return true;
  }

  /** Resolves when every partition has reached its end or failed. Rejects when aborted. */
  async run(): Promise<void> {
    const { client, topic, scope, sink, signal } = this.#options;
    const reader = new PartitionReader(client, { topic, isolation: scope.isolation });
    this.#reader = reader;
    try {
      for (const { range } of this.#following.values()) this.#start(reader, range);
      await this.#backlog.giveOn();
      while (!signal.aborted) {
        await sink.ready();
        const events = await reader.read(signal);
        // That the last of them has failed is an event too, and comes when none is read any more.
        if (events.length === 0) break;
        // Paused while waiting: what came is kept for later.
        await sink.ready();
        await this.#takeAll(reader, events);
        sink.onTrouble(this.#trouble.error);
        sink.onProgress();
      }
    } finally {
      this.#reader = undefined;
      reader.dispose();
    }
  }

  /** Whether all has been read that was there when the tail began, and may be shown. */
  #hasBacklog(following: Following): boolean {
    const { next, range } = following;
    return next >= range.end || next >= this.#readableEnd(following) || isAtEnd(following);
  }

  #readableEnd({ highWatermark, lastStableOffset }: Following): bigint {
    const isStable = this.#options.scope.isolation === 'read_committed' && lastStableOffset >= 0n;
    return isStable ? lastStableOffset : highWatermark;
  }

  #start(reader: PartitionReader, { partition, position, from, to }: TailRange): void {
    if (from < position) {
      const text = beginsAt(from, position);
      this.#backlog.addNote({ partition, offset: position, text });
    }
    if (to === null || (from < to && position < to)) reader.start(partition, position);
  }

  async #takeAll(reader: PartitionReader, events: readonly ReaderEvent[]): Promise<void> {
    const { client, signal } = this.#options;
    let sliceEndMs = client.clock.monotonicMs() + sliceMs;
    for (const event of events) {
      if (signal.aborted) return;
      if (event.kind === 'fetched') this.#take(reader, event.fetched);
      else await this.#handle(reader, event);
      await this.#backlog.giveOn();
      if (client.clock.monotonicMs() < sliceEndMs) continue;
      await nextTurn();
      sliceEndMs = client.clock.monotonicMs() + sliceMs;
    }
    this.#readOn(reader);
  }

  /** What waits for other partitions is not read further until it is given on. */
  #readOn(reader: PartitionReader): void {
    for (const partition of this.#backlog.takeDrained()) {
      const following = this.#following.get(partition);
      if (following && !isAtEnd(following)) reader.start(partition, following.next);
    }
  }

  #take(reader: PartitionReader, fetched: FetchedPartition): void {
    const { partition, nextOffset, highWatermark, lastStableOffset, batches } = fetched;
    const following = this.#following.get(partition);
    if (!following) return;
    for (const batch of batches) this.#takeBatch(following, batch);
    // What was on its way when reading was held up is read once more.
    if (nextOffset > following.next) following.next = nextOffset;
    following.highWatermark = highWatermark;
    following.lastStableOffset = lastStableOffset;
    this.#trouble.isOver(partition);
    if (isAtEnd(following) || this.#backlog.holdsUp(partition)) reader.stop(partition);
    if (this.#hasBacklog(following)) this.#backlog.finish(partition);
  }

  #takeBatch({ range, next }: Following, batch: FetchedPartition['batches'][number]): void {
    const { scope } = this.#options;
    const { partition, from, to } = range;
    const { baseOffset: offset, lastOffset } = batch.header;
    if (lastOffset < next) return;
    if (batch.isControl) {
      const text = this.#transactions.end(partition, batch);
      const isWanted = scope.markers && offset >= from && (to === null || offset < to);
      if (isWanted) this.#backlog.addNote({ partition, offset, text });
      return;
    }
    if (scope.isolation === 'read_committed' && batch.isAborted) return;
    const transaction = this.#transactions.of(partition, batch);
    this.#backlog.add({ partition, batch, from: next > from ? next : from, to, transaction });
  }

  async #handle(
    reader: PartitionReader,
    event: Exclude<ReaderEvent, { kind: 'fetched' }>,
  ): Promise<void> {
    if (event.kind === 'trouble') {
      this.#trouble.add(event.partitions, event.error);
      for (const partition of event.partitions) this.#backlog.finish(partition);
    } else if (event.kind === 'failed') {
      this.#following.delete(event.partition);
      this.#backlog.finish(event.partition);
      this.#trouble.lasts(event.partition, event.error);
    } else {
      await this.#backIntoLog(reader, event);
    }
  }

  /** Retention passed the position, or the log was cut short: reading goes on at the nearer end, and says so. */
  async #backIntoLog(
    reader: PartitionReader,
    { partition, position, end }: Extract<ReaderEvent, { kind: 'outOfRange' }>,
  ): Promise<void> {
    const following = this.#following.get(partition);
    if (!following) return;
    const logStart = (await this.#offsetAt(partition, offsetSpec.earliest)) ?? position;
    const isBefore = position < logStart;
    const next = isBefore
      ? logStart
      : (end ?? (await this.#offsetAt(partition, offsetSpec.latest)) ?? position);
    if (next !== position) {
      const isLost = end !== undefined;
      const words = isBefore ? wereDeleted : isLost ? wereLost : wasCutShort;
      this.#backlog.addNote({ partition, offset: next, text: words(position, next) });
    }
    following.next = next;
    reader.start(partition, next);
  }

  async #offsetAt(partition: number, timestamp: bigint): Promise<bigint | undefined> {
    const { client, topic, signal } = this.#options;
    const outcome = await listOffsets(client, [{ topic, partition, timestamp }], { signal });
    const listed = outcome.get(topic, partition);
    return (listed && valueOf(listed).offset) ?? undefined;
  }
}

function isAtEnd({ range: { to }, next }: Following): boolean {
  return to !== null && next >= to;
}
