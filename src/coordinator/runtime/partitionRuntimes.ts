import type { Disposable } from '../../base/disposable.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { javaStringHash } from '../javaStringHash.ts';
import type { CoordinatorEntry } from '../ports.ts';
import { type Decision, Reply } from './decision.ts';
import type { CoordinatorShard, PartitionRuntime } from './partitionRuntime.ts';

interface PartitionRuntimesOptions<S extends CoordinatorShard> {
  /** Of the coordinator's topic. */
  readonly partitionCount: number;
  readonly makeRuntime: (partition: number, leaderEpoch: number) => PartitionRuntime<S>;
}

export interface WriteEvent<S, T> {
  readonly onError: (errorCode: number, message: string | null) => T;
  readonly decide: (shard: S, decision: Decision, reply: Reply<T>) => void;
}

/** The partitions of a coordinator's topic that this broker leads; each id is kept by one of them. */
export class PartitionRuntimes<S extends CoordinatorShard> implements Disposable {
  readonly #options: PartitionRuntimesOptions<S>;
  readonly #runtimes = new Map<number, PartitionRuntime<S>>();

  constructor(options: PartitionRuntimesOptions<S>) {
    this.#options = options;
  }

  get isAnyLoading(): boolean {
    return [...this.#runtimes.values()].some(({ isLoading }) => isLoading);
  }

  /** The shards, those that are still loading included. */
  get shards(): readonly S[] {
    return [...this.#runtimes.values()].map(({ shard }) => shard);
  }

  /** The partition that keeps an id, as Kafka's `Utils.abs(id.hashCode) % n`. */
  partitionFor(id: string): number {
    return javaStringHash(id) % this.#options.partitionCount;
  }

  /**
   * This broker became leader of a partition: reads it, then serves its ids; meanwhile they are answered
   * COORDINATOR_LOAD_IN_PROGRESS. A call with an epoch that is not newer than the present one is ignored.
   * Rejects if reading fails; the partition may then be loaded again.
   */
  async load(
    partition: number,
    leaderEpoch: number,
    entries: AsyncIterable<CoordinatorEntry>,
  ): Promise<void> {
    const present = this.#runtimes.get(partition);
    if (present !== undefined && present.leaderEpoch >= leaderEpoch) return;
    present?.dispose();
    const runtime = this.#options.makeRuntime(partition, leaderEpoch);
    this.#runtimes.set(partition, runtime);
    try {
      await runtime.load(entries);
    } catch (error) {
      runtime.dispose();
      if (this.#runtimes.get(partition) === runtime) this.#runtimes.delete(partition);
      throw error;
    }
  }

  /** This broker leads the partition no more: whoever waits on its ids is told NOT_COORDINATOR. */
  unload(partition: number): void {
    this.#runtimes.get(partition)?.dispose();
    this.#runtimes.delete(partition);
  }

  /** Looks at the shard that keeps an id. */
  read<T>(id: string, onError: (errorCode: number) => T, from: (shard: S) => T): T {
    const runtime = this.#runtimes.get(this.partitionFor(id));
    if (runtime === undefined) return onError(errorCodes.NOT_COORDINATOR);
    return runtime.isLoading
      ? onError(errorCodes.COORDINATOR_LOAD_IN_PROGRESS)
      : from(runtime.shard);
  }

  /** Lets the shard that keeps an id decide on an event; the answer comes when what it decided is committed. */
  write<T>(id: string, event: WriteEvent<S, T>): Promise<T> {
    return this.writeAt(this.partitionFor(id), event);
  }

  writeAt<T>(partition: number, { onError, decide }: WriteEvent<S, T>): Promise<T> {
    const reply = new Reply(onError);
    const runtime = this.#runtimes.get(partition);
    if (runtime === undefined) reply.fail(errorCodes.NOT_COORDINATOR);
    else {
      runtime.run(
        (shard, decision) => decide(shard, decision, reply),
        (errorCode, message) => reply.fail(errorCode, message),
      );
    }
    return reply.promise;
  }

  dispose(): void {
    for (const partition of [...this.#runtimes.keys()]) this.unload(partition);
  }
}
