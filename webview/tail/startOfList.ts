/** At which end the list of a tail begins, and whether it stays there. */
import type { TailProgress } from '../../src/shared/contracts/tailProgress.ts';

export class StartOfList {
  /** As the list of an earlier page was left, which this one comes back to. */
  readonly #follows: boolean | undefined;
  /** The tail that is listed, by the session that it began as. */
  #tail: number | undefined;
  #isPlace = false;
  #isWaiting = false;
  #isLive = false;

  constructor(follows: boolean | undefined) {
    this.#follows = follows;
  }

  /** Whether a tail is listed. */
  get isKnown(): boolean {
    return this.#tail !== undefined;
  }

  /** The tail began at a place in the log, which its list shows first. */
  get isShown(): boolean {
    return this.#isPlace;
  }

  /** Everything that was there was read, and it is not decided yet whether the list goes on with its end. */
  get isWaiting(): boolean {
    return this.#isWaiting && this.#isLive;
  }

  /**
   * Rows of another session are listed from now on. Whoever has asked for a place in the log sees that first, and the
   * end of the same tail who has gone there.
   */
  begin({ began, beganAtPlace, sorted }: TailProgress, isFollowing: boolean): boolean {
    const follows = this.#tail === undefined ? this.#follows : this.#tail === began && isFollowing;
    this.#tail = began;
    this.#isPlace = beganAtPlace === true;
    const atEnd = sorted === undefined && (!this.#isPlace || follows === true);
    this.#isWaiting = this.#isPlace && !atEnd && sorted === undefined;
    return atEnd;
  }

  onProgress({ state, filter }: TailProgress): void {
    this.#isLive = state === 'live' && (filter?.pending ?? 0) === 0;
  }

  /** Decides it. False: it was decided. */
  settle(): boolean {
    const wasWaiting = this.#isWaiting;
    this.#isWaiting = false;
    return wasWaiting;
  }
}
