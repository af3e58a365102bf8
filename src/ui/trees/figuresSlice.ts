import { type Readable, Slice } from './slice.ts';

export interface FiguresSource<T, V> {
  /** What is shown now, found once the list that it is taken from has been read. */
  readonly wanted: () => Promise<readonly T[]>;
  readonly nameOf: (row: T) => string;
  /** Reads for many at once. What could not be read of one is left out. */
  readonly read: (rows: readonly T[], signal: AbortSignal) => Promise<ReadonlyMap<string, V>>;
}

/**
 * A figure for each row of a long list, read for those rows that are shown and no others, all in one reading. Rows that
 * come into view later are read when they do; those that are out of it are forgotten on the next refresh.
 */
export class FiguresSlice<T, V> implements Readable {
  readonly #source: FiguresSource<T, V>;
  readonly #slice: Slice<ReadonlyMap<string, V>>;
  /** Also those that were asked for in vain, which are not asked for again before the next refresh. */
  #asked: ReadonlySet<string> = new Set();
  #isRenewal = true;

  constructor(source: FiguresSource<T, V>) {
    this.#source = source;
    this.#slice = new Slice((signal) => this.#read(signal));
  }

  get content(): Readable['content'] {
    return this.#slice.content;
  }

  of(name: string): V | undefined {
    return this.#slice.value?.get(name);
  }

  /** Another object whenever a figure may have changed. */
  get version(): unknown {
    return this.#slice.value;
  }

  async load(): Promise<void> {
    await this.#slice.settled();
    const wanted = await this.#source.wanted();
    if (wanted.every((row) => this.#asked.has(this.#source.nameOf(row)))) return;
    this.#isRenewal = false;
    await this.#slice.reload();
  }

  reload(): Promise<void> {
    this.#isRenewal = true;
    return this.#slice.reload();
  }

  reset(): void {
    this.#slice.reset();
    this.#asked = new Set();
    this.#isRenewal = true;
  }

  async #read(signal: AbortSignal): Promise<ReadonlyMap<string, V>> {
    const isRenewal = this.#isRenewal;
    const { wanted, nameOf, read } = this.#source;
    const shown = await wanted();
    const rows = isRenewal ? shown : shown.filter((row) => !this.#asked.has(nameOf(row)));
    const figures = rows.length ? await read(rows, signal) : new Map<string, V>();
    const before = isRenewal ? [] : this.#asked;
    this.#asked = new Set([...before, ...rows.map(nameOf)]);
    return isRenewal ? figures : new Map([...(this.#slice.value ?? []), ...figures]);
  }
}
