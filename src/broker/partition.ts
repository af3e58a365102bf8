import { deferred, type Deferred } from '../base/deferred.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { Uuid } from '../base/uuid.ts';
import type { ErrorName } from '../protocol/errors.ts';
import { noLeaderEpoch } from '../protocol/records/recordBatch.ts';
import { highWatermarkOf } from '../replication/highWatermark.ts';
import type {
  AppendInfo,
  AppendOptions,
  EpochEndOffset,
  PartitionLog,
} from '../storage/partitionLog.ts';
import { StorageError } from '../storage/storageError.ts';
import type { PartitionImage } from './controller/metadataImage.ts';

/** A write or a read that the partition refuses, as a Kafka error and in words. */
export class PartitionError extends Error {
  override name = 'PartitionError';
  readonly error: ErrorName;

  constructor(error: ErrorName, message: string) {
    super(message);
    this.error = error;
  }
}

/** What goes with a batch to be appended. */
export interface AppendRequest extends Omit<AppendOptions, 'leaderEpoch'> {
  /** acks=all. */
  readonly requiresAll: boolean;
}

interface Waiter {
  readonly offset: bigint;
  readonly passed: Deferred<void>;
}

/** One replica's side of a partition that this broker leads: its log, its epoch and its high watermark. [Partition] */
export class Partition {
  readonly topic: string;
  readonly topicId: Uuid;
  readonly log: PartitionLog;
  readonly #nodeId: number;
  readonly #didChange = new Emitter<void>();
  #image: PartitionImage;
  #waiters: Waiter[] = [];
  #bytesAppended = 0;
  #isGone = false;
  #returns = 0;

  constructor(options: {
    topic: string;
    topicId: Uuid;
    log: PartitionLog;
    nodeId: number;
    image: PartitionImage;
  }) {
    this.topic = options.topic;
    this.topicId = options.topicId;
    this.log = options.log;
    this.#nodeId = options.nodeId;
    this.#image = options.image;
    this.updateHighWatermark();
  }

  get partition(): number {
    return this.#image.partition;
  }

  get image(): PartitionImage {
    return this.#image;
  }

  get leaderEpoch(): number {
    return this.#image.leaderEpoch;
  }

  get isLeader(): boolean {
    return !this.#isGone && this.#image.leader === this.#nodeId;
  }

  /** Why it is offline: the disk refuses it, or it was read anew and is not led anew yet. */
  get problem(): StorageError | undefined {
    if (this.log.problem || this.#returns === 0) return this.log.problem;
    return new StorageError(
      'KAFKA_STORAGE_ERROR',
      `${this.topic}-${this.partition} is coming back`,
    );
  }

  /** The disk does not refuse it any more; it stays offline until `endReturn`. */
  beginReturn(): void {
    this.#returns++;
  }

  endReturn(): void {
    this.#returns--;
  }

  /** Fires when readers can see more than before, or have to look elsewhere. */
  get onDidChange(): Event<void> {
    return this.#didChange.event;
  }

  /** All bytes appended since the broker started: waiting readers count what came in since they looked. */
  get bytesAppended(): number {
    return this.#bytesAppended;
  }

  /**
   * Throws where the client knows another leader epoch, or this broker does not lead. [Partition.getLocalLog, KIP-320]
   */
  checkLeadership(currentLeaderEpoch: number): void {
    this.checkLeaderEpoch(currentLeaderEpoch);
    if (!this.isLeader) throw new PartitionError('NOT_LEADER_OR_FOLLOWER', 'another broker leads');
  }

  /** That the client knows the epoch in which somebody leads (-1: any). [Partition.checkCurrentLeaderEpoch] */
  checkLeaderEpoch(currentLeaderEpoch: number): void {
    if (currentLeaderEpoch === noLeaderEpoch || currentLeaderEpoch === this.leaderEpoch) return;
    const isOld = currentLeaderEpoch < this.leaderEpoch;
    throw new PartitionError(
      isOld ? 'FENCED_LEADER_EPOCH' : 'UNKNOWN_LEADER_EPOCH',
      `the client knows leader epoch ${currentLeaderEpoch}, the partition has ${this.leaderEpoch}`,
    );
  }

  /** The metadata log says something new of this partition. */
  follow(image: PartitionImage): void {
    this.#image = image;
    if (!this.isLeader) this.failWaiters('NOT_LEADER_OR_FOLLOWER');
    this.updateHighWatermark();
  }

  /**
   * Appends a batch. With `requiresAll` (acks=all) refuses where fewer replicas are in sync than
   * min.insync.replicas; waiting for the high watermark is the caller's affair.
   */
  async append(records: Buffer, { requiresAll, ...options }: AppendRequest): Promise<AppendInfo> {
    this.checkLeadership(noLeaderEpoch);
    const { problem } = this;
    if (problem) throw problem;
    if (requiresAll && !this.hasEnoughInSync) {
      throw new PartitionError(
        'NOT_ENOUGH_REPLICAS',
        `${this.#image.isr.length} replicas of ${this.topic}-${this.partition} are in sync, fewer than min.insync.replicas`,
      );
    }
    const sizeInBytes = records.length;
    const info = await this.log.append(records, { ...options, leaderEpoch: this.leaderEpoch });
    this.#bytesAppended += sizeInBytes;
    this.updateHighWatermark();
    return info;
  }

  /**
   * Where an epoch, or the last one before it, ends in this log. The leader's own epoch begins where the log ended when
   * it became the leader, written to or not. [Partition.makeLeader, Partition.lastOffsetForLeaderEpoch]
   */
  async endOffsetForEpoch(epoch: number): Promise<EpochEndOffset> {
    const { log, leaderEpoch } = this;
    if (log.leaderEpoch < leaderEpoch) await log.startLeaderEpoch(leaderEpoch);
    return log.endOffsetForEpoch(epoch);
  }

  /** No more are asked for than the partition has replicas. [Partition.effectiveMinIsr] */
  get hasEnoughInSync(): boolean {
    const { isr, replicas } = this.#image;
    return isr.length >= Math.min(this.log.config.minInsyncReplicas, replicas.length);
  }

  /** Resolves when the high watermark has reached `offset`; rejects where it never will. */
  whenCommitted(offset: bigint): Promise<void> {
    if (this.log.highWatermark >= offset) return Promise.resolve();
    const passed = deferred<undefined>();
    this.#waiters.push({ offset, passed });
    return passed.promise;
  }

  /** Moves the high watermark as far as the in-sync replicas allow, and lets go who waits for it. */
  updateHighWatermark(): void {
    const { log } = this;
    const replicas = this.#image.replicas.map((id) => ({
      // With one broker the only replica is this one; followers report their positions when there are more.
      logEndOffset: id === this.#nodeId ? log.logEndOffset : log.highWatermark,
      isInSync: this.#image.isr.includes(id),
    }));
    const next = highWatermarkOf(replicas, log.config.minInsyncReplicas, log.highWatermark);
    if (next <= log.highWatermark) return;
    log.advanceHighWatermark(next);
    this.#letGo(next);
    this.#didChange.fire();
  }

  #letGo(highWatermark: bigint): void {
    const ready = this.#waiters.filter(({ offset }) => offset <= highWatermark);
    if (ready.length === 0) return;
    this.#waiters = this.#waiters.filter(({ offset }) => offset > highWatermark);
    for (const { passed } of ready) passed.resolve();
  }

  /** The partition is deleted here, or its broker stops. */
  leave(error: ErrorName): void {
    this.#isGone = true;
    this.failWaiters(error);
  }

  /** The partition is led elsewhere: who waits is told. */
  failWaiters(error: ErrorName): void {
    for (const { passed } of this.#waiters.splice(0)) {
      passed.reject(new PartitionError(error, `partition ${this.topic}-${this.partition} is gone`));
    }
    this.#didChange.fire();
  }
}
