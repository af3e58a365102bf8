/** Looks at the draft when the typing pauses, and again while what it is for is not there yet. */
const PREVIEW_DELAY_MS = 120;
/** How often it is asked again whether a topic that is not there has been created. */
const LOOK_AGAIN_MS = 3000;

export class Previewer {
  readonly #look: (signal: AbortSignal) => Promise<boolean>;
  #looking: AbortController | undefined;
  #timer = 0;
  #isMissing = false;

  /** `look` shows what it finds, and answers whether the topic or the partition is missing. */
  constructor(look: (signal: AbortSignal) => Promise<boolean>) {
    this.#look = look;
    document.addEventListener('visibilitychange', () => this.#lookAgain());
  }

  /** What was under way is of the draft before. */
  draftChanged(): void {
    this.#looking?.abort();
    this.#lookAfter(PREVIEW_DELAY_MS);
  }

  #lookAfter(delayMs: number): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#lookNow(), delayMs);
  }

  #lookAgain(): void {
    if (this.#isMissing && !document.hidden) this.#lookAfter(LOOK_AGAIN_MS);
  }

  async #lookNow(): Promise<void> {
    this.#looking?.abort();
    const { signal } = (this.#looking = new AbortController());
    const isMissing = await this.#look(signal);
    if (signal.aborted) return;
    this.#isMissing = isMissing;
    this.#lookAgain();
  }
}
