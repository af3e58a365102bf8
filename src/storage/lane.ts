/** Runs what is given to it in order: one at a time, until it is widened. */
export class Lane {
  readonly #waiting: (() => void)[] = [];
  #width = 1;
  #running = 0;

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#width) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The next in line takes this one's place, whether it succeeded or not.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  /** From now on so many run at the same time. */
  widen(width: number): void {
    this.#width = width;
    while (this.#running < width) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running++;
      next();
    }
  }
}
