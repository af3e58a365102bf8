import { noLeaderEpoch } from '../protocol/records/recordBatch.ts';
import type { EpochEntry } from './checkpoints.ts';

/** Where an epoch ends; -1 and -1n: not known here. */
export interface EpochEndOffset {
  readonly leaderEpoch: number;
  readonly endOffset: bigint;
}

const unknown: EpochEndOffset = { leaderEpoch: -1, endOffset: -1n };

/**
 * Which leader epoch each stretch of the log was written under, in `leader-epoch-checkpoint`
 * [LeaderEpochFileCache; KIP-101, KIP-279]. Epochs and start offsets both rise.
 */
export class LeaderEpochCache {
  #entries: EpochEntry[];

  /** Entries that do not rise are dropped from where they begin. */
  constructor(entries: readonly EpochEntry[] = []) {
    this.#entries = [];
    for (const { epoch, startOffset } of entries) this.assign(epoch, startOffset);
  }

  get entries(): readonly EpochEntry[] {
    return this.#entries;
  }

  /** -1 where the log is empty or of unknown epochs. */
  get latestEpoch(): number {
    return this.#entries.at(-1)?.epoch ?? -1;
  }

  /**
   * Notes that `epoch` wrote at `startOffset`; entries that contradict it go. Answers whether anything
   * changed, so that the caller knows to write the file.
   */
  assign(epoch: number, startOffset: bigint): boolean {
    const last = this.#entries.at(-1);
    if (last?.epoch === epoch && startOffset >= last.startOffset) return false;
    this.#entries = this.#entries.filter(
      (entry) => entry.epoch < epoch && entry.startOffset < startOffset,
    );
    this.#entries.push({ epoch, startOffset });
    return true;
  }

  clear(): void {
    this.#entries = [];
  }

  /** Forgets epochs that begin at or past the new end of the log. */
  truncateFromEnd(endOffset: bigint): boolean {
    const kept = this.#entries.filter((entry) => entry.startOffset < endOffset);
    const changed = kept.length !== this.#entries.length;
    this.#entries = kept;
    return changed;
  }

  /** Forgets epochs that end before the new start of the log; the one that contains it now begins there. */
  truncateFromStart(startOffset: bigint): boolean {
    const firstKept = this.#entries.findIndex((entry) => entry.startOffset > startOffset);
    const gone = this.#entries.slice(0, firstKept === -1 ? undefined : firstKept);
    const straddling = gone.at(-1);
    if (straddling === undefined || (gone.length === 1 && straddling.startOffset === startOffset))
      return false;
    this.#entries.splice(0, gone.length, { epoch: straddling.epoch, startOffset });
    return true;
  }

  /** -1 where the offset is older than every known epoch. */
  epochForOffset(offset: bigint): number {
    return this.#entries.findLast((entry) => entry.startOffset <= offset)?.epoch ?? -1;
  }

  /** The answer to OffsetForLeaderEpoch [LeaderEpochFileCache.endOffsetFor]. */
  endOffsetFor(requestedEpoch: number, logEndOffset: bigint): EpochEndOffset {
    if (requestedEpoch === noLeaderEpoch) return unknown;
    if (requestedEpoch === this.latestEpoch)
      return { leaderEpoch: requestedEpoch, endOffset: logEndOffset };
    const next = this.#entries.find((entry) => entry.epoch > requestedEpoch);
    if (next === undefined) return unknown;
    const floor = this.#entries.findLast((entry) => entry.epoch <= requestedEpoch);
    return { leaderEpoch: floor?.epoch ?? requestedEpoch, endOffset: next.startOffset };
  }
}
