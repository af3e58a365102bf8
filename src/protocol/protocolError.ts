interface ProtocolErrorOptions {
  /** Where in the bytes, counted from the start of the buffer that was given. */
  readonly position?: number;
  readonly cause?: unknown;
}

/**
 * Bytes that are not what Kafka's protocol says, or a value that it cannot carry. The message names
 * the field and the position.
 */
export class ProtocolError extends Error {
  override name = 'ProtocolError';
  readonly position: number | undefined;
  readonly #reason: string;
  #field = '';

  constructor(reason: string, { position, cause }: ProtocolErrorOptions = {}) {
    super(reason, { cause });
    this.#reason = reason;
    this.position = position;
    this.#describe();
  }

  /** Path of the field, such as `FetchRequest v12.topics[2].partitions[0].fetchOffset`. */
  get field(): string {
    return this.#field;
  }

  /** Puts an outer name or `[index]` in front of the field's path, and returns the same error. */
  within(outer: string): this {
    const joint = this.#field === '' || this.#field.startsWith('[') ? '' : '.';
    this.#field = outer + joint + this.#field;
    this.#describe();
    return this;
  }

  #describe(): void {
    const where = this.#field === '' ? '' : `${this.#field}: `;
    const position = this.position === undefined ? '' : ` (at byte ${this.position})`;
    this.message = where + this.#reason + position;
  }
}

/** A version that the message does not have, or a value that the version cannot carry. */
export class UnsupportedVersionError extends ProtocolError {
  override name = 'UnsupportedVersionError';
}
