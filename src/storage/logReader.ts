import { noTimestamp } from '../protocol/records/recordBatch.ts';
import { RecordBatchError } from '../protocol/records/recordBatchError.ts';
import { FileSystemError } from './fileSystem.ts';
import type { LogOffsets } from './logOffsets.ts';
import type { AbortedTransaction, ReadOptions, ReadResult, TimestampedOffset } from './logTypes.ts';
import type { Segment } from './segment.ts';
import type { SegmentList } from './segmentList.ts';
import { findByTimestamp, readSegment } from './segmentReader.ts';
import type { StorageContext } from './storageContext.ts';
import { StorageError } from './storageError.ts';

/** Ends of reads that are remembered, so that who reads on needs no search. */
const rememberedEnds = 64;

/** Reads of one log; they run beside whatever changes it. */
export class LogReader {
  readonly #context: StorageContext;
  readonly #name: string;
  readonly #offsets: LogOffsets;
  readonly #segments: SegmentList;
  #ends = new Map<bigint, Place>();

  constructor(options: {
    context: StorageContext;
    name: string;
    offsets: LogOffsets;
    segments: SegmentList;
  }) {
    this.#context = options.context;
    this.#name = options.name;
    this.#offsets = options.offsets;
    this.#segments = options.segments;
  }

  /** Forgets where reads ended, also those under way: positions mean nothing after a truncation. */
  forgetPositions(): void {
    this.#ends = new Map();
  }

  async read(options: ReadOptions): Promise<ReadResult> {
    for (;;) {
      const { changes } = this.#segments;
      const result = await this.#retrying(() => this.#readOnce(options));
      // Records from before a compaction need the aborted transactions from before it as well.
      if (options.upTo !== 'lastStable' || changes === this.#segments.changes) return result;
    }
  }

  async #readOnce(options: ReadOptions): Promise<ReadResult> {
    const { offset, upTo } = options;
    checkRange(this.#name, this.#offsets, offset);
    const limit = this.#limit(upTo);
    const records = offset < limit ? await this.#readRecords(options, limit) : noRecords;
    const { bytes, end, isCut, isBehind } = records;
    const isTold = upTo === 'lastStable' && (bytes.length > 0 || options.maxBytes === 0);
    const abortedTransactions = isTold && end ? await this.#abortedTransactions(offset, end) : [];
    return { ...boundsOf(this.#offsets), records: bytes, abortedTransactions, isCut, isBehind };
  }

  /**
   * Looked for in the first segment that reaches the time, also where the log starts behind what it has of it. One
   * whose records have no time reaches that of its file. [UnifiedLog.searchOffsetInLocalLog,
   * LogSegment.largestTimestamp]
   */
  offsetForTimestamp(timestamp: bigint): Promise<TimestampedOffset | undefined> {
    return this.#retrying(async () => {
      for (const segment of this.#segments.all) {
        if ((await reachedTimestamp(segment)) < timestamp) continue;
        const from = this.#offsets.logStart;
        return findByTimestamp(this.#context, segment, { timestamp, from });
      }
      return undefined;
    });
  }

  /**
   * Found also where the log starts behind it, while its segment is there; of records that all have no time it is the
   * first. [UnifiedLog.fetchOffsetByTimestamp]
   */
  offsetOfMaxTimestamp(): Promise<TimestampedOffset | undefined> {
    return this.#retrying(async () => {
      let largest = noTimestamp;
      let [holder] = this.#segments.all;
      for (const segment of this.#segments.all) {
        const { timestamp } = await segment.largestTimestamp();
        if (timestamp <= largest) continue;
        largest = timestamp;
        holder = segment;
      }
      const from = 0n;
      return holder && findByTimestamp(this.#context, holder, { timestamp: largest, from });
    });
  }

  #limit(upTo: ReadOptions['upTo']): bigint {
    if (upTo === 'logEnd') return this.#offsets.logEnd;
    return upTo === 'lastStable' ? this.#offsets.lastStable : this.#offsets.highWatermark;
  }

  async #readRecords(
    { offset, maxBytes, minOneBatch }: ReadOptions,
    limit: bigint,
  ): Promise<FoundRecords> {
    const ends = this.#ends;
    for (const segment of this.#segments.from(offset)) {
      const known = ends.get(offset);
      const position = known?.segment === segment ? known.position : undefined;
      const read = { offset, maxBytes, limit, minOneBatch };
      const found = await readSegment(this.#context, segment, read, position);
      if (found === undefined) continue;
      ends.delete(found.nextOffset);
      ends.set(found.nextOffset, { segment, position: found.nextPosition });
      dropOldest(ends, rememberedEnds);
      const { records: bytes, nextOffset, nextPosition, endPosition } = found;
      const isCut = nextOffset < limit && nextPosition < segment.size;
      const isBehind = (this.#segments.endOf(segment) ?? limit) < limit;
      return { bytes, end: { segment, position: endPosition }, isCut, isBehind };
    }
    return noRecords;
  }

  /**
   * Those with records below the first entry of the offset index that is past the end, or the next segment: what
   * follows the end is not looked at for where it begins. [LocalLog.addAbortedTransactions]
   */
  async #abortedTransactions(
    from: bigint,
    { segment: first, position }: Place,
  ): Promise<AbortedTransaction[]> {
    // Its indexes go with it, and the read is done again.
    if (!this.#segments.all.includes(first)) return [];
    const entry = (await first.indexes()).offset.firstFrom(position);
    const to = entry?.offset ?? this.#segments.endOf(first) ?? this.#offsets.logEnd;
    const result: AbortedTransaction[] = [];
    for (const segment of this.#segments.from(first.baseOffset)) {
      const { found, isComplete } = (await segment.indexes()).transactions.collect(from, to);
      for (const { producerId, firstOffset } of found) result.push({ producerId, firstOffset });
      if (isComplete) break;
    }
    return result;
  }

  /** A segment may be deleted or replaced under a reader: its files are gone, and the log is looked at anew. */
  async #retrying<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof RecordBatchError)
          throw new StorageError('CORRUPT_MESSAGE', `${this.#name}: ${error.message}`, {
            cause: error,
          });
        const isGone = error instanceof FileSystemError && error.code === 'ENOENT';
        if (!isGone || attempt === 3) throw error;
        await this.#segments.whenSettled();
      }
    }
  }
}

async function reachedTimestamp(segment: Segment): Promise<bigint> {
  const { timestamp } = await segment.largestTimestamp();
  return timestamp >= 0n ? timestamp : BigInt(segment.writtenMs);
}

export function checkRange(name: string, { logStart, logEnd }: LogOffsets, offset: bigint): void {
  if (offset >= logStart && offset <= logEnd) return;
  throw new StorageError(
    'OFFSET_OUT_OF_RANGE',
    `${name} has offsets ${logStart} to ${logEnd}; ${offset} is not among them`,
  );
}

export function boundsOf({ highWatermark, lastStable, logStart }: LogOffsets) {
  return { highWatermark, lastStableOffset: lastStable, logStartOffset: logStart };
}

interface Place {
  readonly segment: Segment;
  readonly position: number;
}

interface FoundRecords extends Pick<ReadResult, 'isCut' | 'isBehind'> {
  readonly bytes: Buffer;
  /** Up to where was looked, undefined where nothing is to be read. */
  readonly end: Place | undefined;
}

const noRecords: FoundRecords = {
  bytes: Buffer.alloc(0),
  end: undefined,
  isCut: false,
  isBehind: false,
};

function dropOldest(map: Map<bigint, unknown>, capacity: number): void {
  if (map.size <= capacity) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
