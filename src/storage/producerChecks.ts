// What a producer's batch has to pass before it is appended [ProducerAppendInfo].
import type { BatchHeader } from '../protocol/records/recordBatch.ts';
import { lastSequence, type ProducerEntry } from './producerEntry.ts';
import { StorageError } from './storageError.ts';
import type { TransactionMarker } from './transactionMarker.ts';
import type { VerificationGuard } from './transactionVerification.ts';

type ProducerAndEpoch = Pick<BatchHeader, 'producerId' | 'producerEpoch'>;

export function hasOngoing(entry: ProducerEntry, { producerEpoch }: ProducerAndEpoch): boolean {
  return entry.transactionFirstOffset !== undefined && entry.producerEpoch === producerEpoch;
}

/** A guard holds only while the verification that it is of does: a marker in between ends it. */
export function checkVerified(
  { producerId }: ProducerAndEpoch,
  given: VerificationGuard | undefined,
  expected: VerificationGuard | undefined,
): void {
  if (given !== undefined && given === expected) return;
  throw new StorageError(
    'INVALID_TXN_STATE',
    `Record was not part of an ongoing transaction: the coordinator was not asked about producer ${producerId}`,
  );
}

export function checkEpoch(entry: ProducerEntry, header: ProducerAndEpoch): void {
  if (header.producerEpoch >= entry.producerEpoch) return;
  throw new StorageError(
    'INVALID_PRODUCER_EPOCH',
    `producer ${entry.producerId} wrote with epoch ${header.producerEpoch}, but epoch ${entry.producerEpoch} has written since`,
  );
}

export function checkSequence(entry: ProducerEntry, header: BatchHeader): void {
  // Nothing is known of the producer (expired, or its records are deleted): any sequence may follow.
  if (entry.producerEpoch < 0) return;
  const isNewEpoch = header.producerEpoch !== entry.producerEpoch;
  const last = isNewEpoch ? -1 : lastSequence(entry);
  const expected = last === 2 ** 31 - 1 ? 0 : last + 1;
  if (header.baseSequence === expected) return;
  throw new StorageError(
    'OUT_OF_ORDER_SEQUENCE_NUMBER',
    `producer ${entry.producerId} sent sequence ${header.baseSequence} where ${expected} comes next` +
      (isNewEpoch ? ` in its new epoch ${header.producerEpoch}` : ''),
  );
}

export function checkMarker(
  entry: ProducerEntry,
  header: BatchHeader,
  marker: TransactionMarker,
): void {
  // With transactions v2 each one has an epoch of its own, so an equal epoch is stale, except where the
  // transaction is already over and the marker is a retry (KAFKA-19999).
  const isRetry =
    header.producerEpoch === entry.producerEpoch &&
    (entry.transactionFirstOffset === undefined || header.producerEpoch === 32_767);
  const isStale =
    marker.transactionVersion >= 2
      ? header.producerEpoch <= entry.producerEpoch && !isRetry
      : header.producerEpoch < entry.producerEpoch;
  if (isStale)
    throw new StorageError(
      'INVALID_PRODUCER_EPOCH',
      `a marker with epoch ${header.producerEpoch} came for producer ${entry.producerId}, which is at epoch ${entry.producerEpoch}`,
    );
  if (marker.coordinatorEpoch < entry.coordinatorEpoch)
    throw new StorageError(
      'TRANSACTION_COORDINATOR_FENCED',
      `a marker came from coordinator epoch ${marker.coordinatorEpoch}, but ${entry.coordinatorEpoch} has been here since`,
    );
}
