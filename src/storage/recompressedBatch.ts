import type { CompressionType } from '../protocol/records/compression.ts';
import {
  batches,
  type BatchHeader,
  noProducerEpoch,
  noProducerId,
  noTimestamp,
  type RecordBatch,
  setMaxTimestamp,
} from '../protocol/records/recordBatch.ts';
import { RecordBatchBuilder } from '../protocol/records/recordBatchBuilder.ts';
import { readRecords } from '../protocol/records/recordReader.ts';
import type { LogConfig } from './logConfig.ts';
import { StorageError } from './storageError.ts';

export interface RecompressionOptions {
  readonly target: CompressionType;
  readonly config: LogConfig;
  readonly nowMs: number;
  /** For messages. */
  readonly partitionName: string;
}

/** Where the topic's compression is not the producer's [LogValidator.buildRecordsAndAssignOffsets]. */
export function recompressed(batch: RecordBatch, options: RecompressionOptions): RecordBatch {
  const { header } = batch;
  const { target, config, nowMs } = options;
  checkProducer(header, options.partitionName);
  const isAppendTime = config.messageTimestampType === 'LogAppendTime';
  const builder = new RecordBatchBuilder({
    compression: target,
    ...levelOf(target, config),
    producerId: header.producerId,
    producerEpoch: header.producerEpoch,
    baseSequence: header.baseSequence,
    isTransactional: header.isTransactional,
  });
  for (const { timestamp, key, value, headers } of readRecords(batch)) {
    if (timestamp < noTimestamp) throw beforeAllTime(timestamp, options.partitionName);
    builder.add({ timestamp, key, value, headers });
  }
  const bytes = builder.build();
  // The records keep the times that they came with, though nobody sees them.
  if (isAppendTime) setMaxTimestamp(bytes, 'LogAppendTime', BigInt(nowMs));
  const built = reread(bytes);
  if (built.header.sizeInBytes > config.maxMessageBytes)
    throw new StorageError(
      'MESSAGE_TOO_LARGE',
      `${options.partitionName}: in ${target}, as compression.type says, the batch takes ${built.header.sizeInBytes} bytes, more than max.message.bytes, ${config.maxMessageBytes}`,
    );
  return built;
}

/** Kafka keeps such a batch as it is, and cannot write it anew. [MemoryRecordsBuilder.writeDefaultBatchHeader] */
function checkProducer(header: BatchHeader, partitionName: string): void {
  const { producerId, producerEpoch, baseSequence } = header;
  if (producerId === noProducerId || (producerEpoch !== noProducerEpoch && baseSequence >= 0))
    return;
  throw new StorageError(
    'INVALID_RECORD',
    `${partitionName}: a batch of producer ${producerId} with epoch ${producerEpoch} and sequence ${baseSequence} cannot be compressed anew`,
  );
}

/** Kafka fails where it would have to write such a record by itself. [MemoryRecordsBuilder.appendWithOffset] */
function beforeAllTime(timestamp: bigint, partitionName: string): StorageError {
  return new StorageError(
    'INVALID_TIMESTAMP',
    `${partitionName}: a record of time ${timestamp} cannot be compressed anew`,
  );
}

/** The topic's level, for the codecs that have one here; our lz4 has none. */
function levelOf(
  target: CompressionType,
  { compressionLevels }: LogConfig,
): { readonly compressionLevel?: number } {
  if (target !== 'gzip' && target !== 'zstd') return {};
  return { compressionLevel: compressionLevels[target] };
}

/** A batch whose bytes were changed. */
export function reread(bytes: Buffer): RecordBatch {
  const [batch] = batches(bytes);
  if (batch === undefined) throw new Error('a batch that was just written cannot be read');
  return batch;
}
