import type { ProducerEntry } from './producerEntry.ts';
import { checkEpoch, hasOngoing } from './producerChecks.ts';
import { StagedProducers, type TransactionStep } from './stagedProducers.ts';
import type { AbortedTransactionEntry } from './transactionIndex.ts';
import {
  type VerificationGuard,
  type VerificationRequest,
  Verifications,
} from './transactionVerification.ts';

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

function isExpired(entry: ProducerEntry, { nowMs, expirationMs }: ProducerExpiry): boolean {
  if (entry.transactionFirstOffset !== undefined) return false;
  return nowMs - Number(entry.lastTimestamp) >= expirationMs;
}
