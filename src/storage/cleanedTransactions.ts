import type { RecordBatch } from '../protocol/records/recordBatch.ts';
import type { AbortedTransactionEntry } from './transactionIndex.ts';
import { readTransactionMarker } from './transactionMarker.ts';

interface OngoingAbort {
  readonly entry: AbortedTransactionEntry;
  hasData: boolean;
}

/** What is known of a control batch once it has been met. */
export interface MetMarker {
  /** Nothing of its transaction is left before it. */
  readonly canDiscard: boolean;
  /** The transaction goes into the new segment's transaction index. */
  readonly aborted?: AbortedTransactionEntry;
}

/**
 * Which transactions are open while a log is read from its beginning, and which of them were aborted
 * [CleanedTransactionMetadata]. Batches must be shown in the order of their offsets.
 */
export class CleanedTransactions {
  readonly #committed = new Set<bigint>();
  readonly #aborted = new Map<bigint, OngoingAbort>();
  /** Aborted transactions that begin further on, the nearest last. */
  #ahead: AbortedTransactionEntry[] = [];

  /** Tells of aborted transactions before their batches are shown; one may be told of twice. */
  announce(entries: readonly AbortedTransactionEntry[]): void {
    if (entries.length === 0) return;
    this.#ahead = [...this.#ahead, ...entries].sort((a, b) =>
      a.firstOffset > b.firstOffset ? -1 : 1,
    );
  }

  /** Answers whether the batch belongs to an aborted transaction. */
  meetData({ header }: RecordBatch): boolean {
    this.#beginUpTo(header.lastOffset);
    if (!header.isTransactional) return false;
    const abort = this.#aborted.get(header.producerId);
    if (abort === undefined) {
      this.#committed.add(header.producerId);
      return false;
    }
    abort.hasData = true;
    return true;
  }

  meetControl(batch: RecordBatch): MetMarker {
    const { lastOffset, producerId, recordCount } = batch.header;
    this.#beginUpTo(lastOffset);
    // It was emptied by an earlier cleaning.
    if (recordCount === 0) return { canDiscard: true };
    const marker = readTransactionMarker(batch);
    if (marker === undefined) return { canDiscard: false };
    if (!marker.isAbort) return { canDiscard: !this.#committed.delete(producerId) };
    const abort = this.#aborted.get(producerId);
    this.#aborted.delete(producerId);
    return abort?.hasData === true
      ? { canDiscard: false, aborted: abort.entry }
      : { canDiscard: true };
  }

  #beginUpTo(offset: bigint): void {
    for (;;) {
      const entry = this.#ahead.at(-1);
      if (entry === undefined || entry.firstOffset > offset) return;
      this.#ahead.pop();
      if (!this.#aborted.has(entry.producerId))
        this.#aborted.set(entry.producerId, { entry, hasData: false });
    }
  }
}
