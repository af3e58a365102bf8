import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { CoordinatorRecord } from '../ports.ts';
import type { Decision } from '../runtime/decision.ts';
import type { CoordinatorShard, ShardTools } from '../runtime/partitionRuntime.ts';
import type { MarkerChannel } from './markerChannel.ts';
import { TransactionTable } from './transactionTable.ts';
import type { PartitionSet } from './partitionSet.ts';
import { completed, isPrepared, type Transaction } from './transactionState.ts';

export interface TransactionShardOptions extends ShardTools {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly coordinatorEpoch: number;
  readonly channel: MarkerChannel;
  /** The level of the cluster's feature transaction.version. */
  readonly transactionVersion: () => number;
  /** Decides on an event that no request brought, if it can be taken now. */
  readonly run: (decide: (decision: Decision) => void, refuse: () => void) => void;
}

/** How long until the record that a transaction is complete is written again, after the log did not take it. */
const retryBackoffMs = 100;

/** One partition's transactional ids, as the runtime drives them; sees decided transactions to their end. */
export class TransactionShard implements CoordinatorShard {
  readonly table: TransactionTable;
  readonly #options: TransactionShardOptions;
  readonly #unloading = new AbortController();

  constructor(options: TransactionShardOptions) {
    this.#options = options;
    this.table = new TransactionTable(options);
  }

  replay(record: CoordinatorRecord): void {
    this.table.replay(record);
  }

  /** What was decided before is decided: its markers are sent again, which does no harm where they are. */
  onLoaded(): void {
    for (const transaction of this.table.all()) {
      if (isPrepared(transaction)) this.#finish(transaction);
    }
  }

  onUnloaded(): void {
    this.#unloading.abort();
  }

  /** Decides what a transaction is from now on; once it is decided for good, it is seen to its end. */
  put(transaction: Transaction, decision: Decision): void {
    this.table.put(transaction, decision);
    if (!isPrepared(transaction)) return;
    decision.afterwards((errorCode) => {
      if (errorCode === errorCodes.NONE) this.#finish(transaction);
    });
  }

  /** Its partitions; once it is decided, those that have no marker yet. */
  unfinishedOf(transaction: Transaction): PartitionSet {
    return isPrepared(transaction)
      ? this.#options.channel.remainingOf(transaction, this.#unloading.signal)
      : transaction.partitions;
  }

  #finish(transaction: Transaction): void {
    const { channel, coordinatorEpoch, run } = this.#options;
    const { signal } = this.#unloading;
    void channel.send(transaction, { coordinatorEpoch, signal }).then((isComplete) => {
      if (!isComplete) return;
      run(
        (decision) => this.#complete(transaction, decision),
        () => this.#completeLater(transaction),
      );
    });
  }

  #complete(transaction: Transaction, decision: Decision): void {
    const { clock, channel } = this.#options;
    const { transactionalId, state, producerEpoch } = transaction;
    const present = this.table.get(transactionalId);
    const { signal } = this.#unloading;
    if (present?.state !== state || present.producerEpoch !== producerEpoch) {
      channel.forget(transaction, signal);
      return;
    }
    this.table.put(completed(present, BigInt(Math.floor(clock.nowMs()))), decision);
    decision.afterwards((errorCode) => {
      if (errorCode === errorCodes.NONE) channel.forget(transaction, signal);
      else this.#completeLater(transaction);
    });
  }

  #completeLater(transaction: Transaction): void {
    if (this.#unloading.signal.aborted) return;
    const key = `complete ${transaction.transactionalId}`;
    this.#options.timers.schedule(key, retryBackoffMs, (decision) =>
      this.#complete(transaction, decision),
    );
  }
}
