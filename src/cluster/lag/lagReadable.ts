import type { FetchedBatch } from '../../client/fetchedPartition.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import type { TopicPartition } from '../../client/partitionMap.ts';
import { readRange } from '../../client/readRange.ts';
import type { PartitionOffsets } from '../model.ts';
import { recordsOf } from '../recordsOf.ts';

/**
 * What the offsets between a commit and the end are. The parts add up to the lag, `end - committed`:
 * offsets are more than records.
 */
export interface LagParts {
  /** Deleted before the group read them: before the log's start. */
  readonly lost: bigint;
  /** What a read_committed consumer gets. */
  readonly records: bigint;
  /** Control batches: how transactions ended. */
  readonly markers: bigint;
  /** Records of aborted transactions, which a read_committed consumer skips. */
  readonly aborted: bigint;
  /** Offsets that nothing has any more, for the most part because of compaction. */
  readonly gaps: bigint;
  /** From the last stable offset on: an open transaction holds them back. */
  readonly unstable: bigint;
  /** Not looked at, as the look was cut off. The others then are what there is at least. */
  readonly unread: bigint;
}

/** The transaction that a read_committed consumer waits for. */
export interface OpenTransaction {
  readonly producerId: bigint;
  readonly firstOffset: bigint;
  /** Of its first batch, in milliseconds since the epoch; -1: none. */
  readonly timestamp: bigint;
}

export interface ReadableLag extends TopicPartition {
  readonly committed: bigint;
  readonly end: bigint;
  readonly parts: LagParts;
  readonly openTransaction?: OpenTransaction;
}

/** What a look may still read. Taken from as it goes on, and shared between partitions. */
export interface LookBudget {
  bytes: number;
  batches: number;
}

export interface Looked extends TopicPartition {
  readonly committed: bigint;
  readonly offsets: PartitionOffsets;
}

export interface LookOptions {
  readonly budget: LookBudget;
  /** Offsets that were looked at since the last call. */
  readonly onProgress?: (offsets: bigint) => void;
  readonly signal?: AbortSignal;
}

/**
 * Takes a partition's lag apart by reading the batches between commit and end. Their headers are enough, but
 * for a batch that has lost records to compaction and in which the group stands.
 */
export async function readableLag(
  client: KafkaClient,
  { topic, partition, committed, offsets }: Looked,
  { budget, onProgress, signal }: LookOptions,
): Promise<ReadableLag> {
  const { logStart, highWatermark: end } = offsets;
  const from = atMost(atLeast(committed, logStart), end);
  const stable = atLeast(atMost(offsets.lastStable, end), from);
  const tally = new LagTally(from, stable);
  const range = { topic, partition, from, to: stable, isolation: 'read_committed' } as const;
  const hasBudget = (): boolean => budget.bytes > 0 && budget.batches > 0;
  // Of many partitions most may come when nothing is left: each would cost a fetch to be told so.
  let isWhole = hasBudget();
  for await (const batch of isWhole ? readRange(client, range, signal) : []) {
    isWhole = hasBudget();
    if (!isWhole) break;
    budget.bytes -= batch.bytes.length;
    budget.batches--;
    const offsets = tally.add(batch);
    onProgress?.(offsets);
  }
  const counted = tally.end(isWhole);
  const parts = { ...counted, lost: atLeast(from - committed, 0n), unstable: end - stable };
  const openTransaction =
    stable < end ? await transactionAt(client, { topic, partition }, stable, signal) : undefined;
  return { topic, partition, committed, end, parts, ...(openTransaction && { openTransaction }) };
}

type Counted = Omit<LagParts, 'lost' | 'unstable'>;

/** Sorts the offsets of a range by what is in their batches. */
export class LagTally {
  readonly #to: bigint;
  #next: bigint;
  readonly #counts = { records: 0n, markers: 0n, aborted: 0n, gaps: 0n };

  constructor(from: bigint, to: bigint) {
    this.#next = from;
    this.#to = to;
  }

  /** Batches come in the order of their offsets. Answers with how many offsets it went on. */
  add(batch: Omit<FetchedBatch, 'bytes'>): bigint {
    const before = this.#next;
    const { baseOffset, lastOffset } = batch.header;
    const first = atLeast(baseOffset, this.#next);
    const last = atMost(lastOffset, this.#to - 1n);
    if (last < first) return 0n;
    const present = recordsWithin(batch, first, last);
    this.#counts.gaps += first - this.#next + (last - first + 1n - present);
    this.#counts[kindOf(batch)] += present;
    this.#next = last + 1n;
    return this.#next - before;
  }

  /** Where everything was read, what no batch had is a gap. */
  end(isWhole: boolean): Counted {
    const rest = this.#to - this.#next;
    const { gaps } = this.#counts;
    return { ...this.#counts, gaps: isWhole ? gaps + rest : gaps, unread: isWhole ? 0n : rest };
  }
}

function kindOf({
  isControl,
  isAborted,
}: Omit<FetchedBatch, 'bytes'>): 'records' | 'markers' | 'aborted' {
  return isControl ? 'markers' : isAborted ? 'aborted' : 'records';
}

/** The header says it, unless only a part of a batch with holes is meant. */
function recordsWithin(batch: Omit<FetchedBatch, 'bytes'>, first: bigint, last: bigint): bigint {
  const { header } = batch;
  const count = BigInt(header.recordCount);
  const { baseOffset, lastOffset } = header;
  if (count === lastOffset - baseOffset + 1n) return last - first + 1n;
  if (first === baseOffset && last === lastOffset) return count;
  let within = 0n;
  for (const { offset } of recordsOf(batch, first)) if (offset <= last) within++;
  return within;
}

/** The last stable offset is the first offset of the oldest open transaction. [UnifiedLog.lastStableOffset] */
async function transactionAt(
  client: KafkaClient,
  of: TopicPartition,
  offset: bigint,
  signal?: AbortSignal,
): Promise<OpenTransaction | undefined> {
  const range = { ...of, from: offset, to: offset + 1n };
  for await (const { header } of readRange(client, range, signal)) {
    const { producerId, baseOffset: firstOffset, baseTimestamp: timestamp } = header;
    // It may have ended while we were looking.
    return header.isTransactional ? { producerId, firstOffset, timestamp } : undefined;
  }
  return undefined;
}

function atLeast(value: bigint, least: bigint): bigint {
  return value > least ? value : least;
}

function atMost(value: bigint, most: bigint): bigint {
  return value < most ? value : most;
}
