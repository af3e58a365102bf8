import { type BatchHeader, batches, type RecordBatch } from '../../protocol/records/recordBatch.ts';
import { type UnreadableBatch, unreadableBatch } from '../../protocol/records/unreadableBatch.ts';
import { compressionId, isCompressionId } from '../../protocol/records/compression.ts';
import { RecordBatchError } from '../../protocol/records/recordBatchError.ts';
import { isInternalTopic } from '../controller/topicNames.ts';
import type { RequestContext } from '../handler.ts';
import { type Partition, PartitionError } from '../partition.ts';
import { partitionOf } from '../partitionLookup.ts';
import { ClosingError } from '../requestError.ts';

export const acks = { none: 0, leader: 1, all: -1 } as const;

const firstVersionWithZstd = 7;
/** What Kafka's own admin client calls itself when it may write to internal topics. [AdminUtils] */
const adminClientId = '__admin_client';

interface Place {
  readonly topic: string;
  readonly index: number;
}

/**
 * What a Produce request has for a partition, if it may go there as far as its form can tell. A batch that cannot be
 * read is refused by the log only: what comes before that looks at what it says.
 */
export type PartitionBatch = Place &
  (
    | { readonly batch: RecordBatch; readonly bytes: Buffer }
    | { readonly unreadable: UnreadableBatch; readonly bytes: Buffer }
    | { readonly refusal: unknown }
  );

/** Where Kafka looks whether the codec is zstd, it fails over one that is none. [CompressionType.forId] */
export class NoCodec extends PartitionError {
  constructor(codecId: number) {
    super('UNKNOWN_SERVER_ERROR', `there is no compression type ${codecId}`);
  }
}

/** Who a batch is from, and where it goes on. */
export type Sent = Pick<
  BatchHeader,
  'isTransactional' | 'producerId' | 'producerEpoch' | 'baseSequence'
>;

/** The one batch for a partition that is there. [KafkaApis.handleProduceRequest] */
export function partitionBatch(
  place: Place,
  records: Uint8Array | null,
  { node, apiVersion }: RequestContext,
): PartitionBatch {
  try {
    if (!node.image.topic(place.topic)?.partitions[place.index]) {
      throw new PartitionError('UNKNOWN_TOPIC_OR_PARTITION', 'there is no such partition');
    }
    if (records === null) throw new ClosingError(`nothing for ${place.topic}-${place.index}`);
    const bytes = asBuffer(records);
    const unreadable = unreadableBatch(bytes);
    if (unreadable) return { ...place, ...refusedByLog(bytes, unreadable, apiVersion) };
    return { ...place, ...onlyBatch(bytes, apiVersion) };
  } catch (refusal) {
    return { ...place, refusal };
  }
}

/** Of a batch in a transaction: who sent it. */
export function sentBy(written: PartitionBatch): Sent | undefined {
  if ('refusal' in written) return undefined;
  const sent = 'batch' in written ? written.batch.header : written.unreadable;
  if (!sent.isTransactional) return undefined;
  const { producerId, producerEpoch, baseSequence } = sent;
  if (producerId === undefined || producerId < 0n) return undefined;
  if (producerEpoch === undefined || baseSequence === undefined) return undefined;
  return sent as Sent;
}

/**
 * The partition that is to be written to, which is looked for once it is known that the batch is of a transaction that
 * goes on. [ReplicaManager.appendRecords]
 */
export function writtenPartition(
  { topic, index }: Place,
  wantedAcks: number,
  { node, clientId }: RequestContext,
): Partition {
  if (!acksCodes.has(wantedAcks)) {
    throw new PartitionError('INVALID_REQUIRED_ACKS', 'acks must be 0, 1 or -1 (all)');
  }
  if (isInternalTopic(topic) && clientId !== adminClientId) {
    throw new PartitionError('INVALID_TOPIC_EXCEPTION', `Cannot append to internal topic ${topic}`);
  }
  return partitionOf(node, topic, index);
}

const acksCodes: ReadonlySet<number> = new Set(Object.values(acks));

/**
 * Exactly one batch goes to a partition, of which a second one's beginning is dropped; zstd came with
 * version 7, which is looked at before the second. [ProduceRequest.validateRecords]
 */
function onlyBatch(bytes: Buffer, apiVersion: number): { batch: RecordBatch; bytes: Buffer } {
  const batch = batches(bytes).next().value;
  if (!batch) throw notOne(apiVersion);
  checkCodec(batch.header.compression === 'zstd', apiVersion);
  if (hasAnother(bytes, batch.bytes.length)) throw notOne(apiVersion);
  return { batch, bytes: batch.bytes };
}

function refusedByLog(
  bytes: Buffer,
  unreadable: UnreadableBatch,
  apiVersion: number,
): { unreadable: UnreadableBatch; bytes: Buffer } {
  const { sizeInBytes, codecId } = unreadable;
  if (apiVersion < firstVersionWithZstd && !isCompressionId(codecId)) throw new NoCodec(codecId);
  checkCodec(codecId === zstd, apiVersion);
  if (hasAnother(bytes, sizeInBytes)) throw notOne(apiVersion);
  return { unreadable, bytes: bytes.subarray(0, sizeInBytes) };
}

function hasAnother(bytes: Buffer, position: number): boolean {
  if (position === bytes.length) return false;
  const rest = bytes.subarray(position);
  return unreadableBatch(rest) !== undefined || batches(rest).next().value !== undefined;
}

const zstd = compressionId('zstd');

const notOne = (apiVersion: number): RecordBatchError =>
  new RecordBatchError(
    'INVALID_RECORD',
    `Produce requests with version ${apiVersion} must have exactly one record batch per partition`,
  );

function checkCodec(isZstd: boolean, apiVersion: number): void {
  if (!isZstd || apiVersion >= firstVersionWithZstd) return;
  throw new PartitionError(
    'UNSUPPORTED_COMPRESSION_TYPE',
    `Produce requests with version ${apiVersion} cannot carry zstd`,
  );
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
