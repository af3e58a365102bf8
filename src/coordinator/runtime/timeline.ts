import { assert } from '../../base/assert.ts';

/** What can be undone until it is settled. */
export interface Change {
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

/** What was committed of a key that has changes that are not, and how many. */
interface Behind<V> {
  committed: V | undefined;
  changes: number;
}

interface Store<K, V> {
  readonly latest: Map<K, V>;
  readonly behind: Map<K, Behind<V>>;
}

/** One small object each: a decision can make some ten thousand of them. */
class MapChange<K, V> implements Change {
  readonly #store: Store<K, V>;
  readonly #key: K;
  readonly #previous: V | undefined;
  readonly #value: V | undefined;

  constructor(store: Store<K, V>, key: K, value: V | undefined) {
    const { latest, behind } = store;
    this.#store = store;
    this.#key = key;
    this.#previous = latest.get(key);
    this.#value = value;
    const before = behind.get(key);
    if (before === undefined) behind.set(key, { committed: this.#previous, changes: 1 });
    else before.changes++;
    putIn(latest, key, value);
  }

  revert(): void {
    putIn(this.#store.latest, this.#key, this.#previous);
    this.#close();
  }

  settle(): void {
    const behind = this.#close();
    if (behind !== undefined) behind.committed = this.#value;
  }

  /** What is still behind. */
  #close(): Behind<V> | undefined {
    const { behind } = this.#store;
    const mine = behind.get(this.#key);
    if (mine === undefined || --mine.changes > 0) return mine;
    behind.delete(this.#key);
    return undefined;
  }
}

/** Undefined takes the key out. */
export function putIn<K, V>(map: Map<K, V>, key: K, value: V | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

/** A map that remembers, for keys with uncommitted changes, what was committed. Insertion-ordered. */
export class TimelineMap<K, V> {
  readonly #timeline: Timeline;
  readonly #store: Store<K, V> = { latest: new Map(), behind: new Map() };

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** Neither a value nor an uncommitted change is left. */
  get isVacant(): boolean {
    return this.#store.latest.size === 0 && this.#store.behind.size === 0;
  }

  get size(): number {
    return this.#store.latest.size;
  }

  get(key: K): V | undefined {
    return this.#store.latest.get(key);
  }

  has(key: K): boolean {
    return this.#store.latest.has(key);
  }

  getCommitted(key: K): V | undefined {
    const behind = this.#store.behind.get(key);
    return behind === undefined ? this.#store.latest.get(key) : behind.committed;
  }

  /** Sets a value; undefined takes the key out. */
  set(key: K, value: V | undefined): void {
    this.#timeline.record(new MapChange(this.#store, key, value));
  }

  /** Takes the key out, where it is there. */
  remove(key: K): void {
    if (this.#store.latest.has(key)) this.set(key, undefined);
  }

  /** A copy, so that a decision may change the map while it goes through it. */
  values(): V[] {
    return [...this.#store.latest.values()];
  }

  /** A copy, as `values`. */
  entries(): [K, V][] {
    return [...this.#store.latest];
  }

  committedValues(): V[] {
    const values: V[] = [];
    for (const [key, value] of this.#store.latest)
      if (!this.#store.behind.has(key)) values.push(value);
    for (const { committed } of this.#store.behind.values()) {
      if (committed !== undefined) values.push(committed);
    }
    return values;
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
