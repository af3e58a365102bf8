import { batches, type RecordBatch } from '../../protocol/records/recordBatch.ts';
import { RecordBatchError } from '../../protocol/records/recordBatchError.ts';
import { isInternalTopic } from '../controller/topicNames.ts';
import type { RequestContext } from '../handler.ts';
import { type Partition, PartitionError } from '../partition.ts';
import { partitionOf } from '../partitionLookup.ts';

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
  (
    | { readonly partition: Partition; readonly batch: RecordBatch; readonly bytes: Buffer }
    | { readonly refusal: unknown }
  );

/** Finds the partition and the one batch for it. [KafkaApis.handleProduceRequest] */
export function partitionBatch(
  place: Place,
  records: Uint8Array | null,
  { acks: wanted, context }: { acks: number; context: RequestContext },
): PartitionBatch {
  const { topic, index } = place;
  try {
    if (!acksCodes.has(wanted)) {
      throw new PartitionError('INVALID_REQUIRED_ACKS', 'acks must be 0, 1 or -1 (all)');
    }
    const partition = partitionOf(context.node, topic, index);
    if (isInternalTopic(topic) && context.clientId !== adminClientId) {
      throw new PartitionError(
        'INVALID_TOPIC_EXCEPTION',
        `Cannot append to internal topic ${topic}`,
      );
    }
    return { ...place, partition, ...onlyBatch(records, context.apiVersion) };
  } catch (refusal) {
    return { ...place, refusal };
  }
}

const acksCodes: ReadonlySet<number> = new Set(Object.values(acks));

/**
 * Exactly one batch goes to a partition, of which a second one's beginning is dropped; zstd came with
 * version 7. [ProduceRequest.validateRecords]
 */
function onlyBatch(
  records: Uint8Array | null,
  apiVersion: number,
): { batch: RecordBatch; bytes: Buffer } {
  const bytes = records === null ? Buffer.alloc(0) : asBuffer(records);
  const [batch, another] = batches(bytes);
  if (!batch || another) {
    throw new RecordBatchError(
      'INVALID_RECORD',
      `Produce requests with version ${apiVersion} must have exactly one record batch per partition`,
    );
  }
  if (batch.header.compression === 'zstd' && apiVersion < firstVersionWithZstd) {
    throw new PartitionError(
      'UNSUPPORTED_COMPRESSION_TYPE',
      `Produce requests with version ${apiVersion} cannot carry zstd`,
    );
  }
  return { batch, bytes: batch.bytes };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
