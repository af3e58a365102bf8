import { t } from '../base/l10n.ts';

/** One that holds bytes of answers, and can be made to give them up. */
export interface Holder {
  readonly heldBytes: number;
  giveUp(reason: string): void;
}

const mebibyte = 1024 * 1024;
/** One answer of the largest size, and what others may hold meanwhile. */
const defaultMaxBytes = 384 * mebibyte;

/**
 * How many bytes of answers that nobody has yet the connections of a client hold together. Beyond its bound the one
 * that holds the most is ended: to let each wait for room would let one that never goes on stop all others.
 */
export class AnswerMemory {
  readonly #maxBytes: number;
  readonly #held = new Map<Holder, number>();
  #totalBytes = 0;

  constructor(maxBytes = defaultMaxBytes) {
    this.#maxBytes = maxBytes;
  }

  /** Counts what the holder has now. */
  count(holder: Holder): void {
    const bytes = holder.heldBytes;
    this.#totalBytes += bytes - (this.#held.get(holder) ?? 0);
    if (bytes === 0) this.#held.delete(holder);
    else this.#held.set(holder, bytes);
    if (this.#totalBytes > this.#maxBytes) this.#endLargest();
  }

  forget(holder: Holder): void {
    this.#totalBytes -= this.#held.get(holder) ?? 0;
    this.#held.delete(holder);
  }

  #endLargest(): void {
    const [largest] = [...this.#held].sort(([, a], [, b]) => b - a);
    if (!largest) return;
    const [holder, bytes] = largest;
    this.forget(holder);
    const reason = t(
      'answers of {0} MiB are waiting to be read, {1} of them its own',
      Math.ceil(this.#maxBytes / mebibyte),
      Math.ceil(bytes / mebibyte),
    );
    holder.giveUp(reason);
  }
}
