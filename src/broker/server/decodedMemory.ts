import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { ClosingError } from '../requestError.ts';

/** Where no request begins for so long, those that wait for it are given up. */
const longestStallMs = 30_000;

interface Waiting {
  readonly frameBytes: number;
  readonly begin: () => void;
  readonly giveUp: (error: Error) => void;
}

interface Entering {
  /** Bytes of the request as it came. */
  readonly frameBytes: number;
  /** Once it aborts, nobody waits for this request any more. */
  readonly signal: AbortSignal | undefined;
}

/**
 * The memory of long requests once they are decoded, until they are answered, by estimate. One is decoded at a time,
 * and only while what is held is below the bound: the bound may be passed by one request of the largest size. Who holds
 * some waits for nobody who waits for it.
 */
export class DecodedMemory {
  readonly #boundBytes: number;
  readonly #clock: () => Clock;
  /** As they came. */
  readonly #waiting = new Set<Waiting>();
  readonly #held = new Set<DecodedShare>();
  #heldBytes = 0;
  #isDecoding = false;
  #isOldestNext = false;
  #stall: Disposable | undefined;

  constructor(boundBytes: number, clock: () => Clock) {
    this.#boundBytes = boundBytes;
    this.#clock = clock;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Resolves when the request may be decoded. Rejects where it is not wanted any more, or memory stays short. */
  async enter({ frameBytes, signal }: Entering): Promise<DecodedShare> {
    signal?.throwIfAborted();
    if (this.#isDecoding || this.#isFull || this.#waiting.size > 0) {
      await this.#wait(frameBytes, signal);
    }
    this.#isDecoding = true;
    const share = new DecodedShare({
      hold: (byBytes) => {
        this.#heldBytes += byBytes;
        this.#isDecoding = false;
        this.#beginNext();
      },
      end: (bytes, isDecoded) => {
        this.#held.delete(share);
        this.#heldBytes -= bytes;
        if (!isDecoded) this.#isDecoding = false;
        this.#beginNext();
      },
    });
    this.#held.add(share);
    return share;
  }

  #wait(frameBytes: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        signal?.removeEventListener('abort', abort);
        this.#waiting.delete(waiting);
        if (this.#waiting.size === 0) this.#watch();
      };
      const begin = (): void => {
        leave();
        this.#watch();
        resolve();
      };
      const giveUp = (error: Error): void => {
        leave();
        reject(error);
      };
      const abort = (): void => giveUp(signal?.reason as Error);
      const waiting = { frameBytes, begin, giveUp };
      signal?.addEventListener('abort', abort);
      this.#waiting.add(waiting);
      if (this.#waiting.size === 1) this.#watch();
      this.#askToEnd();
    });
  }

  /** Begins to count anew for how long nobody has begun. */
  #watch(): void {
    this.#stall?.dispose();
    this.#stall = undefined;
    if (this.#waiting.size === 0) return;
    this.#stall = this.#clock().setTimer(longestStallMs, () => {
      for (const { frameBytes, giveUp } of [...this.#waiting]) {
        const request = `a request of ${frameBytes} bytes`;
        giveUp(new ClosingError(`memory is short, and ${request} has waited for it in vain`));
      }
    });
  }

  get #isFull(): boolean {
    return this.#heldBytes >= this.#boundBytes;
  }

  /** Who only waits for something makes room. */
  #askToEnd(): void {
    if (this.#isFull) for (const share of this.#held) share.askToEnd();
  }

  #beginNext(): void {
    if (this.#isDecoding || this.#waiting.size === 0) return;
    if (this.#isFull) {
      this.#askToEnd();
      return;
    }
    this.#isDecoding = true;
    this.#next()?.begin();
  }

  /** Small ones do not wait behind large ones, and every other time it is the oldest, so that each gets there. */
  #next(): Waiting | undefined {
    let [next] = this.#waiting;
    this.#isOldestNext = !this.#isOldestNext;
    if (this.#isOldestNext) return next;
    for (const each of this.#waiting) {
      if (next === undefined || each.frameBytes < next.frameBytes) next = each;
    }
    return next;
  }
}

interface ShareOwner {
  hold(bytes: number): void;
  end(heldBytes: number, isDecoded: boolean): void;
}

/** What one request holds. */
export class DecodedShare implements Disposable {
  readonly #owner: ShareOwner;
  readonly #wanted = new AbortController();
  #heldBytes: number | undefined;
  #isEnded = false;

  constructor(owner: ShareOwner) {
    this.#owner = owner;
  }

  /** Aborts when others want what it holds: who only waits for something to happen answers without it. */
  get wanted(): AbortSignal {
    return this.#wanted.signal;
  }

  /** The request is decoded, and takes so much until it is answered. */
  hold(bytes: number): void {
    this.#heldBytes = bytes;
    this.#owner.hold(bytes);
  }

  askToEnd(): void {
    this.#wanted.abort();
  }

  dispose(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#owner.end(this.#heldBytes ?? 0, this.#heldBytes !== undefined);
  }
}
