/** What is wrong with a store, in words, and what to do. */
export interface StoreProblem {
  readonly reason: string;
  readonly hint: string;
}

/** A key store or trust store that cannot be used. */
export class KeyStoreError extends Error {
  override name = 'KeyStoreError';
  readonly hint: string;

  constructor({ reason, hint }: StoreProblem) {
    super(reason);
    this.hint = hint;
  }
}
