import type { Clock } from '../base/clock.ts';
import { inOneGo, inTurns, type Steps } from '../base/turns.ts';
import {
  AppendError,
  type CoordinatorEntry,
  type CoordinatorRecord,
  type PartitionWriter,
  type TransactionalWrite,
} from '../coordinator/ports.ts';
import { errorCodes } from '../protocol/errors.ts';
import { batches, type RecordBatch } from '../protocol/records/recordBatch.ts';
import { RecordBatchBuilder } from '../protocol/records/recordBatchBuilder.ts';
import { readRecords } from '../protocol/records/recordReader.ts';
import type { PartitionLog } from '../storage/partitionLog.ts';
import { StorageError } from '../storage/storageError.ts';
import { readTransactionMarker } from '../storage/transactionMarker.ts';
import { type AppendRequest, type Partition, PartitionError } from './partition.ts';
import { markerBatch } from './transactions/markerBatch.ts';

/** Kafka's offsets.load.buffer.size and transaction.state.log.load.buffer.size. */
const loadBufferBytes = 5 * 1024 * 1024;

/** A coordinator's partition from its start to its end: records, and the markers that end transactions. */
export async function* readCoordinatorEntries(
  log: PartitionLog,
): AsyncGenerator<CoordinatorEntry, void, undefined> {
  if (log.problem) throw log.problem;
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
      yield* entriesOf(batch);
    }
  }
}

function* entriesOf(batch: RecordBatch): Generator<CoordinatorEntry> {
  const { isControl, isTransactional, producerId } = batch.header;
  if (isControl) {
    const marker = readTransactionMarker(batch);
    if (marker) yield { producerId, isCommit: !marker.isAbort };
    return;
  }
  const transaction = isTransactional ? { producerId } : {};
  for (const { key, value } of readRecords(batch)) if (key) yield { key, value, ...transaction };
}

interface PartitionWriterOptions {
  readonly clock: Clock;
  readonly partitionOf: (partition: number) => Partition | undefined;
  /** transaction.partition.verification.enable */
  readonly verifiesTransactions: boolean;
}

/** Writes a coordinator's decisions to the partitions that this broker leads, as acks=all would. */
export function partitionWriter({
  clock,
  partitionOf,
  verifiesTransactions,
}: PartitionWriterOptions): PartitionWriter {
  const write = async (
    index: number,
    batch: Buffer,
    options: Partial<AppendRequest> = {},
  ): Promise<void> => {
    const partition = partitionOf(index);
    if (!partition) throw new AppendError(errorCodes.NOT_LEADER_OR_FOLLOWER, 'not led here');
    const { maxMessageBytes } = partition.log.config;
    if (batch.length > maxMessageBytes) {
      throw new AppendError(
        errorCodes.MESSAGE_TOO_LARGE,
        `a batch of ${batch.length} bytes is larger than max.message.bytes, ${maxMessageBytes}`,
      );
    }
    try {
      const request = { origin: 'coordinator', requiresAll: true, ...options } as const;
      const { lastOffset } = await partition.append(batch, request);
      await partition.whenCommitted(lastOffset + 1n);
    } catch (error) {
      throw error instanceof StorageError || error instanceof PartitionError
        ? new AppendError(errorCodes[error.error], error.message)
        : error;
    }
  };
  return {
    async append(index, records, transaction) {
      const steps = recordsBatch(records, transaction, BigInt(clock.nowMs()));
      const batch = records.length > fewRecords ? await inTurns(steps) : inOneGo(steps);
      const isVerified = transaction !== undefined && verifiesTransactions;
      await write(index, batch, isVerified ? { verification: { guard: transaction.guard } } : {});
    },
    maxBatchBytes: (index) => partitionOf(index)?.log.config.maxMessageBytes ?? Infinity,
    async appendMarker(index, marker) {
      const { transactionVersion } = marker;
      await write(index, markerBatch(marker, clock.nowMs()), { transactionVersion });
    },
  };
}

/** Records of which a batch is made at once. */
const fewRecords = 256;

function* recordsBatch(
  records: readonly CoordinatorRecord[],
  transaction: TransactionalWrite | undefined,
  timestamp: bigint,
): Steps<Buffer> {
  const builder = new RecordBatchBuilder({
    ...(transaction && {
      producerId: transaction.producerId,
      producerEpoch: transaction.producerEpoch,
      isTransactional: true,
    }),
  });
  for (const { key, value } of records) {
    builder.add({ key, value, timestamp });
    yield;
  }
  return builder.build();
}
