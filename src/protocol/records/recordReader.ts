import { ByteReader } from '../byteReader.ts';
import { ProtocolError } from '../protocolError.ts';
import { decompress, defaultMaxDecompressedBytes } from './compression.ts';
import { type BatchHeader, batchHeaderBytes, type RecordBatch } from './recordBatch.ts';
import { RecordBatchError } from './recordBatchError.ts';

/** A header's key is kept as bytes, since nothing makes producers send UTF-8. */
export interface RecordHeader {
  readonly key: Buffer;
  readonly value: Buffer | null;
}

/** One record; null and empty differ, and headers keep their order and their duplicates. */
export interface KafkaRecord {
  readonly offset: bigint;
  /** Milliseconds since the epoch, or -1. */
  readonly timestamp: bigint;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: readonly RecordHeader[];
}

interface ReadOptions {
  /** Refuses a batch that decompresses to more. */
  readonly maxDecompressedBytes?: number;
}

const noHeaders: readonly RecordHeader[] = [];

/**
 * The records of a batch, one by one; keys and values are views of the batch, or of what it
 * decompressed to. Throws a RecordBatchError where the bytes are not what the header says; the
 * checksum is not looked at (`verifyBatch`). [DefaultRecordBatch.iterator]
 */
export function* readRecords(
  batch: RecordBatch,
  { maxDecompressedBytes = defaultMaxDecompressedBytes }: ReadOptions = {},
): Generator<KafkaRecord, void, undefined> {
  const { header } = batch;
  if (header.recordCount < 0) throw invalid(`a batch of ${header.recordCount} records`);
  if (header.recordCount === 0) return;
  const stored = batch.bytes.subarray(batchHeaderBytes);
  const reader = new ByteReader(
    header.compression === 'none'
      ? stored
      : decompress(header.compression, stored, maxDecompressedBytes),
  );
  for (let index = 0; index < header.recordCount; index++) {
    const record = readRecord(reader, header, index);
    if (index === header.recordCount - 1 && reader.remaining > 0) {
      throw invalid(`${reader.remaining} bytes follow the last record`);
    }
    yield record;
  }
}

function readRecord(reader: ByteReader, header: BatchHeader, index: number): KafkaRecord {
  try {
    const size = reader.readVarint();
    if (size < 0 || size > reader.remaining) throw reader.error(`a record of ${size} bytes`);
    const end = reader.position + size;
    reader.skip(1); // attributes, which nothing uses
    const timestampDelta = reader.readVarlong();
    const offsetDelta = reader.readVarint();
    const record: KafkaRecord = {
      offset: header.baseOffset + BigInt(offsetDelta),
      timestamp:
        header.timestampType === 'LogAppendTime'
          ? header.maxTimestamp
          : // A difference of int64s may not be one; Java's sum comes back to what was meant.
            BigInt.asIntN(64, header.baseTimestamp + timestampDelta),
      key: readNullableBytes(reader),
      value: readNullableBytes(reader),
      headers: readHeaders(reader),
    };
    if (reader.position !== end) throw reader.error(`a record does not take ${size} bytes`);
    return record;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new RecordBatchError('INVALID_RECORD', `record ${index}: ${error.message}`, error);
  }
}

function readNullableBytes(reader: ByteReader): Buffer | null {
  const length = reader.readVarint();
  return length < 0 ? null : reader.readBytes(length);
}

function readHeaders(reader: ByteReader): readonly RecordHeader[] {
  const count = reader.readVarint();
  if (count === 0) return noHeaders;
  if (count < 0 || count > reader.remaining) throw reader.error(`${count} headers`);
  const headers: RecordHeader[] = [];
  while (headers.length < count) {
    headers.push({ key: reader.readBytes(reader.readVarint()), value: readNullableBytes(reader) });
  }
  return headers;
}

function invalid(reason: string): RecordBatchError {
  return new RecordBatchError('INVALID_RECORD', reason);
}
