/** What rows said when they were drawn, so that only those are drawn again that say something else by now. */
export class DrawnRows<Row extends object> {
  readonly #words = new WeakMap<Row, string>();

  /** The row is drawn with these words. */
  drawn(row: Row, words: string): void {
    this.#words.set(row, words);
  }

  /** Of rows those that were drawn with other words. */
  outdated(rows: Iterable<Row>, wordsNow: (row: Row) => string): Row[] {
    return [...rows].filter((row) => {
      const words = this.#words.get(row);
      return words !== undefined && words !== wordsNow(row);
    });
  }
}
