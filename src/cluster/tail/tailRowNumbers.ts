const firstCapacity = 1024;

/**
 * Ascending row numbers of a store, themselves numbered from 0: which rows a filter lets through. Those
 * of dropped rows go from the front, and the others keep their place.
 */
export class TailRowNumbers {
  #numbers = new Float64Array(firstCapacity);
  /** Places in front of `#numbers`. */
  #before = 0;
  #head = 0;
  #length = 0;

  /** The place of the first that is held. */
  get first(): number {
    return this.#before + this.#head;
  }

  /** The place of the next to come. */
  get end(): number {
    return this.#before + this.#length;
  }

  get held(): number {
    return this.#length - this.#head;
  }

  /** The row number in a place, if it is held. */
  at(place: number): number | undefined {
    const index = place - this.#before;
    return index >= this.#head && index < this.#length ? this.#numbers[index] : undefined;
  }

  /** The place of a row number, if it is held. */
  placeOf(row: number): number | undefined {
    let low = this.#head;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#numbers[middle] ?? row) < row) low = middle + 1;
      else high = middle;
    }
    return low < this.#length && this.#numbers[low] === row ? low + this.#before : undefined;
  }

  /** The row numbers that are held, ascending. */
  get rows(): Float64Array {
    return this.#numbers.subarray(this.#head, this.#length);
  }

  push(row: number): void {
    if (this.#length === this.#numbers.length) this.#makeRoom();
    this.#numbers[this.#length++] = row;
  }

  /** Lets go of rows before `row`. */
  dropBefore(row: number): void {
    while (this.#head < this.#length && (this.#numbers[this.#head] ?? row) < row) this.#head++;
  }

  #makeRoom(): void {
    const held = this.#numbers.subarray(this.#head, this.#length);
    const isHalfEmpty = this.#head > this.#length / 2;
    const numbers = isHalfEmpty ? this.#numbers : new Float64Array(this.#length * 2);
    numbers.set(held);
    this.#numbers = numbers;
    this.#before += this.#head;
    this.#length = held.length;
    this.#head = 0;
  }
}
