import { RecordBatchError } from '../protocol/records/recordBatchError.ts';

/** What a walk over the records of a batch finds out, without making an object of any of them. */
export interface RecordScan {
  /** Largest timestamp delta; exact below 2^53. */
  readonly maxTimestampDelta: number;
  /** Whether record `n` has offset delta `n`, as every producer writes. */
  readonly isConsecutive: boolean;
}

/** One record as the walk sees it; the same object for every record. */
export interface ScannedRecord {
  index: number;
  /** Without the length in front. */
  sizeInBytes: number;
  timestampDelta: number;
  hasKey: boolean;
}

/**
 * Walks over uncompressed records, checks that their lengths add up, and shows each to `visit`. Throws a
 * RecordBatchError (INVALID_RECORD) where they do not. Nothing is allocated per record: this runs for every
 * record that clients produce.
 */
export function scanRecords(
  payload: Buffer,
  recordCount: number,
  visit: (record: ScannedRecord) => void,
): RecordScan {
  const cursor = new Cursor(payload);
  const record: ScannedRecord = { index: 0, sizeInBytes: 0, timestampDelta: 0, hasKey: false };
  let maxTimestampDelta = -Infinity;
  let isConsecutive = true;
  for (let index = 0; index < recordCount; index++) {
    const offsetDelta = scanRecord(cursor, index, record);
    if (offsetDelta !== index) isConsecutive = false;
    if (record.timestampDelta > maxTimestampDelta) maxTimestampDelta = record.timestampDelta;
    visit(record);
  }
  if (cursor.at !== payload.length)
    throw invalid(`${payload.length - cursor.at} bytes follow the last record`);
  return { maxTimestampDelta, isConsecutive };
}

/** Reads one record into `record` and answers its offset delta. */
function scanRecord(cursor: Cursor, index: number, record: ScannedRecord): number {
  const size = cursor.varint();
  const end = cursor.at + size;
  if (size < 0 || end > cursor.limit) throw invalid(`record ${index} claims ${size} bytes`);
  cursor.at += 1; // attributes, which nothing uses
  record.index = index;
  record.sizeInBytes = size;
  record.timestampDelta = cursor.varint();
  const offsetDelta = cursor.varint();
  record.hasKey = cursor.skipBytes() >= 0;
  cursor.skipBytes();
  const headers = cursor.varint();
  if (headers < 0) throw invalid(`record ${index} has ${headers} headers`);
  for (let n = 0; n < headers && cursor.at <= end; n++) {
    if (cursor.skipBytes() < 0) throw invalid(`record ${index} has a header without a key`);
    cursor.skipBytes();
  }
  if (cursor.at !== end)
    throw invalid(`record ${index} does not take the ${size} bytes that it claims`);
  return offsetDelta;
}

class Cursor {
  at = 0;
  readonly limit: number;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.limit = bytes.length;
  }

  /** A zigzag varint of up to 64 bits, as a number. */
  varint(): number {
    let byte = this.#bytes[this.at++];
    if (byte === undefined) throw invalid('the records are cut off');
    if (byte < 0x80) return byte & 1 ? -((byte + 1) >>> 1) : byte >>> 1;
    let value = byte & 0x7f;
    let factor = 128;
    for (let length = 1; length < 10; length++) {
      byte = this.#bytes[this.at++];
      if (byte === undefined) throw invalid('the records are cut off');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
      factor *= 128;
    }
    throw invalid('a number is longer than 64 bits');
  }

  /** Skips a length and that many bytes; answers the length, negative for null. */
  skipBytes(): number {
    const length = this.varint();
    if (length > 0) this.at += length;
    return length;
  }
}

function invalid(reason: string): RecordBatchError {
  return new RecordBatchError('INVALID_RECORD', reason);
}
