import type { ErrorName } from '../protocol/errors.ts';

/** The Kafka errors that storage can answer with. */
export type StorageErrorName = Extract<
  ErrorName,
  | 'CORRUPT_MESSAGE'
  | 'INVALID_PRODUCER_EPOCH'
  | 'INVALID_RECORD'
  | 'INVALID_TIMESTAMP'
  | 'INVALID_TXN_STATE'
  | 'KAFKA_STORAGE_ERROR'
  | 'MESSAGE_TOO_LARGE'
  | 'OFFSET_OUT_OF_RANGE'
  | 'OUT_OF_ORDER_SEQUENCE_NUMBER'
  | 'RECORD_LIST_TOO_LARGE'
  | 'TRANSACTION_COORDINATOR_FENCED'
  | 'UNSUPPORTED_COMPRESSION_TYPE'
  | 'UNSUPPORTED_FOR_MESSAGE_FORMAT'
>;

/** Why one record made its batch unacceptable; `batchIndex` counts records in the batch (Produce v8+). */
export interface RecordError {
  readonly batchIndex: number;
  readonly message: string;
}

/** What storage rejects with: a Kafka error as data, and words for people. */
export class StorageError extends Error {
  override name = 'StorageError';
  readonly error: StorageErrorName;
  readonly recordErrors: readonly RecordError[];

  constructor(
    error: StorageErrorName,
    message: string,
    details: { recordErrors?: readonly RecordError[]; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.error = error;
    this.recordErrors = details.recordErrors ?? [];
  }
}
