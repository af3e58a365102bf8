import type { ErrorName } from '../errors.ts';
import { ProtocolError } from '../protocolError.ts';

type RecordBatchErrorName = Extract<
  ErrorName,
  'CORRUPT_MESSAGE' | 'INVALID_RECORD' | 'UNSUPPORTED_COMPRESSION_TYPE'
>;

/**
 * A record batch that cannot be taken: damaged (CORRUPT_MESSAGE), of the wrong form (INVALID_RECORD),
 * or compressed in a way that is not read here.
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
