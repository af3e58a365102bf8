/** Work that is done again when something changed: not too often, never twice at a time, and not while nobody looks. */
export class Repeated {
  readonly #everyMs: number;
  readonly #work: () => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isRunning = false;
  /** How often it was asked for, and which of them the last work answered. */
  #asked = 0;
  #answered = 0;

  constructor(everyMs: number, work: () => Promise<void>) {
    this.#everyMs = everyMs;
    this.#work = work;
    document.addEventListener('visibilitychange', () => this.#planAgain());
  }

  /** Once the last time is long enough ago. */
  soon(): void {
    this.#asked++;
    this.#plan();
  }

  /** At once, unless it is under way: then after it. Failures are for whoever shows the state of things. */
  async now(): Promise<void> {
    this.#asked++;
    if (this.#isRunning) return;
    this.#isRunning = true;
    const asked = this.#asked;
    try {
      await this.#work();
    } catch {
      // The tail is gone or restarting; its progress says so.
    }
    this.#isRunning = false;
    this.#answered = asked;
    this.#planAgain();
  }

  #planAgain(): void {
    if (this.#asked > this.#answered) this.#plan();
  }

  #plan(): void {
    if (this.#timer !== undefined || this.#isRunning || document.hidden) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.now();
    }, this.#everyMs);
  }
}
