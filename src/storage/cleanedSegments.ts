import { type BatchHeader, readBatchHeader } from '../protocol/records/recordBatch.ts';
import { writeFully } from './atomicFile.ts';
import { Segment } from './segment.ts';
import type { StorageContext } from './storageContext.ts';
import type { AbortedTransactionEntry } from './transactionIndex.ts';

/** Bytes gathered before they are written. */
const chunkBytes = 1 << 20;
/** What the fields of files and indexes can say. */
const maxSegmentBytes = 0x7fff_ffff;
const maxOffsetRange = 0x7fff_ffffn;

export interface CleanedSegmentsOptions {
  readonly context: StorageContext;
  readonly directory: string;
  readonly baseOffset: bigint;
  /** The age of what is compacted. */
  readonly writtenMs: number;
  readonly indexIntervalBytes: number;
}

/**
 * What compaction writes of a group of segments: one segment or, where recompressing made it too large, more.
 * They have the suffix `.cleaned` until they are put in their places.
 */
export class CleanedSegments {
  readonly #options: CleanedSegmentsOptions;
  readonly #segments: Segment[];
  #current: Segment;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #writtenBytes = 0;

  private constructor(options: CleanedSegmentsOptions, first: Segment) {
    this.#options = options;
    this.#current = first;
    this.#segments = [first];
  }

  static async begin(options: CleanedSegmentsOptions): Promise<CleanedSegments> {
    return new CleanedSegments(options, await Segment.createCleaned(options));
  }

  /** Adds a batch; `bytes` may be overwritten once this resolves. */
  async add(bytes: Buffer): Promise<void> {
    const header = readBatchHeader(bytes);
    if (this.#isOverfull(header)) await this.#beginNext(header.baseOffset);
    this.#pending.push(Buffer.from(bytes));
    this.#pendingBytes += bytes.length;
    this.#current.noteAppended(header, this.#options.indexIntervalBytes);
    if (this.#pendingBytes >= chunkBytes) await this.#write();
  }

  noteAborted(entry: AbortedTransactionEntry): Promise<void> {
    return this.#current.noteAborted(entry);
  }

  /** Makes all of it durable, and answers the segments. */
  async finish(): Promise<readonly Segment[]> {
    await this.#finishCurrent();
    return this.#segments;
  }

  async discard(): Promise<void> {
    for (const segment of this.#segments) await segment.removeFiles();
  }

  #isOverfull({ sizeInBytes, lastOffset }: BatchHeader): boolean {
    const { size, baseOffset } = this.#current;
    if (size === 0) return false;
    return size + sizeInBytes > maxSegmentBytes || lastOffset - baseOffset > maxOffsetRange;
  }

  async #beginNext(baseOffset: bigint): Promise<void> {
    await this.#finishCurrent();
    this.#current = await Segment.createCleaned({ ...this.#options, baseOffset });
    this.#segments.push(this.#current);
    this.#writtenBytes = 0;
  }

  async #finishCurrent(): Promise<void> {
    await this.#write();
    await this.#current.writeIndexes(true);
    const { context, writtenMs } = this.#options;
    await context.syncLane.run(() => this.#current.sync());
    // After a restart the file is what tells. [Cleaner.cleanSegments]
    await context.fileSystem.setModified(this.#current.logPath, writtenMs);
  }

  async #write(): Promise<void> {
    const buffers = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    await this.#options.context.handles.use(this.#current.logPath, (file) =>
      writeFully(file, buffers, this.#writtenBytes),
    );
    this.#writtenBytes = this.#current.size;
  }
}
