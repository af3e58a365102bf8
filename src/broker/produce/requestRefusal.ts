import { beginsInTransaction } from '../../protocol/records/recordBatch.ts';
import { RecordBatchError } from '../../protocol/records/recordBatchError.ts';
import type { RequestOf } from '../handler.ts';
import { PartitionError } from '../partition.ts';

/**
 * Why no partition of a Produce request gets anything: there is a batch of a transaction, of which the request
 * has no id, or, before the first of those, bytes that are no batch.
 * [KafkaApis.handleProduceRequest, RequestUtils.hasTransactionalRecords]
 */
export function requestRefusal({
  topicData,
  transactionalId,
}: RequestOf<'produce'>): PartitionError | undefined {
  try {
    const isInTransaction = topicData.some(({ partitionData }) =>
      partitionData.some(({ records }) => records !== null && isOfTransaction(records)),
    );
    if (!isInTransaction || transactionalId !== null) return undefined;
  } catch (error) {
    if (error instanceof RecordBatchError) return new PartitionError(error.error, error.message);
    throw error;
  }
  return new PartitionError(
    'TRANSACTIONAL_ID_AUTHORIZATION_FAILED',
    'a batch is of a transaction, but the request has no transactional id',
  );
}

/** The formats of old have no transactions: their own partition refuses them. */
function isOfTransaction(records: Uint8Array): boolean {
  try {
    return beginsInTransaction(records);
  } catch (error) {
    if (error instanceof RecordBatchError && error.error === 'INVALID_RECORD') return false;
    throw error;
  }
}
