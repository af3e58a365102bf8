import type { Steps } from '../../base/turns.ts';
import { beginsInTransaction } from '../../protocol/records/recordBatch.ts';
import { RecordBatchError } from '../../protocol/records/recordBatchError.ts';
import type { RequestContext, RequestOf } from '../handler.ts';
import { PartitionError } from '../partition.ts';

/**
 * Why no partition of a Produce request gets anything: there is a batch of a transaction, of which the request
 * has no id, or one that the client may not use, or, before the first of those, bytes that are no batch.
 * [KafkaApis.handleProduceRequest, RequestUtils.hasTransactionalRecords]
 */
export function* requestRefusal(
  { topicData, transactionalId }: RequestOf<'produce'>,
  { access }: RequestContext,
): Steps<PartitionError | undefined> {
  try {
    if (!(yield* isInTransaction(topicData))) return undefined;
  } catch (error) {
    if (error instanceof RecordBatchError) return new PartitionError(error.error, error.message);
    throw error;
  }
  if (transactionalId !== null && access.may('write', 'transactionalId', transactionalId)) {
    return undefined;
  }
  const problem =
    transactionalId === null
      ? 'a batch is of a transaction, but the request has no transactional id'
      : `no ACL allows the client to write as ${transactionalId}`;
  return new PartitionError('TRANSACTIONAL_ID_AUTHORIZATION_FAILED', problem);
}

function* isInTransaction(topicData: RequestOf<'produce'>['topicData']): Steps<boolean> {
  for (const { partitionData } of topicData) {
    for (const { records } of partitionData) {
      if (records !== null && isOfTransaction(records)) return true;
      yield;
    }
  }
  return false;
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
