import { asBuffer } from '../byteReader.ts';
import {
  attributesAt,
  baseOffsetAt,
  baseSequenceAt,
  batchHeaderBytes,
  checksum,
  compressionMask,
  corrupt,
  crcAt,
  producerEpochAt,
  producerIdAt,
  recordCountAt,
  transactionalBit,
  wholeSizeAt,
} from './batchLayout.ts';
import { isCompressionId } from './compression.ts';
import type { BatchHeader } from './recordBatch.ts';
import { RecordBatchError } from './recordBatchError.ts';

/** A batch that cannot be read: too short for its header, or of no codec. Undefined is what it is too short for. */
export type UnreadableBatch = Pick<
  BatchHeader,
  'baseOffset' | 'sizeInBytes' | 'isTransactional'
> & {
  /** As it says. */
  readonly codecId: number;
} & {
  readonly [Field in 'producerId' | 'producerEpoch' | 'baseSequence']:
    BatchHeader[Field] | undefined;
};

/** What a first batch says that is there as a whole and cannot be read; undefined of any other. */
export function unreadableBatch(bytes: Uint8Array): UnreadableBatch | undefined {
  const buffer = asBuffer(bytes);
  const sizeInBytes = wholeSizeAt(buffer, 0);
  if (sizeInBytes === undefined) return undefined;
  const attributes = buffer.readInt16BE(attributesAt);
  const codecId = attributes & compressionMask;
  if (sizeInBytes >= batchHeaderBytes && isCompressionId(codecId)) return undefined;
  const has = (end: number): boolean => sizeInBytes >= end;
  return {
    baseOffset: buffer.readBigInt64BE(baseOffsetAt),
    sizeInBytes,
    codecId,
    isTransactional: (attributes & transactionalBit) !== 0,
    producerId: has(producerEpochAt) ? buffer.readBigInt64BE(producerIdAt) : undefined,
    producerEpoch: has(baseSequenceAt) ? buffer.readInt16BE(producerEpochAt) : undefined,
    baseSequence: has(recordCountAt) ? buffer.readInt32BE(baseSequenceAt) : undefined,
  };
}

/** Throws a RecordBatchError for a batch that cannot be read: for its checksum, and only then for its codec. */
export function refuseUnreadable(
  bytes: Uint8Array,
  { sizeInBytes, codecId }: UnreadableBatch,
): never {
  if (sizeInBytes < batchHeaderBytes)
    throw corrupt(`a batch of ${sizeInBytes} bytes is too short for its header`);
  const batch = asBuffer(bytes).subarray(0, sizeInBytes);
  if (checksum(batch) !== batch.readUInt32BE(crcAt)) throw corrupt('the checksum is another');
  throw new RecordBatchError('INVALID_RECORD', `there is no compression type ${codecId}`);
}
