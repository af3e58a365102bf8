import {
  AppendError,
  type CoordinatorRecord,
  type PartitionWriter,
} from '../../../../src/coordinator/ports.ts';

interface HeldAppend {
  readonly partition: number;
  readonly records: readonly CoordinatorRecord[];
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A log that commits at once, or when told to, or never. */
export class MemoryWriter implements PartitionWriter {
  /** What was committed, in order, by partition. */
  readonly logs = new Map<number, CoordinatorRecord[]>();
  /** How many records each append had. */
  readonly batches: number[] = [];
  #held: HeldAppend[] | null = null;
  #nextError: number | null = null;

  get heldCount(): number {
    return this.#held?.length ?? 0;
  }

  append(partition: number, records: readonly CoordinatorRecord[]): Promise<void> {
    this.batches.push(records.length);
    if (this.#nextError !== null) {
      const errorCode = this.#nextError;
      this.#nextError = null;
      return Promise.reject(new AppendError(errorCode, 'told to fail'));
    }
    if (this.#held === null) {
      this.#commit(partition, records);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      this.#held?.push({ partition, records, resolve, reject });
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
    for (const { partition, records, resolve } of held) {
      this.#commit(partition, records);
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

  #commit(partition: number, records: readonly CoordinatorRecord[]): void {
    const log = this.logs.get(partition) ?? [];
    log.push(...records);
    this.logs.set(partition, log);
  }
}
