import { toProblem } from '../../cluster/problems.ts';
import type { Problem } from '../../cluster/model.ts';

/** What a slice holds: a value, a problem, or a value with the problem that kept it from being renewed. */
export interface SliceContent<T> {
  readonly value?: T;
  readonly problem?: Problem;
}

/** Something read for the rows of the tree. */
export interface Readable {
  readonly content: { readonly problem?: Problem };
  /** Reads what has not been read yet; resolves when there is something to show. Never rejects. */
  load(): Promise<void>;
  /** Reads again, or joins the read under way. Never rejects. */
  reload(): Promise<void>;
  /** Forgets everything and cancels a read under way. */
  reset(): void;
}

/**
 * Something read from a cluster when a row needs it: read once, read again on refresh, never twice at a
 * time. After `reset`, what an earlier read brings is dropped.
 */
export class Slice<T> implements Readable {
  readonly #read: (signal: AbortSignal) => Promise<T>;
  #content: SliceContent<T> = {};
  #running: { readonly done: Promise<void>; readonly controller: AbortController } | undefined;

  constructor(read: (signal: AbortSignal) => Promise<T>) {
    this.#read = read;
  }

  get content(): SliceContent<T> {
    return this.#content;
  }

  get value(): T | undefined {
    return this.#content.value;
  }

  load(): Promise<void> {
    const known = this.#content.value !== undefined || this.#content.problem !== undefined;
    return known ? Promise.resolve() : this.reload();
  }

  reload(): Promise<void> {
    if (this.#running) return this.#running.done;
    const controller = new AbortController();
    const done = Promise.resolve().then(() => this.#renew(controller));
    this.#running = { done, controller };
    return done;
  }

  /** The read under way if there is one, else what is known, else a first read. Never rejects. */
  settled(): Promise<void> {
    return this.#running?.done ?? this.load();
  }

  reset(): void {
    this.#running?.controller.abort();
    this.#running = undefined;
    this.#content = {};
  }

  async #renew(controller: AbortController): Promise<void> {
    let content: SliceContent<T>;
    try {
      content = { value: await this.#read(controller.signal) };
    } catch (error) {
      const { value } = this.#content;
      content = { ...(value !== undefined && { value }), problem: toProblem(error) };
    }
    if (controller.signal.aborted) return;
    this.#content = content;
    this.#running = undefined;
  }
}
