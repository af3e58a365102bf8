import type { FetchedBatch } from '../../client/fetchedPartition.ts';
import { BatchBlocks } from './batchBlocks.ts';
import {
  batchOf,
  type BatchPart,
  type BatchPiece,
  countRows,
  decodeRows,
  type KeptBatch,
  type StoredRow,
  type TailNote,
} from './keptBatch.ts';
import { timeBytes, TailTimes, timesOf } from './tailTimes.ts';

export interface TailStoreLimits {
  readonly rows: number;
  /** Of batches as they came, compressed where they were, and of what it costs to keep track of them. */
  readonly bytes: number;
}

/** What a tail may keep. The panel states it, and says when something was dropped to stay within it. */
export const defaultTailLimits: TailStoreLimits = { rows: 1_000_000, bytes: 256 * 1024 * 1024 };

/** Rows are numbered as they arrive and keep their number. */
interface Entry extends KeptBatch {
  readonly firstRow: number;
}

/** Rows of a batch, one after the other, as a filter looks at them. */
export interface StoredRows {
  readonly firstRow: number;
  readonly rowCount: number;
  /** The batch as it came; undefined for a note. */
  readonly batch: FetchedBatch | undefined;
  /** Others of its records may be elsewhere. */
  readonly isPiece: boolean;
  rows(): readonly StoredRow[];
}

/**
 * Batches read a moment ago are likely to be asked for again: a page may cut through them. So few are kept however
 * large they are, and more while they are small.
 */
const decodedBatches = { least: 8, most: 64, bytes: 4 * 1024 * 1024 };
/**
 * Where pieces of many partitions' batches follow each other, the next piece of each comes again once all others had
 * theirs: with too few at hand each of them would be read anew for every row. All of a merged backlog, as a rule.
 */
export const decodedPieces = { least: 8, most: 100_000, bytes: 128 * 1024 * 1024 };
/** Slots of dropped batches are given back once there are so many. */
const compactAt = 1024;
/** An entry's own cost, as measured: so many tiny batches cost more than their bytes. */
export const entryBytes = 160;
/** The part of its limits that is left free for what is already under way when reading is to wait. */
const nearlyFull = 0.95;

/**
 * Rows of a tail, kept as the batches in which they came: taking one in costs the same for one record
 * as for thousands, and records are decoded when they are looked at. Batches are copied into blocks of
 * the store's own, so that what it holds is what it counts: a fetch's answer can be let go. Whole batches
 * are dropped at the old end to stay within the limits.
 */
export class TailStore {
  readonly limits: TailStoreLimits;
  #entries: Entry[] = [];
  #head = 0;
  #nextRow = 0;
  readonly #blocks = new BatchBlocks();
  /** When its rows are from. */
  readonly times = new TailTimes();
  /** Where the bytes are of which there may be more pieces to come. */
  readonly #places = new WeakMap<BatchPart, ReturnType<BatchBlocks['keep']>>();
  #decoded: Decoded[] = [];

  constructor(limits: TailStoreLimits = defaultTailLimits) {
    this.limits = limits;
  }

  /** Number of the first row that is held. */
  get firstRow(): number {
    return this.#entries[this.#head]?.firstRow ?? this.#nextRow;
  }

  /** Number of the next row to come. */
  get nextRow(): number {
    return this.#nextRow;
  }

  get held(): number {
    return this.#nextRow - this.firstRow;
  }

  /** Memory held: whole blocks, the entries, and the times of rows. */
  get bytes(): number {
    const entries = (this.#entries.length - this.#head) * entryBytes;
    return this.#blocks.bytes + entries + this.held * timeBytes;
  }

  /** Whether some more would make it drop the oldest. */
  get isNearlyFull(): boolean {
    const { rows, bytes } = this.limits;
    return this.held > rows * nearlyFull || this.bytes > bytes * nearlyFull;
  }

  /** Takes in a batch's records from `from` to before `to`. Returns how many rows that made. */
  add(part: BatchPart): number {
    const rowCount = countRows(part);
    if (rowCount === 0) return 0;
    return this.addPiece({ part, skip: 0, times: timesOf(part, rowCount) });
  }

  /** Takes in some of a part's records; others of it may come later. Its bytes are kept once. */
  addPiece({ part, skip, times }: BatchPiece): number {
    const { partition, batch, from, to, transaction } = part;
    const where = this.#places.get(part) ?? this.#blocks.keep(batch.bytes);
    this.#places.set(part, where);
    this.times.push(times);
    const rowCount = times.length;
    this.#push({ partition, skip, rowCount, ...where, from, to, note: null, transaction });
    return rowCount;
  }

  /** Adds a row that says something. */
  addNote(note: TailNote): void {
    const { partition, offset } = note;
    this.times.push([NaN]);
    const nowhere = { block: null, start: 0, end: 0 };
    const range = { from: offset, to: null };
    this.#push({
      partition,
      skip: 0,
      rowCount: 1,
      ...nowhere,
      ...range,
      note,
      transaction: undefined,
    });
  }

  /** Rows numbered `first` to `first + count - 1`, those that are held. */
  rows(first: number, count: number): StoredRow[] {
    const rows: StoredRow[] = [];
    const end = first + count;
    for (let index = this.#indexOf(first); index < this.#entries.length; index++) {
      const entry = this.#entries[index];
      if (!entry || entry.firstRow >= end) break;
      const skip = Math.max(0, first - entry.firstRow);
      rows.push(...this.#decode(entry).slice(skip, end - entry.firstRow));
    }
    return rows;
  }

  /** The rows that came together with the row `row`, or with the first one held after it. */
  rowsAround(row: number): StoredRows | undefined {
    const entry = this.#entries[this.#indexOf(row)];
    if (!entry) return undefined;
    const { firstRow, rowCount } = entry;
    const batch = entry.note ? undefined : batchOf(entry);
    const isPiece = batch !== undefined && rowCount < batch.header.recordCount;
    return { firstRow, rowCount, batch, isPiece, rows: () => this.#decode(entry) };
  }

  /** The held row of a record. */
  find(partition: number, offset: bigint): StoredRow | undefined {
    const row = this.rowOf(partition, offset);
    return row === undefined ? undefined : this.rows(row, 1)[0];
  }

  /** The number of the held row of a record. */
  rowOf(partition: number, offset: bigint): number | undefined {
    for (let index = this.#entries.length - 1; index >= this.#head; index--) {
      const entry = this.#entries[index];
      if (entry?.partition !== partition || entry.note) continue;
      const { baseOffset, lastOffset } = batchOf(entry).header;
      if (offset < baseOffset || offset > lastOffset) continue;
      const place = this.#decode(entry).findIndex(
        (row) => row.kind === 'record' && row.record.offset === offset,
      );
      if (place >= 0) return entry.firstRow + place;
    }
    return undefined;
  }

  #push(entry: KeptBatch): void {
    if (entry.block) this.#blocks.hold(entry.block);
    this.#entries.push({ ...entry, firstRow: this.#nextRow });
    this.#nextRow += entry.rowCount;
    this.#dropOldest();
  }

  /** Index of the batch that holds a row, or of the oldest one for rows before it. */
  #indexOf(row: number): number {
    let low = this.#head;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.#entries[middle];
      if (entry && entry.firstRow + entry.rowCount <= row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The newest batch stays, however large it is. */
  #dropOldest(): void {
    const { rows, bytes } = this.limits;
    while (this.#head < this.#entries.length - 1 && (this.held > rows || this.bytes > bytes)) {
      const oldest = this.#entries[this.#head++];
      if (!oldest) break;
      if (oldest.block) this.#blocks.letGo(oldest.block);
    }
    this.times.dropBefore(this.firstRow);
    if (this.#head < compactAt || this.#head < this.#entries.length / 2) return;
    this.#entries = this.#entries.slice(this.#head);
    this.#head = 0;
  }

  #decode(entry: Entry): readonly StoredRow[] {
    if (entry.note) return decodeRows(entry);
    const { block, start, skip, rowCount } = entry;
    // Of a batch that cannot be read there are as many rows as the piece goes to that was asked for first.
    const hasRows = (known: Decoded): boolean => known.rows.length >= skip + rowCount;
    let decoded = this.#decoded.find(
      (known) => known.block === block && known.start === start && hasRows(known),
    );
    if (!decoded) {
      const rows = decodeRows(entry);
      decoded = { block, start, rows, bytes: bytesOf(rows) };
      this.#decoded.push(decoded);
      this.#forgetDecoded(rowCount < rows.length ? decodedPieces : decodedBatches);
    }
    return decoded.rows.slice(skip, skip + rowCount);
  }

  #forgetDecoded({ least, most, bytes }: typeof decodedBatches): void {
    let sum = this.#decoded.reduce((all, decoded) => all + decoded.bytes, 0);
    while (this.#decoded.length > (sum > bytes ? least : most)) {
      sum -= this.#decoded.shift()?.bytes ?? 0;
    }
  }
}

/** What a row takes beside its key and value. */
export const rowBytes = 400;

/** Keys and values are a part of the batch as it is kept, unless it is compressed. */
function bytesOf(rows: readonly StoredRow[]): number {
  let bytes = rows.length * rowBytes;
  for (const row of rows) {
    if (row.kind !== 'record' || row.batch.header.compression === 'none') break;
    const { key, value } = row.record;
    bytes += (key?.length ?? 0) + (value?.length ?? 0);
  }
  return bytes;
}

/** The rows of a batch in full, by the place of its bytes. */
interface Decoded {
  readonly block: Buffer | null;
  readonly start: number;
  readonly bytes: number;
  readonly rows: readonly StoredRow[];
}
