import type { Clock } from '../base/clock.ts';
import { AppendError, type CoordinatorRecord, type PartitionWriter } from '../coordinator/ports.ts';
import { errorCodes } from '../protocol/errors.ts';
import { batches } from '../protocol/records/recordBatch.ts';
import { buildRecordBatch } from '../protocol/records/recordBatchBuilder.ts';
import { readRecords } from '../protocol/records/recordReader.ts';
import type { PartitionLog } from '../storage/partitionLog.ts';
import { StorageError } from '../storage/storageError.ts';
import { type Partition, PartitionError } from './partition.ts';

/** Kafka's offsets.load.buffer.size. */
const loadBufferBytes = 5 * 1024 * 1024;

/** The records of a coordinator's partition from its start to its end, control batches left out. */
export async function* readCoordinatorRecords(
  log: PartitionLog,
): AsyncGenerator<CoordinatorRecord, void, undefined> {
  if (log.logStartOffset === log.logEndOffset) return;
  await log.open();
  let offset = log.logStartOffset;
  while (offset < log.logEndOffset) {
    const { records } = await log.read({
      offset,
      maxBytes: loadBufferBytes,
      upTo: 'logEnd',
      minOneBatch: true,
    });
    if (records.length === 0) return;
    for (const batch of batches(records)) {
      const { header } = batch;
      offset = header.baseOffset + BigInt(header.lastOffsetDelta) + 1n;
      if (header.isControl) continue;
      for (const { key, value } of readRecords(batch)) if (key) yield { key, value };
    }
  }
}

/** Writes a coordinator's decisions to the partitions that this broker leads, as acks=all would. */
export function partitionWriter(
  clock: Clock,
  partitionOf: (partition: number) => Partition | undefined,
): PartitionWriter {
  return {
    async append(index, records) {
      const partition = partitionOf(index);
      if (!partition) throw new AppendError(errorCodes.NOT_LEADER_OR_FOLLOWER, 'not led here');
      const timestamp = BigInt(clock.nowMs());
      const batch = buildRecordBatch({
        records: records.map((record) => ({ ...record, timestamp })),
      });
      try {
        const { lastOffset } = await partition.append(batch, {
          origin: 'coordinator',
          requiresAll: true,
        });
        await partition.whenCommitted(lastOffset + 1n);
      } catch (error) {
        throw error instanceof StorageError || error instanceof PartitionError
          ? new AppendError(errorCodes[error.error], error.message)
          : error;
      }
    },
  };
}
