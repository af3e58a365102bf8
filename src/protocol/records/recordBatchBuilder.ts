import { assert } from '../../base/assert.ts';
import { ByteWriter } from '../byteWriter.ts';
import { compress, type CompressionType, compressionId } from './compression.ts';
import {
  batchHeaderBytes,
  noLeaderEpoch,
  noProducerEpoch,
  noProducerId,
  noSequence,
  noTimestamp,
  writeBatchHeader,
} from './recordBatch.ts';

/** A record as it is written; what is left out is null, or -1 for the timestamp. */
export interface RecordInput {
  /** Milliseconds since the epoch. */
  readonly timestamp?: bigint;
  readonly key?: Uint8Array | null;
  readonly value?: Uint8Array | null;
  readonly headers?: readonly RecordHeaderInput[];
  /** Offset minus the batch's base offset; one more than the record before if left out. */
  readonly offsetDelta?: number;
}

export interface RecordHeaderInput {
  readonly key: Uint8Array | string;
  readonly value: Uint8Array | null;
}

/** What a batch says about itself; everything has the value of a plain producer's batch if left out. */
export interface BatchOptions {
  readonly baseOffset?: bigint;
  readonly partitionLeaderEpoch?: number;
  readonly compression?: CompressionType;
  readonly compressionLevel?: number;
  /** Makes it a LogAppendTime batch, in which every record has this timestamp. */
  readonly logAppendTime?: bigint;
  readonly producerId?: bigint;
  readonly producerEpoch?: number;
  readonly baseSequence?: number;
  readonly isTransactional?: boolean;
  readonly isControl?: boolean;
  /** Time from which tombstones may go; takes the place of the base timestamp. [KIP-534] */
  readonly deleteHorizonMs?: bigint;
  /** Offset of the last record minus the base offset, where compaction removed records at the end. */
  readonly lastOffsetDelta?: number;
  /** Largest timestamp, where it is not that of the records: of an emptied batch. */
  readonly maxTimestamp?: bigint;
}

/** Gathers records into one v2 batch. [MemoryRecordsBuilder] */
export class RecordBatchBuilder {
  readonly #options: BatchOptions;
  readonly #records = new ByteWriter();
  #count = 0;
  #lastOffsetDelta = -1;
  #baseTimestamp: bigint;
  #maxTimestamp = noTimestamp;

  constructor(options: BatchOptions = {}) {
    this.#options = options;
    this.#baseTimestamp = options.deleteHorizonMs ?? options.logAppendTime ?? noTimestamp;
  }

  get recordCount(): number {
    return this.#count;
  }

  /** Size of the batch so far, before compression. */
  get sizeInBytes(): number {
    return batchHeaderBytes + this.#records.size;
  }

  /** Adds a record, whose bytes must not change until the batch is built. */
  add(record: RecordInput): void {
    const timestamp = this.#options.logAppendTime ?? record.timestamp ?? noTimestamp;
    if (this.#count === 0 && this.#options.deleteHorizonMs === undefined) {
      this.#baseTimestamp = timestamp;
    }
    const offsetDelta = record.offsetDelta ?? this.#lastOffsetDelta + 1;
    assert(offsetDelta > this.#lastOffsetDelta, 'offsets in a batch must ascend');
    this.#count++;
    this.#lastOffsetDelta = offsetDelta;
    if (timestamp > this.#maxTimestamp) this.#maxTimestamp = timestamp;
    // Wraps as Java's subtraction does: two timestamps may lie further apart than an int64 says.
    const timestampDelta = BigInt.asIntN(64, timestamp - this.#baseTimestamp);
    writeRecord(this.#records, record, timestampDelta, offsetDelta);
  }

  /** The batch, with its checksum. The builder must not be used again. */
  build(): Buffer {
    const options = this.#options;
    const compression = options.compression ?? 'none';
    const parts =
      compression === 'none' || this.#count === 0
        ? this.#records.takeParts()
        : [compress(compression, this.#records.takeBuffer(), options.compressionLevel)];
    const batch = Buffer.concat([Buffer.alloc(batchHeaderBytes), ...parts]);
    writeBatchHeader(batch, {
      baseOffset: options.baseOffset ?? 0n,
      partitionLeaderEpoch: options.partitionLeaderEpoch ?? noLeaderEpoch,
      compression: this.#count === 0 ? 0 : compressionId(compression),
      timestampType: options.logAppendTime === undefined ? 'CreateTime' : 'LogAppendTime',
      isTransactional: options.isTransactional ?? false,
      isControl: options.isControl ?? false,
      hasDeleteHorizon: options.deleteHorizonMs !== undefined,
      lastOffsetDelta: options.lastOffsetDelta ?? Math.max(0, this.#lastOffsetDelta),
      baseTimestamp: this.#baseTimestamp,
      maxTimestamp: options.maxTimestamp ?? options.logAppendTime ?? this.#maxTimestamp,
      producerId: options.producerId ?? noProducerId,
      producerEpoch: options.producerEpoch ?? noProducerEpoch,
      baseSequence: options.baseSequence ?? noSequence,
      recordCount: this.#count,
    });
    return batch;
  }
}

/** One batch with the given records. */
export function buildRecordBatch({
  records,
  ...options
}: BatchOptions & { readonly records: Iterable<RecordInput> }): Buffer {
  const builder = new RecordBatchBuilder(options);
  for (const record of records) builder.add(record);
  return builder.build();
}

function writeRecord(
  writer: ByteWriter,
  record: RecordInput,
  timestampDelta: bigint,
  offsetDelta: number,
): void {
  const { key = null, value = null, headers = [] } = record;
  const encoded = headers.map((header) => ({
    key: typeof header.key === 'string' ? Buffer.from(header.key) : header.key,
    value: header.value,
  }));
  let size = 1 + varlongSize(timestampDelta) + varintSize(offsetDelta);
  size += bytesSize(key) + bytesSize(value) + varintSize(encoded.length);
  for (const header of encoded) size += bytesSize(header.key) + bytesSize(header.value);
  writer.writeVarint(size);
  writer.writeInt8(0); // attributes, which nothing uses
  writer.writeVarlong(timestampDelta);
  writer.writeVarint(offsetDelta);
  writeNullableBytes(writer, key);
  writeNullableBytes(writer, value);
  writer.writeVarint(encoded.length);
  for (const header of encoded) {
    writeNullableBytes(writer, header.key);
    writeNullableBytes(writer, header.value);
  }
}

function writeNullableBytes(writer: ByteWriter, bytes: Uint8Array | null): void {
  writer.writeVarint(bytes === null ? -1 : bytes.length);
  if (bytes !== null) writer.writeBytes(bytes);
}

function bytesSize(bytes: Uint8Array | null): number {
  return bytes === null ? varintSize(-1) : varintSize(bytes.length) + bytes.length;
}

/** Bytes of a zigzag varint. */
function varintSize(value: number): number {
  const raw = ((value << 1) ^ (value >> 31)) >>> 0;
  return raw === 0 ? 1 : Math.ceil((32 - Math.clz32(raw)) / 7);
}

/** Bytes of a zigzag varlong. */
function varlongSize(value: bigint): number {
  if (value >= -0x4000_0000n && value < 0x4000_0000n) return varintSize(Number(value));
  let size = 1;
  let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  for (; rest >= 0x80n; rest >>= 7n) size++;
  return size;
}
