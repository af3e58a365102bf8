import type { Disposable } from '../../base/disposable.ts';

/**
 * The records that have been read for clients and not been taken by them yet. Where little is left, fetches get
 * less than they asked for, though always a batch, so that clients who do not read their answers cannot fill
 * the memory.
 */
export class FetchMemory {
  #freeBytes: number;

  constructor(boundBytes: number) {
    this.#freeBytes = boundBytes;
  }

  /** A part of what is free, given back when it is disposed. */
  take(wantedBytes: number): FetchMemoryShare {
    const bytes = Math.max(0, Math.min(wantedBytes, this.#freeBytes));
    return new FetchMemoryShare(bytes, (byBytes) => {
      this.#freeBytes -= byBytes;
    });
  }
}

export class FetchMemoryShare implements Disposable {
  readonly #take: (byBytes: number) => void;
  #bytes = 0;

  constructor(bytes: number, take: (byBytes: number) => void) {
    this.#take = take;
    this.hold(bytes);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** What it turned out to be: less, or more where a single batch is larger. */
  hold(bytes: number): void {
    this.#take(bytes - this.#bytes);
    this.#bytes = bytes;
  }

  dispose(): void {
    this.hold(0);
  }
}
