import type { FetchedBatch } from '../../client/fetchedPartition.ts';
import { ByteReader } from '../../protocol/byteReader.ts';
import { decompress, defaultMaxDecompressedBytes } from '../../protocol/records/compression.ts';
import { type BatchHeader, batchHeaderBytes } from '../../protocol/records/recordBatch.ts';

const firstCapacity = 64;
/** What a row takes here: its time, and as much room again. */
export const timeBytes = 16;
/** What a date can be, in milliseconds from the epoch. */
const dateMaxMs = 8.64e15;

/**
 * When each row of a store is from, in milliseconds since the epoch: NaN where it has no time, or none that is a date.
 */
export class TailTimes {
  #times = new Float64Array(firstCapacity);
  /** The row that the first slot is of. */
  #firstRow = 0;
  #head = 0;
  #length = 0;

  at(row: number): number {
    const index = row - this.#firstRow;
    return index < this.#head || index >= this.#length ? NaN : (this.#times[index] ?? NaN);
  }

  /** The times of rows `first` to `end - 1`, as far as they are held. */
  between(first: number, end: number): Float64Array {
    const from = Math.max(this.#head, first - this.#firstRow);
    return this.#times.subarray(from, Math.max(from, Math.min(this.#length, end - this.#firstRow)));
  }

  push(times: Iterable<number>): void {
    for (const time of times) {
      if (this.#length === this.#times.length) this.#makeRoom();
      this.#times[this.#length++] = Math.abs(time) <= dateMaxMs ? time : NaN;
    }
  }

  /** Lets go of rows before `row`. */
  dropBefore(row: number): void {
    this.#head = Math.max(this.#head, Math.min(this.#length, row - this.#firstRow));
    const held = this.#length - this.#head;
    if (this.#times.length > firstCapacity && held < this.#times.length / 4) {
      this.#moveTo(new Float64Array(Math.max(firstCapacity, held * 2)));
    }
  }

  #makeRoom(): void {
    const isHalfEmpty = this.#head > this.#length / 2;
    this.#moveTo(isHalfEmpty ? this.#times : new Float64Array(this.#length * 2));
  }

  #moveTo(times: Float64Array<ArrayBuffer>): void {
    const held = this.#times.subarray(this.#head, this.#length);
    times.set(held);
    this.#times = times;
    this.#firstRow += this.#head;
    this.#length = held.length;
    this.#head = 0;
  }
}

/** Records of a batch from one offset up to another, which is not included; null: to its end. */
interface RecordsOfBatch {
  readonly batch: FetchedBatch;
  readonly from: bigint;
  readonly to: bigint | null;
}

interface PartTimes {
  /** When each of its rows is from. */
  readonly times: readonly number[];
  /** What its batch takes beside its own bytes once it is read: as much as it is unpacked. */
  readonly unpackedBytes: number;
}

/** When the records of a part of a batch are from, one for each of its rows. */
export function timesOf(part: RecordsOfBatch, rowCount: number): readonly number[] {
  return readPart(part, rowCount).times;
}

export function readPart(part: RecordsOfBatch, rowCount: number): PartTimes {
  try {
    const read = readTimes(part);
    if (read.times.length === rowCount) return read;
  } catch {
    // A batch that cannot be read: its rows say so.
  }
  return { times: Array.from({ length: rowCount }, () => NaN), unpackedBytes: 0 };
}

/** Skips what stands in a record behind its two deltas: payloads are not looked at. */
function readTimes({ batch, from, to }: RecordsOfBatch): PartTimes {
  const { header } = batch;
  const stored = batch.bytes.subarray(batchHeaderBytes);
  const isStored = header.compression === 'none';
  const read = isStored
    ? stored
    : decompress(header.compression, stored, defaultMaxDecompressedBytes);
  const reader = new ByteReader(read);
  const isWhole = from <= header.baseOffset && (to === null || to > header.lastOffset);
  const timeAfter = timer(header);
  const times: number[] = [];
  for (let index = 0; index < header.recordCount; index++) {
    const size = reader.readVarint();
    const end = reader.position + size;
    reader.skip(1);
    const delta = reader.readVarlong();
    const offset = isWhole ? from : header.baseOffset + BigInt(reader.readVarint());
    reader.skip(end - reader.position);
    if (offset >= from && (to === null || offset < to)) times.push(timeAfter(delta));
  }
  return { times, unpackedBytes: isStored ? 0 : read.length };
}

/** The time of a record from its delta. A base that is a date is exact as a number. */
function timer(header: BatchHeader): (delta: bigint) => number {
  const { timestampType, baseTimestamp, maxTimestamp } = header;
  if (timestampType === 'LogAppendTime') return () => timeOf(Number(maxTimestamp));
  const base = Number(baseTimestamp);
  if (Math.abs(base) <= dateMaxMs) return (delta) => timeOf(base + Number(delta));
  return (delta) => timeOf(Number(BigInt.asIntN(64, baseTimestamp + delta)));
}

const noTimestamp = -1;

function timeOf(timestamp: number): number {
  return timestamp === noTimestamp ? NaN : timestamp;
}
