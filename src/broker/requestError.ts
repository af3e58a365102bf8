import type { ErrorName } from '../protocol/errors.ts';

/** The whole request is refused: the API's own error response goes out. */
export class RequestError extends Error {
  override name = 'RequestError';
  readonly error: ErrorName;

  constructor(error: ErrorName, message: string) {
    super(message);
    this.error = error;
  }
}

/** There is no answer that the client would understand: its connection closes. */
export class ClosingError extends Error {
  override name = 'ClosingError';
}
