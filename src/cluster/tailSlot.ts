import type { Disposable } from '../base/disposable.ts';
import type { TopicDecoders } from '../shared/contracts/decoders.ts';
import type { FilterShow, TailProgress, TimeSpan } from '../shared/contracts/tail.ts';
import type { Tail, TailOptions, Tails } from './tails.ts';

/** The one tail that is looked at, and its replacement by another. */
export class TailSlot implements Disposable {
  readonly #tails: Tails;
  readonly #onProgress: (progress: TailProgress) => void;
  #session = 0;
  #starts = 0;
  #tail: Tail | undefined;

  constructor(tails: Tails, onProgress: (progress: TailProgress) => void) {
    this.#tails = tails;
    this.#onProgress = onProgress;
  }

  get tail(): Tail | undefined {
    return this.#tail;
  }

  /** Number of the newest session, begun or not. */
  get session(): number {
    return this.#session;
  }

  /**
   * Starts a tail, and only then ends the one under way: a start that fails, and rejects, changes nothing.
   * False: a newer start made this one's outcome moot.
   */
  async begin(
    what: () => Promise<Omit<TailOptions, 'session'>>,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const session = ++this.#session;
    const start = ++this.#starts;
    try {
      const tail = await this.#tails.open({ ...(await what()), session }, signal);
      if (start !== this.#starts) {
        tail.dispose();
        return false;
      }
      this.#tail?.dispose();
      this.#tail = tail;
      tail.onDidProgress(this.#onProgress);
      this.#onProgress(tail.progress);
      return true;
    } catch (error) {
      if (start === this.#starts) throw error;
      return false;
    }
  }

  /** Filters the tail under way. Rejects, in words, where the filter cannot be read. */
  async setFilter(filter: string, show: FilterShow, within?: TimeSpan): Promise<void> {
    await this.#tail?.setFilter(filter, show, ++this.#session, within);
  }

  /** Reads payloads by other decoders. Rejects, in words, where a schema cannot be read. */
  async setDecoders(decoders: TopicDecoders): Promise<void> {
    await this.#tail?.setDecoders(decoders, ++this.#session);
  }

  dispose(): void {
    this.#starts++;
    this.#tail?.dispose();
    this.#tail = undefined;
  }
}
