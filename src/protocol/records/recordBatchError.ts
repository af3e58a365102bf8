import type { ErrorName } from '../errors.ts';
import { ProtocolError } from '../protocolError.ts';

type RecordBatchErrorName = Extract<ErrorName, 'CORRUPT_MESSAGE' | 'INVALID_RECORD'>;

/**
 * A record batch that cannot be taken: damaged (CORRUPT_MESSAGE) or of the wrong form (INVALID_RECORD).
 */
export class RecordBatchError extends ProtocolError {
  override name = 'RecordBatchError';
  /** The wire error that a broker answers with. */
  readonly error: RecordBatchErrorName;

  constructor(error: RecordBatchErrorName, reason: string, cause?: unknown) {
    super(reason, { cause });
    this.error = error;
  }
}
