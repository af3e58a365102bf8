/** Runs what is given to it one after the other, in order. */
export class Lane {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    // The next in line runs whether this one succeeds or not.
    this.#last = result.catch(() => undefined);
    return result;
  }
}
