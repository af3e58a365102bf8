import type { BatchHeader } from '../protocol/records/recordBatch.ts';
import type { AppendOptions, AppendOrigin } from './logTypes.ts';
import {
  type BatchMetadata,
  firstSequence,
  lastSequence,
  newProducer,
  type ProducerEntry,
  withBatch,
  withMarker,
} from './producerEntry.ts';
import { StorageError } from './storageError.ts';
import type { TransactionMarker } from './transactionMarker.ts';
import type { AbortedTransactionEntry } from './transactionIndex.ts';
import {
  isUsedUp,
  type Verification,
  type VerificationGuard,
  type VerificationRequest,
  Verifications,
  type VerificationUse,
} from './transactionVerification.ts';

type TransactionStep =
  | { readonly kind: 'start'; readonly producerId: bigint; readonly firstOffset: bigint }
  | {
      readonly kind: 'end';
      readonly producerId: bigint;
      readonly firstOffset: bigint;
      readonly lastOffset: bigint;
      readonly isAborted: boolean;
    };

/**
 * Who wrote to a partition and what was last: what makes retries idempotent and transactions visible
 * [ProducerStateManager]. Appends go through `stage()`, so that a write that fails changes nothing.
 */
export class ProducerState {
  #producers = new Map<bigint, ProducerEntry>();
  /** Open transactions by first offset, which rises with every start. */
  #ongoing = new Map<bigint, bigint>();
  /** Ended transactions whose end the high watermark has not passed: first offset to last offset. */
  #unreplicated = new Map<bigint, bigint>();
  readonly #verifications = new Verifications();

  get size(): number {
    return this.#producers.size;
  }

  get entries(): ProducerEntry[] {
    return [...this.#producers.values()];
  }

  get(producerId: bigint): ProducerEntry | undefined {
    return this.#producers.get(producerId);
  }

  /** Where the earliest transaction begins that is open, or not known to be replicated. */
  get firstUnstableOffset(): bigint | undefined {
    let first: bigint | undefined;
    for (const offset of [...this.#ongoing.keys(), ...this.#unreplicated.keys()])
      if (first === undefined || offset < first) first = offset;
    return first;
  }

  /** Replaces everything by a snapshot's entries, without those that have expired. */
  load(entries: readonly ProducerEntry[], expiry: ProducerExpiry): void {
    this.clear();
    for (const entry of entries)
      if (!isExpired(entry, expiry)) this.#producers.set(entry.producerId, entry);
    const open = entries.flatMap(({ producerId, transactionFirstOffset }) =>
      transactionFirstOffset === undefined ? [] : [{ producerId, transactionFirstOffset }],
    );
    open.sort((a, b) => (a.transactionFirstOffset < b.transactionFirstOffset ? -1 : 1));
    for (const { producerId, transactionFirstOffset } of open)
      this.#ongoing.set(transactionFirstOffset, producerId);
  }

  clear(): void {
    this.#producers.clear();
    this.#ongoing.clear();
    this.#unreplicated.clear();
  }

  /** Forgets producers that have been silent for producer.id.expiration.ms and have nothing open. */
  removeExpired(expiry: ProducerExpiry): void {
    for (const entry of this.#producers.values())
      if (isExpired(entry, expiry)) this.#producers.delete(entry.producerId);
    this.#verifications.removeOlderThan(expiry.nowMs - expiry.expirationMs);
  }

  /** [UnifiedLog.maybeStartTransactionVerification] */
  startVerification(request: VerificationRequest): VerificationGuard | undefined {
    const entry = this.#producers.get(request.producerId);
    if (entry !== undefined) checkEpoch(entry, request);
    if (entry !== undefined && hasOngoing(entry, request)) return undefined;
    return this.#verifications.start(request);
  }

  onHighWatermark(highWatermark: bigint): void {
    for (const [first, last] of this.#unreplicated)
      if (last < highWatermark) this.#unreplicated.delete(first);
  }

  /** Begins a set of appends that become visible together, with `commit`, or not at all. */
  stage(): StagedProducers {
    return new StagedProducers(this.#producers, this.#verifications, (staged) => {
      for (const entry of staged.entries) this.#producers.set(entry.producerId, entry);
      for (const use of staged.used) this.#verifications.end(use);
      return staged.steps.flatMap((step) => this.#takeStep(step));
    });
  }

  #takeStep(step: TransactionStep): AbortedTransactionEntry[] {
    const { producerId, firstOffset } = step;
    if (step.kind === 'start') {
      this.#ongoing.set(firstOffset, producerId);
      return [];
    }
    this.#ongoing.delete(firstOffset);
    this.#unreplicated.set(firstOffset, step.lastOffset);
    if (!step.isAborted) return [];
    const [nextOpen] = this.#ongoing.keys();
    const lastStableOffset = nextOpen ?? step.lastOffset + 1n;
    return [{ producerId, firstOffset, lastOffset: step.lastOffset, lastStableOffset }];
  }
}

export interface ProducerExpiry {
  readonly nowMs: number;
  /** producer.id.expiration.ms */
  readonly expirationMs: number;
}

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

function isExpired(entry: ProducerEntry, { nowMs, expirationMs }: ProducerExpiry): boolean {
  if (entry.transactionFirstOffset !== undefined) return false;
  return nowMs - Number(entry.lastTimestamp) >= expirationMs;
}

type ProducerAndEpoch = Pick<BatchHeader, 'producerId' | 'producerEpoch'>;

function hasOngoing(entry: ProducerEntry, { producerEpoch }: ProducerAndEpoch): boolean {
  return entry.transactionFirstOffset !== undefined && entry.producerEpoch === producerEpoch;
}

/** A guard holds only while the verification that it is of does: a marker in between ends it. */
function checkVerified(
  { producerId }: ProducerAndEpoch,
  given: VerificationGuard | undefined,
  expected: VerificationGuard | undefined,
): void {
  if (given !== undefined && given === expected) return;
  throw new StorageError(
    'INVALID_TXN_STATE',
    `Record was not part of an ongoing transaction: the coordinator was not asked about producer ${producerId}`,
  );
}

function checkEpoch(entry: ProducerEntry, header: ProducerAndEpoch): void {
  if (header.producerEpoch >= entry.producerEpoch) return;
  throw new StorageError(
    'INVALID_PRODUCER_EPOCH',
    `producer ${entry.producerId} wrote with epoch ${header.producerEpoch}, but epoch ${entry.producerEpoch} has written since`,
  );
}

function checkSequence(entry: ProducerEntry, header: BatchHeader): void {
  // Nothing is known of the producer (expired, or its records are deleted): any sequence may follow.
  if (entry.producerEpoch < 0) return;
  const isNewEpoch = header.producerEpoch !== entry.producerEpoch;
  const last = isNewEpoch ? -1 : lastSequence(entry);
  const expected = last === 2 ** 31 - 1 ? 0 : last + 1;
  if (header.baseSequence === expected) return;
  throw new StorageError(
    'OUT_OF_ORDER_SEQUENCE_NUMBER',
    `producer ${entry.producerId} sent sequence ${header.baseSequence} where ${expected} comes next` +
      (isNewEpoch ? ` in its new epoch ${header.producerEpoch}` : ''),
  );
}

function checkMarker(entry: ProducerEntry, header: BatchHeader, marker: TransactionMarker): void {
  // With transactions v2 each one has an epoch of its own, so an equal epoch is stale, except where the
  // transaction is already over and the marker is a retry (KAFKA-19999).
  const isRetry =
    header.producerEpoch === entry.producerEpoch &&
    (entry.transactionFirstOffset === undefined || header.producerEpoch === 32_767);
  const isStale =
    marker.transactionVersion >= 2
      ? header.producerEpoch <= entry.producerEpoch && !isRetry
      : header.producerEpoch < entry.producerEpoch;
  if (isStale)
    throw new StorageError(
      'INVALID_PRODUCER_EPOCH',
      `a marker with epoch ${header.producerEpoch} came for producer ${entry.producerId}, which is at epoch ${entry.producerEpoch}`,
    );
  if (marker.coordinatorEpoch < entry.coordinatorEpoch)
    throw new StorageError(
      'TRANSACTION_COORDINATOR_FENCED',
      `a marker came from coordinator epoch ${marker.coordinatorEpoch}, but ${entry.coordinatorEpoch} has been here since`,
    );
}
