import type { Disposable } from '../../base/disposable.ts';
import type { TopicDecoders } from '../../shared/contracts/decoders.ts';
import type { TailProgress } from '../../shared/contracts/tailProgress.ts';
import type { FilterShow, TailOrder, TimeSpan } from '../../shared/contracts/tailQuery.ts';
import type { Tail, TailOptions, Tails } from './tails.ts';

/**
 * The one tail that is looked at, and its replacement by another. A change waits for the start under way, and a start
 * for the changes under way: none is made to a tail that is about to end.
 */
export class TailSlot implements Disposable {
  readonly #tails: Tails;
  readonly #onProgress: (progress: TailProgress) => void;
  #session = 0;
  #starts = 0;
  #tail: Tail | undefined;
  /** Resolves when the newest start has ended, however it did. */
  #starting: Promise<void> | undefined;
  /** Resolves when the changes under way are made, or could not be. */
  #changing: Promise<void> = Promise.resolve();

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
   * False: a newer start made this one's outcome moot. `what` is asked once the changes under way are made.
   */
  begin(what: () => Promise<Omit<TailOptions, 'session'>>, signal?: AbortSignal): Promise<boolean> {
    const beginning = this.#begin(what, signal);
    const end = (): void => {
      if (this.#starting === starting) this.#starting = undefined;
    };
    const starting: Promise<void> = beginning.then(end, end);
    this.#starting = starting;
    return beginning;
  }

  /** Changes the tail that there is once no start is under way. */
  async change(work: () => Promise<void>): Promise<void> {
    while (this.#starting) await this.#starting;
    const changed = work();
    this.#changing = Promise.allSettled([this.#changing, changed]).then(() => undefined);
    await changed;
  }

  /** Filters the tail under way. Rejects, in words, where the filter cannot be read. */
  async setFilter(filter: string, show: FilterShow, within?: TimeSpan): Promise<void> {
    await this.#tail?.setFilter(filter, show, ++this.#session, within);
  }

  /**
   * Has the rows of the tail under way in another order, or as they arrive. False: they are not, since something newer
   * was asked for. No start waits for it: it ends with its tail.
   */
  async setOrder(order: TailOrder | undefined): Promise<boolean> {
    while (this.#starting) await this.#starting;
    const tail = this.#tail;
    try {
      return (await tail?.setOrder(order, ++this.#session)) ?? false;
    } catch (error) {
      if (tail === this.#tail) throw error;
      return false;
    }
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

  async #begin(
    what: () => Promise<Omit<TailOptions, 'session'>>,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const start = ++this.#starts;
    await this.#changing;
    if (start !== this.#starts) return false;
    const session = ++this.#session;
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
}
