import { type Change, putIn, type Timeline } from './timeline.ts';

/** How many changes are not settled. */
interface Open {
  changes: number;
}

/** One small object each: a decision can make some ten thousand of them. */
class Setting<K, V> implements Change {
  readonly #map: Map<K, V>;
  readonly #open: Open;
  readonly #key: K;
  readonly #previous: V | undefined;

  constructor(map: Map<K, V>, open: Open, key: K) {
    this.#map = map;
    this.#open = open;
    this.#key = key;
    this.#previous = map.get(key);
  }

  revert(): void {
    putIn(this.#map, this.#key, this.#previous);
    this.settle();
  }

  settle(): void {
    this.#open.changes--;
  }
}

/**
 * A map of which nobody asks what is committed: what could not be written is undone, and that is all. It remembers less
 * of a change than a `TimelineMap`. Insertion-ordered.
 */
export class RevertibleMap<K, V> {
  readonly #timeline: Timeline;
  readonly #open: Open = { changes: 0 };
  #latest = new Map<K, V>();

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** Neither a value nor an uncommitted change is left. */
  get isVacant(): boolean {
    return this.#latest.size === 0 && this.#open.changes === 0;
  }

  get size(): number {
    return this.#latest.size;
  }

  get(key: K): V | undefined {
    return this.#latest.get(key);
  }

  /** A copy, so that a decision may change the map while it goes through it. */
  keys(): K[] {
    return [...this.#latest.keys()];
  }

  /** Sets a value; undefined takes the key out. */
  set(key: K, value: V | undefined): void {
    this.#record(new Setting(this.#latest, this.#open, key));
    putIn(this.#latest, key, value);
  }

  /** Takes everything out, at the price of one change. */
  clear(): V[] {
    const before = this.#latest;
    this.#latest = new Map();
    this.#record({
      revert: () => {
        this.#latest = before;
        this.#open.changes--;
      },
      settle: () => this.#open.changes--,
    });
    return [...before.values()];
  }

  #record(change: Change): void {
    this.#open.changes++;
    this.#timeline.record(change);
  }
}
