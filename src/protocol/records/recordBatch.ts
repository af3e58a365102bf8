import { asBuffer } from '../byteReader.ts';
import {
  attributesAt,
  baseOffsetAt,
  baseSequenceAt,
  baseTimestampAt,
  batchHeaderBytes,
  batchLengthAt,
  batchLengthOverhead,
  checksum,
  compressionMask,
  controlBit,
  corrupt,
  crcAt,
  currentMagic,
  deleteHorizonBit,
  knownBits,
  lastOffsetDeltaAt,
  logAppendTimeBit,
  magicAt,
  maxTimestampAt,
  partitionLeaderEpochAt,
  producerEpochAt,
  producerIdAt,
  recordCountAt,
  saidSizeAt,
  wholeSizeAt,
  transactionalBit,
} from './batchLayout.ts';
import { type CompressionType, compressionTypeOf } from './compression.ts';

export { batchHeaderBytes };

/** Who set the timestamps of a batch; Kafka's values for `message.timestamp.type`. */
export type TimestampType = 'CreateTime' | 'LogAppendTime';

/** No producer id, no sequence, no timestamp, no leader epoch: all are -1. */
export const noProducerId = -1n;
export const noProducerEpoch = -1;
export const noSequence = -1;
export const noTimestamp = -1n;
export const noLeaderEpoch = -1;

/** Of such a producer no transaction is written. [MemoryRecordsBuilder.validateProducerState] */
export const isOfNobody = ({
  producerId,
  producerEpoch,
}: Pick<BatchHeader, 'producerId' | 'producerEpoch'>): boolean =>
  producerId === noProducerId || producerEpoch === noProducerEpoch;

/** What a batch says about itself, before any record is read. */
export interface BatchHeader {
  readonly baseOffset: bigint;
  readonly lastOffset: bigint;
  /** As on the wire: without the first 12 bytes. */
  readonly batchLength: number;
  readonly sizeInBytes: number;
  readonly partitionLeaderEpoch: number;
  readonly magic: number;
  readonly crc: number;
  readonly attributes: number;
  readonly compression: CompressionType;
  readonly timestampType: TimestampType;
  readonly isTransactional: boolean;
  readonly isControl: boolean;
  /** The base timestamp is the time from which tombstones may go. [KIP-534] */
  readonly hasDeleteHorizon: boolean;
  readonly lastOffsetDelta: number;
  readonly baseTimestamp: bigint;
  readonly maxTimestamp: bigint;
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly baseSequence: number;
  readonly lastSequence: number;
  readonly recordCount: number;
}

/** A whole batch: its header, and its bytes as a view of where it was found. */
export interface RecordBatch {
  readonly header: BatchHeader;
  readonly position: number;
  readonly bytes: Buffer;
}

/** What the writer of a batch decides; the rest follows. */
export interface BatchHeaderInput {
  readonly baseOffset: bigint;
  readonly partitionLeaderEpoch: number;
  readonly compression: number;
  readonly timestampType: TimestampType;
  readonly isTransactional: boolean;
  readonly isControl: boolean;
  readonly hasDeleteHorizon: boolean;
  readonly lastOffsetDelta: number;
  readonly baseTimestamp: bigint;
  readonly maxTimestamp: bigint;
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly baseSequence: number;
  readonly recordCount: number;
}

/**
 * Size of the batch at `position`, or undefined if too little of it is there to tell. Throws a
 * RecordBatchError for an impossible length and for formats v0 and v1, which Kafka 4 no longer takes.
 */
export function batchSizeAt(buffer: Buffer, position = 0): number | undefined {
  const size = saidSizeAt(buffer, position);
  if (size !== undefined && size < batchHeaderBytes)
    throw corrupt(`a batch of ${size} bytes is too short for its header`);
  return size;
}

/**
 * Reads the header at `position`, of which the first 61 bytes must be there; the records need not be.
 * Throws a RecordBatchError for what cannot be a batch. Does not check the checksum.
 */
export function readBatchHeader(buffer: Buffer, position = 0): BatchHeader {
  const sizeInBytes = batchSizeAt(buffer, position);
  if (sizeInBytes === undefined || buffer.length - position < batchHeaderBytes) {
    throw corrupt(`a batch header needs ${batchHeaderBytes} bytes`);
  }
  const baseOffset = buffer.readBigInt64BE(position + baseOffsetAt);
  const attributes = buffer.readInt16BE(position + attributesAt);
  const lastOffsetDelta = buffer.readInt32BE(position + lastOffsetDeltaAt);
  const baseSequence = buffer.readInt32BE(position + baseSequenceAt);
  return {
    baseOffset,
    lastOffset: baseOffset + BigInt(lastOffsetDelta),
    batchLength: sizeInBytes - batchLengthOverhead,
    sizeInBytes,
    partitionLeaderEpoch: buffer.readInt32BE(position + partitionLeaderEpochAt),
    magic: currentMagic,
    crc: buffer.readUInt32BE(position + crcAt),
    attributes,
    compression: compressionTypeOf(attributes & compressionMask),
    timestampType: (attributes & logAppendTimeBit) === 0 ? 'CreateTime' : 'LogAppendTime',
    isTransactional: (attributes & transactionalBit) !== 0,
    isControl: (attributes & controlBit) !== 0,
    hasDeleteHorizon: (attributes & deleteHorizonBit) !== 0,
    lastOffsetDelta,
    baseTimestamp: buffer.readBigInt64BE(position + baseTimestampAt),
    maxTimestamp: buffer.readBigInt64BE(position + maxTimestampAt),
    producerId: buffer.readBigInt64BE(position + producerIdAt),
    producerEpoch: buffer.readInt16BE(position + producerEpochAt),
    baseSequence,
    lastSequence:
      baseSequence === noSequence ? noSequence : addToSequence(baseSequence, lastOffsetDelta),
    recordCount: buffer.readInt32BE(position + recordCountAt),
  };
}

/**
 * The batches in `bytes`, in order. A last one that is cut off is left out, as in a fetch's answer, also one that says
 * it is too short for its header. [ByteBufferLogInputStream.nextBatch]
 */
export function* batches(bytes: Uint8Array): Generator<RecordBatch, void, undefined> {
  const buffer = asBuffer(bytes);
  let position = 0;
  for (;;) {
    const size = wholeSizeAt(buffer, position);
    if (size === undefined) return;
    yield {
      header: readBatchHeader(buffer, position),
      position,
      bytes: buffer.subarray(position, position + size),
    };
    position += size;
  }
}

/**
 * Whether the first batch is there and says that it is of a transaction; nothing else of it is looked at.
 * Throws as `batchSizeAt` does, but for a batch that is too short for its header.
 */
export function beginsInTransaction(bytes: Uint8Array): boolean {
  const buffer = asBuffer(bytes);
  if (wholeSizeAt(buffer, 0) === undefined) return false;
  return (buffer.readInt16BE(attributesAt) & transactionalBit) !== 0;
}

/** Throws a RecordBatchError (CORRUPT_MESSAGE) unless the checksum is that of the bytes. */
export function verifyBatch({ header, bytes }: RecordBatch): void {
  if (bytes.length !== header.sizeInBytes) {
    throw corrupt(`${bytes.length} bytes, where the batch has ${header.sizeInBytes}`);
  }
  const computed = checksum(bytes);
  if (computed === header.crc) return;
  throw corrupt(`the checksum is ${header.crc}, but that of the bytes is ${computed}`);
}

/** Stamps the offset of the first record into a batch. Outside the checksum. */
export function setBaseOffset(batch: Buffer, baseOffset: bigint): void {
  batch.writeBigInt64BE(baseOffset, baseOffsetAt);
}

/** Stamps the leader epoch into a batch. Outside the checksum. */
export function setPartitionLeaderEpoch(batch: Buffer, epoch: number): void {
  batch.writeInt32BE(epoch, partitionLeaderEpochAt);
}

/**
 * Sets timestamp type and largest timestamp, and the checksum with them; `batch` is exactly one batch.
 * With LogAppendTime the largest timestamp is that of every record. [DefaultRecordBatch.setMaxTimestamp]
 */
export function setMaxTimestamp(batch: Buffer, type: TimestampType, timestamp: bigint): void {
  const attributes = batch.readInt16BE(attributesAt);
  const bit = type === 'LogAppendTime' ? logAppendTimeBit : 0;
  const isOfType = (attributes & logAppendTimeBit) === bit;
  if (isOfType && batch.readBigInt64BE(maxTimestampAt) === timestamp) return;
  // Bits that mean nothing stay only in a batch that stays as it is.
  batch.writeInt16BE((attributes & knownBits & ~logAppendTimeBit) | bit, attributesAt);
  batch.writeBigInt64BE(timestamp, maxTimestampAt);
  batch.writeUInt32BE(checksum(batch), crcAt);
}

/** Writes the header in front of the records that `batch` already holds, checksum included. */
export function writeBatchHeader(batch: Buffer, header: BatchHeaderInput): void {
  batch.writeBigInt64BE(header.baseOffset, baseOffsetAt);
  batch.writeInt32BE(batch.length - batchLengthOverhead, batchLengthAt);
  batch.writeInt32BE(header.partitionLeaderEpoch, partitionLeaderEpochAt);
  batch.writeInt8(currentMagic, magicAt);
  batch.writeInt16BE(attributesOf(header), attributesAt);
  batch.writeInt32BE(header.lastOffsetDelta, lastOffsetDeltaAt);
  batch.writeBigInt64BE(header.baseTimestamp, baseTimestampAt);
  batch.writeBigInt64BE(header.maxTimestamp, maxTimestampAt);
  batch.writeBigInt64BE(header.producerId, producerIdAt);
  batch.writeInt16BE(header.producerEpoch, producerEpochAt);
  batch.writeInt32BE(header.baseSequence, baseSequenceAt);
  batch.writeInt32BE(header.recordCount, recordCountAt);
  batch.writeUInt32BE(checksum(batch), crcAt);
}

/** Sequence numbers go from 2^31 - 1 back to 0. [DefaultRecordBatch.incrementSequence] */
export function addToSequence(sequence: number, increment: number): number {
  return (sequence + increment) % 2 ** 31;
}

function attributesOf(header: BatchHeaderInput): number {
  return (
    header.compression |
    (header.timestampType === 'LogAppendTime' ? logAppendTimeBit : 0) |
    (header.isTransactional ? transactionalBit : 0) |
    (header.isControl ? controlBit : 0) |
    (header.hasDeleteHorizon ? deleteHorizonBit : 0)
  );
}
