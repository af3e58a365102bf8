import type { RecordBatch } from '../protocol/records/recordBatch.ts';
import { type KafkaRecord, readRecords } from '../protocol/records/recordReader.ts';
import { decompressed } from './batchCodec.ts';
import { type BatchRetention, filterBatch } from './batchFilter.ts';
import type { LogToClean } from './cleanable.ts';
import { CleanedSegments } from './cleanedSegments.ts';
import { CleanedTransactions } from './cleanedTransactions.ts';
import type { LogConfig } from './logConfig.ts';
import { OffsetMap } from './offsetMap.ts';
import type { ProducerState } from './producerState.ts';
import type { Segment } from './segment.ts';
import { groupSegments } from './segmentGroups.ts';
import type { SegmentList } from './segmentList.ts';
import { wholeBatches } from './segmentScan.ts';
import { Slices } from '../base/slices.ts';
import type { StorageContext } from './storageContext.ts';
import type { AbortedTransactionEntry } from './transactionIndex.ts';

/** No date is later; a larger number is no longer a whole millisecond. */
const longMaxExact = Number.MAX_SAFE_INTEGER;

/** Thrown where a cleaning is given up because the log is closed, deleted or truncated. */
export class CleaningAborted extends Error {
  override name = 'CleaningAborted';
}

/** What a cleaning works on, and how it makes its result the log's. */
export interface CleaningOptions {
  readonly context: StorageContext;
  readonly directory: string;
  readonly segments: SegmentList;
  readonly producers: ProducerState;
  readonly config: LogConfig;
  readonly highWatermark: bigint;
  readonly toClean: LogToClean;
  /** Memory for the offset map. */
  readonly maxMapBytes: number;
  /** Throws where the cleaning must not go on. */
  readonly checkAborted: () => void;
  /** Answers false where the sources have changed meanwhile. */
  readonly replace: (sources: readonly Segment[], cleaned: readonly Segment[]) => Promise<boolean>;
}

/** What a producer wrote last: an offset or, where only markers are left of it, an epoch. */
interface LastRecord {
  readonly offset: bigint | undefined;
  readonly epoch: number;
}

/** What one cleaning did. */
export interface CleaningResult {
  /** The log is compacted up to here. */
  readonly endOffset: bigint;
  readonly bytesRead: number;
  readonly bytesKept: number;
}

/**
 * One compaction of one log: reads the dirty part for the latest offset of each key, then copies everything up
 * to its end, without what has been overtaken, to new segments [Cleaner]. Reads only closed segments, so that
 * appends and reads go on beside it.
 */
export class LogCleaning {
  readonly #options: CleaningOptions;
  readonly #slices: Slices;
  readonly #nowMs: number;
  readonly #transactions = new CleanedTransactions();
  readonly #map: OffsetMap;

  constructor(options: CleaningOptions) {
    this.#options = options;
    this.#slices = new Slices(options.context.clock);
    this.#nowMs = options.context.clock.nowMs();
    const { firstDirtyOffset: origin, firstUncleanableOffset } = options.toClean;
    const range = firstUncleanableOffset - origin;
    const records = Number(range > 0n ? range : 0n);
    this.#map = new OffsetMap({ origin, records, maxBytes: options.maxMapBytes });
  }

  async run(): Promise<CleaningResult> {
    const { segments, config, toClean } = this.#options;
    await this.#buildMap();
    const endOffset = this.#map.latestOffset + 1n;
    const { active } = segments;
    const cleanable = segments.all.filter(
      (segment) => segment !== active && segment.baseOffset < endOffset,
    );
    const groups = await groupSegments(cleanable, config, toClean.firstUncleanableOffset);
    let bytesRead = 0;
    let bytesKept = 0;
    for (const group of groups) {
      bytesRead += sizeOf(group);
      bytesKept += await this.#cleanGroup(group);
    }
    return { endOffset, bytesRead, bytesKept };
  }

  /** [Cleaner.buildOffsetMap] */
  async #buildMap(): Promise<void> {
    const { firstDirtyOffset: start, firstUncleanableOffset: end } = this.#options.toClean;
    const { active, all } = this.#options.segments;
    const dirty = all.filter((segment, n) => {
      const next = all[n + 1]?.baseOffset;
      return segment !== active && segment.baseOffset < end && (next ?? end) > start;
    });
    const transactions = new CleanedTransactions();
    transactions.announce(await this.#aborted(start, end));
    for (const segment of dirty) {
      if (await this.#mapSegment(segment, transactions)) return;
      const next = this.#options.segments.endOf(segment) ?? end;
      this.#map.noteRead((next < end ? next : end) - 1n);
    }
  }

  /** Answers whether the map is full. */
  async #mapSegment(segment: Segment, transactions: CleanedTransactions): Promise<boolean> {
    const { firstDirtyOffset: start } = this.#options.toClean;
    const from = (await segment.indexes()).offset.floor(start).position;
    return this.#eachBatch(segment, from, async (batch) => {
      if (batch.header.isControl) transactions.meetControl(batch);
      else if (!transactions.meetData(batch) && (await this.#mapBatch(batch, start))) return true;
      if (batch.header.lastOffset >= start) this.#map.noteRead(batch.header.lastOffset);
      return false;
    });
  }

  async #mapBatch(batch: RecordBatch, start: bigint): Promise<boolean> {
    let looked = 0;
    for (const { key, offset } of readRecords(await decompressed(batch, this.#slices))) {
      if (++looked % 128 === 0) await this.#slices.pause();
      if (key === null || offset < start) continue;
      if (this.#map.isFull) return true;
      this.#map.put(key, offset);
    }
    return false;
  }

  /** Answers how many bytes are left [Cleaner.cleanSegments]. */
  async #cleanGroup(sources: readonly Segment[]): Promise<number> {
    const { context, directory, config } = this.#options;
    const output = await CleanedSegments.begin({
      context,
      directory,
      baseOffset: sources[0]?.baseOffset ?? 0n,
      writtenMs: sources.at(-1)?.writtenMs ?? this.#nowMs,
      indexIntervalBytes: config.indexIntervalBytes,
    });
    const cleaned = await this.#write(sources, output);
    if (await this.#options.replace(sources, cleaned)) return sizeOf(cleaned);
    await output.discard();
    throw new CleaningAborted('the log was truncated, or its old segments deleted, meanwhile');
  }

  async #write(sources: readonly Segment[], output: CleanedSegments): Promise<readonly Segment[]> {
    try {
      for (const source of sources) await this.#cleanInto(source, output);
      this.#options.checkAborted();
      return await output.finish();
    } catch (error) {
      await output.discard();
      throw error;
    }
  }

  async #cleanInto(source: Segment, output: CleanedSegments): Promise<void> {
    const end = this.#options.segments.endOf(source);
    if (end !== undefined) this.#transactions.announce(await this.#aborted(source.baseOffset, end));
    const lastRecords = this.#lastRecords();
    await this.#eachBatch(source, 0, async (batch) => {
      const { retention, aborted } = this.#retentionOf(batch, lastRecords);
      if (aborted !== undefined) await output.noteAborted(aborted);
      const kept = await filterBatch(batch, retention, this.#slices);
      if (kept !== undefined) await output.add(kept);
      return false;
    });
  }

  #lastRecords(): Map<bigint, LastRecord> {
    return new Map(
      this.#options.producers.entries.map(({ producerId, producerEpoch: epoch, batches }) => [
        producerId,
        { offset: batches.at(-1)?.lastOffset, epoch },
      ]),
    );
  }

  /** [RecordFilter.checkBatchRetention in Cleaner.cleanInto] */
  #retentionOf(
    batch: RecordBatch,
    lastRecords: ReadonlyMap<bigint, LastRecord>,
  ): { readonly retention: BatchRetention; readonly aborted?: AbortedTransactionEntry } {
    const { header } = batch;
    const { deleteRetentionMs } = this.#options.config;
    const { isControl, lastOffset, producerId, producerEpoch } = header;
    const met = isControl
      ? this.#transactions.meetControl(batch)
      : { canDiscard: this.#transactions.meetData(batch) };
    const hasHorizonPassed = header.hasDeleteHorizon && header.baseTimestamp <= this.#nowMs;
    const last = producerId >= 0n ? lastRecords.get(producerId) : undefined;
    const isProducersLast =
      last !== undefined &&
      (last.offset === undefined
        ? isControl && producerEpoch === last.epoch
        : last.offset === lastOffset);
    const retention: BatchRetention = {
      discardsRecords: met.canDiscard && (!isControl || hasHorizonPassed),
      keepsEmpty: isProducersLast || lastOffset + 1n === this.#options.highWatermark,
      isLonelyMarker: isControl && met.canDiscard,
      retainsRecord: (record) => isControl || this.#retainsRecord(record, hasHorizonPassed),
      nextDeleteHorizonMs: BigInt(Math.min(longMaxExact, this.#nowMs + deleteRetentionMs)),
    };
    return { retention, ...('aborted' in met && { aborted: met.aborted }) };
  }

  /** [Cleaner.shouldRetainRecord] */
  #retainsRecord({ key, value, offset }: KafkaRecord, hasHorizonPassed: boolean): boolean {
    if (offset > this.#map.latestOffset) return true;
    if (key === null) return false;
    const latest = this.#map.get(key);
    if (latest !== undefined && offset < latest) return false;
    return value !== null || !hasHorizonPassed;
  }

  /** Shows each batch until `visit` answers true; answers whether it did. */
  async #eachBatch(
    segment: Segment,
    from: number,
    visit: (batch: RecordBatch) => Promise<boolean>,
  ): Promise<boolean> {
    const { size: to } = segment;
    return this.#options.context.handles.use(segment.logPath, async (file) => {
      for await (const batch of wholeBatches(file, { from, to })) {
        this.#options.checkAborted();
        if (await visit(batch)) return true;
        await this.#slices.pause();
      }
      return false;
    });
  }

  async #aborted(from: bigint, to: bigint): Promise<AbortedTransactionEntry[]> {
    const result: AbortedTransactionEntry[] = [];
    for (const segment of this.#options.segments.from(from)) {
      const { found, isComplete } = (await segment.indexes()).transactions.collect(from, to);
      result.push(...found);
      if (isComplete) break;
    }
    return result;
  }
}

function sizeOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { size }) => sum + size, 0);
}
