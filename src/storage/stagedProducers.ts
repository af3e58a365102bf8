import type { BatchHeader } from '../protocol/records/recordBatch.ts';
import type { AppendOptions, AppendOrigin } from './logTypes.ts';
import {
  type BatchMetadata,
  firstSequence,
  newProducer,
  type ProducerEntry,
  withBatch,
  withMarker,
} from './producerEntry.ts';
import {
  checkEpoch,
  checkMarker,
  checkSequence,
  checkVerified,
  hasOngoing,
} from './producerChecks.ts';
import { StorageError } from './storageError.ts';
import type { TransactionMarker } from './transactionMarker.ts';
import type { AbortedTransactionEntry } from './transactionIndex.ts';
import {
  isUsedUp,
  type Verification,
  type Verifications,
  type VerificationUse,
} from './transactionVerification.ts';

export type TransactionStep =
  | { readonly kind: 'start'; readonly producerId: bigint; readonly firstOffset: bigint }
  | {
      readonly kind: 'end';
      readonly producerId: bigint;
      readonly firstOffset: bigint;
      readonly lastOffset: bigint;
      readonly isAborted: boolean;
    };

interface StagedChanges {
  readonly entries: Iterable<ProducerEntry>;
  readonly steps: readonly TransactionStep[];
  /** Verifications that the appends use up. */
  readonly used: Iterable<VerificationUse>;
}

/** Appends that are decided but not yet written. */
export class StagedProducers {
  readonly #committed: ReadonlyMap<bigint, ProducerEntry>;
  readonly #changed = new Map<bigint, ProducerEntry>();
  readonly #steps: TransactionStep[] = [];
  readonly #verifications: Verifications;
  readonly #used = new Map<bigint, VerificationUse>();
  readonly #commit: (changes: StagedChanges) => AbortedTransactionEntry[];

  constructor(
    committed: ReadonlyMap<bigint, ProducerEntry>,
    verifications: Verifications,
    commit: (changes: StagedChanges) => AbortedTransactionEntry[],
  ) {
    this.#committed = committed;
    this.#verifications = verifications;
    this.#commit = commit;
  }

  /** The remembered batch that this one repeats, sequence for sequence. */
  findDuplicate(header: BatchHeader): BatchMetadata | undefined {
    const entry = this.#get(header.producerId);
    if (entry?.producerEpoch !== header.producerEpoch) return undefined;
    return entry.batches.find(
      (batch) =>
        batch.lastSequence === header.lastSequence && firstSequence(batch) === header.baseSequence,
    );
  }

  /**
   * Takes a batch of data whose offsets are assigned. Throws INVALID_PRODUCER_EPOCH,
   * OUT_OF_ORDER_SEQUENCE_NUMBER or INVALID_TXN_STATE, and then has changed nothing
   * [ProducerAppendInfo.appendDataBatch].
   */
  appendData(
    header: BatchHeader,
    origin: AppendOrigin,
    required?: AppendOptions['verification'],
  ): void {
    const entry = this.#get(header.producerId) ?? newProducer(header.producerId);
    const verification = this.#verification(header.producerId);
    if (origin !== 'replication') checkEpoch(entry, header);
    if (required !== undefined && header.isTransactional && !hasOngoing(entry, header))
      checkVerified(header, required.guard, verification?.guard);
    if (origin === 'client') {
      verification?.checkSequence(header, entry.batches.length > 0);
      checkSequence(entry, header);
    }
    const breaksTransaction = entry.transactionFirstOffset !== undefined && !header.isTransactional;
    if (origin !== 'replication' && breaksTransaction)
      throw new StorageError(
        'INVALID_TXN_STATE',
        `producer ${entry.producerId} has an open transaction, but this batch is not part of one`,
      );
    let next = withBatch(entry, header.producerEpoch, {
      lastSequence: header.lastSequence,
      lastOffset: header.lastOffset,
      offsetDelta: header.lastOffsetDelta,
      timestamp: header.maxTimestamp,
    });
    if (header.isTransactional && entry.transactionFirstOffset === undefined) {
      const { producerId } = entry;
      next = { ...next, transactionFirstOffset: header.baseOffset };
      this.#steps.push({ kind: 'start', producerId, firstOffset: header.baseOffset });
    }
    this.#changed.set(entry.producerId, next);
    if (header.isTransactional && verification)
      this.#used.set(entry.producerId, { producerId: entry.producerId, verification });
  }

  /**
   * Takes the marker that ends a transaction. Throws INVALID_PRODUCER_EPOCH or
   * TRANSACTION_COORDINATOR_FENCED, and then has changed nothing [ProducerAppendInfo.appendEndTxnMarker].
   */
  appendMarker(header: BatchHeader, marker: TransactionMarker, origin: AppendOrigin): void {
    const entry = this.#get(header.producerId) ?? newProducer(header.producerId);
    if (origin !== 'replication') checkMarker(entry, header, marker);
    if (entry.transactionFirstOffset !== undefined)
      this.#steps.push({
        kind: 'end',
        producerId: entry.producerId,
        firstOffset: entry.transactionFirstOffset,
        lastOffset: header.baseOffset,
        isAborted: marker.isAbort,
      });
    const { producerEpoch, maxTimestamp: timestamp } = header;
    const { coordinatorEpoch } = marker;
    this.#changed.set(
      entry.producerId,
      withMarker(entry, { producerEpoch, coordinatorEpoch, timestamp }),
    );
    const { producerId } = entry;
    const verification = this.#verification(producerId);
    if (verification)
      this.#used.set(producerId, { producerId, verification, markerEpoch: producerEpoch });
  }

  /** Makes everything staged the state; answers the transactions that were aborted. */
  commit(): AbortedTransactionEntry[] {
    const entries = this.#changed.values();
    return this.#commit({ entries, steps: this.#steps, used: this.#used.values() });
  }

  #verification(producerId: bigint): Verification | undefined {
    const present = this.#verifications.get(producerId);
    const use = this.#used.get(producerId);
    return use && use.verification === present && isUsedUp(use) ? undefined : present;
  }

  #get(producerId: bigint): ProducerEntry | undefined {
    return this.#changed.get(producerId) ?? this.#committed.get(producerId);
  }
}
