import type { FetchedBatch } from '../client/fetchedPartition.ts';
import type { KafkaRecord } from '../protocol/records/recordReader.ts';

export interface TailStoreLimits {
  readonly rows: number;
  /** Of batches as they came, compressed where they were. */
  readonly bytes: number;
}

export const defaultTailLimits: TailStoreLimits = { rows: 1_000_000, bytes: 64 * 1024 * 1024 };

/** Part of a batch: its records from one offset up to another. */
export interface StoredBatch {
  readonly partition: number;
  readonly batch: FetchedBatch;
  readonly from: bigint;
  /** Not included. Null: to its end. */
  readonly to: bigint | null;
  /** Number of the first row. Rows are numbered as they arrive and keep their number. */
  readonly firstRow: number;
  readonly rowCount: number;
}

/** A row, or why its batch could not be read: then only its partition and about where it stands are known. */
export type StoredRow =
  | { readonly stored: StoredBatch; readonly record: KafkaRecord }
  | { readonly stored: StoredBatch; readonly problem: string };

/** Batches read a moment ago are likely to be asked for again: a page may cut through them. */
const decodedBatches = 8;
/** Slots of dropped batches are given back once there are so many. */
const compactAt = 1024;

/**
 * Rows of a tail, kept as the batches in which they came: taking one in costs the same for one record
 * as for thousands, and records are decoded when they are looked at. Whole batches are dropped at the
 * old end to stay within the limits.
 */
export class TailStore {
  readonly #limits: TailStoreLimits;
  #batches: StoredBatch[] = [];
  #head = 0;
  #bytes = 0;
  #nextRow = 0;
  readonly #decoded = new Map<StoredBatch, readonly StoredRow[]>();

  constructor(limits: TailStoreLimits = defaultTailLimits) {
    this.#limits = limits;
  }

  /** Number of the first row that is held. */
  get firstRow(): number {
    return this.#batches[this.#head]?.firstRow ?? this.#nextRow;
  }

  get held(): number {
    return this.#nextRow - this.firstRow;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Takes in a batch's records from `from` to before `to`. Returns how many rows that made. */
  add(part: Pick<StoredBatch, 'partition' | 'batch' | 'from' | 'to'>): number {
    const rowCount = countRows(part);
    if (rowCount === 0) return 0;
    this.#batches.push({ ...part, firstRow: this.#nextRow, rowCount });
    this.#nextRow += rowCount;
    this.#bytes += part.batch.header.sizeInBytes;
    this.#dropOldest();
    return rowCount;
  }

  /** Rows numbered `first` to `first + count - 1`, those that are held. */
  rows(first: number, count: number): StoredRow[] {
    const rows: StoredRow[] = [];
    const end = first + count;
    for (let index = this.#indexOf(first); index < this.#batches.length; index++) {
      const stored = this.#batches[index];
      if (!stored || stored.firstRow >= end) break;
      const skip = Math.max(0, first - stored.firstRow);
      rows.push(...this.#decode(stored).slice(skip, end - stored.firstRow));
    }
    return rows;
  }

  /** The held row of a record. */
  find(partition: number, offset: bigint): StoredRow | undefined {
    for (let index = this.#batches.length - 1; index >= this.#head; index--) {
      const stored = this.#batches[index];
      if (stored?.partition !== partition) continue;
      const { baseOffset, lastOffset } = stored.batch.header;
      if (offset < baseOffset || offset > lastOffset) continue;
      return this.#decode(stored).find((row) => 'record' in row && row.record.offset === offset);
    }
    return undefined;
  }

  /** Index of the batch that holds a row, or of the oldest one for rows before it. */
  #indexOf(row: number): number {
    let low = this.#head;
    let high = this.#batches.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const stored = this.#batches[middle];
      if (stored && stored.firstRow + stored.rowCount <= row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The newest batch stays, however large it is. */
  #dropOldest(): void {
    const { rows, bytes } = this.#limits;
    while (this.#head < this.#batches.length - 1 && (this.held > rows || this.#bytes > bytes)) {
      const oldest = this.#batches[this.#head++];
      if (!oldest) break;
      this.#bytes -= oldest.batch.header.sizeInBytes;
      this.#decoded.delete(oldest);
    }
    if (this.#head < compactAt || this.#head < this.#batches.length / 2) return;
    this.#batches = this.#batches.slice(this.#head);
    this.#head = 0;
  }

  #decode(stored: StoredBatch): readonly StoredRow[] {
    const known = this.#decoded.get(stored);
    if (known) return known;
    const rows = decodeRows(stored);
    this.#decoded.set(stored, rows);
    const [oldest] = this.#decoded.keys();
    if (this.#decoded.size > decodedBatches && oldest) this.#decoded.delete(oldest);
    return rows;
  }
}

/** Without decoding where the whole batch is wanted. A batch that cannot be decoded is one row, which says so. */
function countRows({ batch, from, to }: Pick<StoredBatch, 'batch' | 'from' | 'to'>): number {
  const { baseOffset, lastOffset, recordCount } = batch.header;
  if (from <= baseOffset && (to === null || to > lastOffset)) return recordCount;
  try {
    return countInRange(batch, from, to);
  } catch {
    return 1;
  }
}

function countInRange(batch: FetchedBatch, from: bigint, to: bigint | null): number {
  let count = 0;
  for (const { offset } of batch.records(from)) {
    if (to === null || offset < to) count++;
  }
  return count;
}

function decodeRows(stored: StoredBatch): StoredRow[] {
  const rows: StoredRow[] = [];
  const { batch, from, to, rowCount } = stored;
  try {
    for (const record of batch.records(from)) {
      if (to === null || record.offset < to) rows.push({ stored, record });
    }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    while (rows.length < rowCount) rows.push({ stored, problem });
  }
  return rows;
}
