import type { Logger } from '../../base/logger.ts';
import type { CoordinatorRecord } from '../ports.ts';
import type { Decision } from '../runtime/decision.ts';
import { type Timeline, TimelineMap } from '../runtime/timeline.ts';
import {
  decodeTransactionRecord,
  transactionRecord,
  transactionTombstone,
} from './transactionRecords.ts';
import type { Transaction } from './transactionState.ts';

interface TransactionTableOptions {
  readonly timeline: Timeline;
  readonly logger: Logger;
  /** The level of the cluster's feature transaction.version. */
  readonly transactionVersion: () => number;
}

/** The transactional ids of one partition of `__transaction_state`. */
export class TransactionTable {
  readonly #logger: Logger;
  readonly #transactionVersion: () => number;
  readonly #transactions: TimelineMap<string, Transaction>;

  constructor({ timeline, logger, transactionVersion }: TransactionTableOptions) {
    this.#logger = logger;
    this.#transactionVersion = transactionVersion;
    this.#transactions = new TimelineMap(timeline);
  }

  get(transactionalId: string): Transaction | undefined {
    return this.#transactions.get(transactionalId);
  }

  getCommitted(transactionalId: string): Transaction | undefined {
    return this.#transactions.getCommitted(transactionalId);
  }

  all(): Transaction[] {
    return this.#transactions.values();
  }

  allCommitted(): Transaction[] {
    return this.#transactions.committedValues();
  }

  /** Applies a record. Those of other releases' record types are skipped. */
  replay(record: CoordinatorRecord): void {
    const decoded = decodeTransactionRecord(record);
    if (decoded.type === 'transaction') {
      this.#transactions.set(decoded.transactionalId, decoded.transaction ?? undefined);
    } else {
      this.#logger.debug(`skipped a coordinator record of type ${decoded.recordType}`);
    }
  }

  /** Decides what a transaction is from now on. */
  put(transaction: Transaction, decision: Decision): void {
    decision.append(transactionRecord(transaction, this.#transactionVersion()));
    // The last epoch is in no record, so that replaying alone cannot know it. Nor does Kafka after a restart.
    this.#transactions.set(transaction.transactionalId, transaction);
  }

  forget(transactionalId: string, decision: Decision): void {
    decision.append(transactionTombstone(transactionalId));
  }
}
