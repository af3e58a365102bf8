/** Between two times that what was taken out is let go of. */
const leastTaken = 1024;

/** First in, first out. Taking one out costs the same however many wait, which `shift` of a long array does not. */
export class Queue<T> {
  #items: (T | undefined)[] = [];
  #taken = 0;

  get size(): number {
    return this.#items.length - this.#taken;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.#taken === this.#items.length) return undefined;
    const item = this.#items[this.#taken];
    this.#items[this.#taken++] = undefined;
    if (this.#taken >= leastTaken && this.#taken * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#taken);
      this.#taken = 0;
    }
    return item;
  }
}
