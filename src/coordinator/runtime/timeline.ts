import { assert } from '../../base/assert.ts';

interface Change {
  revert(): void;
  settle(): void;
}

/**
 * The changes of a shard's state that are not committed yet, oldest first. State runs ahead of the log
 * (a decision sees the ones before it); readers that want committed state only, and the undoing of what
 * could not be written, need to know how far. Kafka's SnapshotRegistry, for one open snapshot.
 */
export class Timeline {
  #changes: Change[] = [];
  #settledCount = 0;

  /** The present, to commit or to go back to. */
  mark(): number {
    return this.#settledCount + this.#changes.length;
  }

  record(change: Change): void {
    this.#changes.push(change);
  }

  /** What happened before the mark is committed. */
  commit(mark: number): void {
    assert(mark >= this.#settledCount && mark <= this.mark(), 'the mark lies in the open timeline');
    for (const change of this.#changes.splice(0, mark - this.#settledCount)) change.settle();
    this.#settledCount = mark;
  }

  /** Undoes what happened after the mark, by default all that is not committed, newest first. */
  rollback(mark = this.#settledCount): void {
    assert(mark >= this.#settledCount && mark <= this.mark(), 'the mark lies in the open timeline');
    for (const change of this.#changes.splice(mark - this.#settledCount).reverse()) change.revert();
  }
}

/** A map that remembers, for keys with uncommitted changes, what was committed. Insertion-ordered. */
export class TimelineMap<K, V> {
  readonly #timeline: Timeline;
  readonly #latest = new Map<K, V>();
  readonly #behind = new Map<K, { committed: V | undefined; changes: number }>();

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** Neither a value nor an uncommitted change is left. */
  get isVacant(): boolean {
    return this.#latest.size === 0 && this.#behind.size === 0;
  }

  get size(): number {
    return this.#latest.size;
  }

  get(key: K): V | undefined {
    return this.#latest.get(key);
  }

  has(key: K): boolean {
    return this.#latest.has(key);
  }

  getCommitted(key: K): V | undefined {
    const behind = this.#behind.get(key);
    return behind === undefined ? this.#latest.get(key) : behind.committed;
  }

  /** Sets a value; undefined takes the key out. */
  set(key: K, value: V | undefined): void {
    const previous = this.#latest.get(key);
    const behind = this.#behind.get(key) ?? { committed: previous, changes: 0 };
    behind.changes++;
    this.#behind.set(key, behind);
    const close = (): void => {
      if (--behind.changes === 0) this.#behind.delete(key);
    };
    this.#put(key, value);
    this.#timeline.record({
      revert: () => {
        this.#put(key, previous);
        close();
      },
      settle: () => {
        behind.committed = value;
        close();
      },
    });
  }

  /** A copy, so that a decision may change the map while it goes through it. */
  values(): V[] {
    return [...this.#latest.values()];
  }

  /** A copy, as `values`. */
  entries(): [K, V][] {
    return [...this.#latest];
  }

  committedValues(): V[] {
    const values: V[] = [];
    for (const [key, value] of this.#latest) if (!this.#behind.has(key)) values.push(value);
    for (const { committed } of this.#behind.values()) {
      if (committed !== undefined) values.push(committed);
    }
    return values;
  }

  #put(key: K, value: V | undefined): void {
    if (value === undefined) this.#latest.delete(key);
    else this.#latest.set(key, value);
  }
}

/** One value that remembers what was committed of it. */
export class TimelineValue<V> {
  readonly #timeline: Timeline;
  #latest: V;
  #committed: V;

  constructor(timeline: Timeline, initial: V) {
    this.#timeline = timeline;
    this.#latest = initial;
    this.#committed = initial;
  }

  get latest(): V {
    return this.#latest;
  }

  get committed(): V {
    return this.#committed;
  }

  set(value: V): void {
    const previous = this.#latest;
    this.#latest = value;
    this.#timeline.record({
      revert: () => (this.#latest = previous),
      settle: () => (this.#committed = value),
    });
  }
}
