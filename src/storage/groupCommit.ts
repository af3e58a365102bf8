import { Lane } from './lane.ts';

/**
 * Makes durable what many have written: who asks while a commit runs shares the next one with all others who do, and
 * that one begins after they asked.
 */
export class GroupCommit {
  readonly #commit: () => Promise<void>;
  readonly #lane: Lane;
  #toCome: Promise<void> | undefined;

  /** `lane`: what must not run beside a commit. */
  constructor(commit: () => Promise<void>, lane = new Lane()) {
    this.#commit = commit;
    this.#lane = lane;
  }

  run(): Promise<void> {
    this.#toCome ??= Promise.resolve().then(() =>
      this.#lane.run(() => {
        this.#toCome = undefined;
        return this.#commit();
      }),
    );
    return this.#toCome;
  }
}
