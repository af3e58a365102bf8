/** What keeps partitions from being read: of each until it is read again, or for good. */
export class TailTrouble {
  readonly #passing = new Map<number, Error>();
  #lasting: Error | undefined;

  /** What to tell: what lasts before what may pass. */
  get error(): Error | undefined {
    const [first] = this.#passing.values();
    return this.#lasting ?? first;
  }

  add(partitions: readonly number[], error: Error): void {
    for (const partition of partitions) this.#passing.set(partition, error);
  }

  /** A partition was read. */
  isOver(partition: number): void {
    this.#passing.delete(partition);
  }

  /** A partition will not be read any more. */
  lasts(partition: number, error: Error): void {
    this.#passing.delete(partition);
    this.#lasting ??= error;
  }
}
