import { crc32c } from '../crc32c.ts';
import { RecordBatchError } from './recordBatchError.ts';

/**
 * Where the fields of a v2 batch stand, each after the last. The checksum covers everything behind
 * itself; base offset and leader epoch come before it, so that a broker can stamp them for nothing.
 * [DefaultRecordBatch]
 */
export const baseOffsetAt = 0;
export const batchLengthAt = baseOffsetAt + 8;
export const partitionLeaderEpochAt = batchLengthAt + 4;
export const magicAt = partitionLeaderEpochAt + 4;
export const crcAt = magicAt + 1;
export const attributesAt = crcAt + 4;
export const lastOffsetDeltaAt = attributesAt + 2;
export const baseTimestampAt = lastOffsetDeltaAt + 4;
export const maxTimestampAt = baseTimestampAt + 8;
export const producerIdAt = maxTimestampAt + 8;
export const producerEpochAt = producerIdAt + 8;
export const baseSequenceAt = producerEpochAt + 2;
export const recordCountAt = baseSequenceAt + 4;

/** Bytes before a batch's records. */
export const batchHeaderBytes = recordCountAt + 4;
/** Bytes before those that the batch length counts. */
export const batchLengthOverhead = batchLengthAt + 4;
/** Enough of a batch to know its length and its format. */
const throughMagicBytes = magicAt + 1;

export const currentMagic = 2;
/** The shortest thing the two older formats could hold. [LegacyRecord.RECORD_OVERHEAD_V0] */
const shortestLength = 14;

export const compressionMask = 0x07;
export const logAppendTimeBit = 0x08;
export const transactionalBit = 0x10;
export const controlBit = 0x20;
export const deleteHorizonBit = 0x40;
export const knownBits = 0x7f;

/**
 * The size that a batch at `position` says it has, which may be too short for its header; undefined if too little of it
 * is there to tell. Throws as `batchSizeAt` does but for that. [ByteBufferLogInputStream.nextBatchSize]
 */
export function saidSizeAt(buffer: Buffer, position: number): number | undefined {
  const size = sizeOfAnyAt(buffer, position);
  if (size !== undefined) refuseOlder(buffer, position);
  return size;
}

/**
 * As `saidSizeAt`, undefined where the batch is cut off: that it is of an older format then counts for nothing.
 * [ByteBufferLogInputStream.nextBatch]
 */
export function wholeSizeAt(buffer: Buffer, position: number): number | undefined {
  const size = sizeOfAnyAt(buffer, position);
  if (size === undefined || size > buffer.length - position) return undefined;
  refuseOlder(buffer, position);
  return size;
}

function sizeOfAnyAt(buffer: Buffer, position: number): number | undefined {
  const available = buffer.length - position;
  if (available < batchLengthOverhead) return undefined;
  const length = buffer.readInt32BE(position + batchLengthAt);
  if (length < shortestLength) throw corrupt(`a batch of length ${length}`);
  if (available < throughMagicBytes) return undefined;
  const magic = buffer.readInt8(position + magicAt);
  if (magic < 0 || magic > currentMagic) throw corrupt(`there is no message format ${magic}`);
  return batchLengthOverhead + length;
}

function refuseOlder(buffer: Buffer, position: number): void {
  const magic = buffer.readInt8(position + magicAt);
  if (magic === currentMagic) return;
  throw new RecordBatchError(
    'INVALID_RECORD',
    `message format v${magic} is not supported; records must be in format v2`,
  );
}

/** Of exactly one batch. */
export function checksum(batch: Buffer): number {
  return crc32c(batch.subarray(attributesAt));
}

/** What is no batch. */
export function corrupt(reason: string): RecordBatchError {
  return new RecordBatchError('CORRUPT_MESSAGE', reason);
}
