import { batches, type RecordBatch } from '../../protocol/records/recordBatch.ts';
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

/** What a Produce request has for a partition, if it may go there as far as its form can tell. */
export type PartitionBatch = Place &
  ({ readonly batch: RecordBatch; readonly bytes: Buffer } | { readonly refusal: unknown });

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
    return { ...place, ...onlyBatch(asBuffer(records), apiVersion) };
  } catch (refusal) {
    return { ...place, refusal };
  }
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
  const found = batches(bytes);
  const first = found.next();
  if (first.done) throw notOne(apiVersion);
  const batch = first.value;
  if (batch.header.compression === 'zstd' && apiVersion < firstVersionWithZstd) {
    throw new PartitionError(
      'UNSUPPORTED_COMPRESSION_TYPE',
      `Produce requests with version ${apiVersion} cannot carry zstd`,
    );
  }
  if (!found.next().done) throw notOne(apiVersion);
  return { batch, bytes: batch.bytes };
}

function notOne(apiVersion: number): RecordBatchError {
  return new RecordBatchError(
    'INVALID_RECORD',
    `Produce requests with version ${apiVersion} must have exactly one record batch per partition`,
  );
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
