import {
  AppendError,
  type CoordinatorEntry,
  type CoordinatorRecord,
  isMarker,
  type PartitionWriter,
  type TransactionEnd,
} from '../../../../src/coordinator/ports.ts';

interface HeldAppend {
  readonly partition: number;
  readonly entries: readonly CoordinatorEntry[];
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A log that commits at once, or when told to, or never. */
export class MemoryWriter implements PartitionWriter {
  /** What was committed, in order, by partition. */
  readonly entries = new Map<number, CoordinatorEntry[]>();
  /** How many records each append had. */
  readonly batches: number[] = [];
  #held: HeldAppend[] | null = null;
  #nextError: number | null = null;

  /** The records of it, without the markers. */
  get logs(): Map<number, CoordinatorRecord[]> {
    const isRecord = (entry: CoordinatorEntry): entry is CoordinatorRecord => !isMarker(entry);
    return new Map([...this.entries].map(([index, entries]) => [index, entries.filter(isRecord)]));
  }

  get heldCount(): number {
    return this.#held?.length ?? 0;
  }

  append(partition: number, records: readonly CoordinatorRecord[]): Promise<void> {
    return this.#append(partition, records);
  }

  maxBatchBytes(): number {
    return 1_048_588;
  }

  appendMarker(partition: number, { producerId, isCommit }: TransactionEnd): Promise<void> {
    return this.#append(partition, [{ producerId, isCommit }]);
  }

  #append(partition: number, entries: readonly CoordinatorEntry[]): Promise<void> {
    this.batches.push(entries.length);
    if (this.#nextError !== null) {
      const errorCode = this.#nextError;
      this.#nextError = null;
      return Promise.reject(new AppendError(errorCode, 'told to fail'));
    }
    if (this.#held === null) {
      this.#commit(partition, entries);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      this.#held?.push({ partition, entries, resolve, reject });
    });
  }

  /** From now on appends wait for `release` or `failHeld`. */
  hold(): void {
    this.#held ??= [];
  }

  /** Commits what waits, and from now on at once. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const { partition, entries, resolve } of held) {
      this.#commit(partition, entries);
      resolve();
    }
  }

  /** Loses what waits; later appends are committed at once. */
  failHeld(errorCode: number): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const { reject } of held) reject(new AppendError(errorCode, 'told to fail'));
  }

  failNext(errorCode: number): void {
    this.#nextError = errorCode;
  }

  #commit(partition: number, entries: readonly CoordinatorEntry[]): void {
    const log = this.entries.get(partition) ?? [];
    log.push(...entries);
    this.entries.set(partition, log);
  }
}
