import { setImmediate as nextTurn } from 'node:timers/promises';
import { BacklogMerge, type MergedSink } from './backlogMerge.ts';
import type { BatchPart, TailNote } from './keptBatch.ts';
import { decodedPieces } from './tailStore.ts';
import { offsetsIn, type TailRange } from './tailStart.ts';

interface BacklogSink extends MergedSink {
  add(part: BatchPart): void;
}

/** A row of its own for each record is too much for more than this: those come as they are read. */
const offsetsMax = 100_000n;

/**
 * What was there when a tail began: where there is little enough of it, in the order of time over all partitions. What
 * comes after it is passed on as it comes.
 */
export class TailBacklog {
  readonly #sink: BacklogSink;
  #merge: BacklogMerge | undefined;
  readonly #bytesMax: number;
  #isUnordered = false;
  /** Partitions that are not read further for now. */
  readonly #heldUp = new Set<number>();

  /**
   * More than `bytesMax` a store does not keep at hand: batches that take turns would be unpacked for every few rows.
   */
  constructor(
    ranges: readonly TailRange[],
    sink: BacklogSink,
    bytesMax: number = decodedPieces.bytes,
  ) {
    this.#sink = sink;
    this.#bytesMax = bytesMax;
    const filled = ranges.filter((range) => offsetsIn(range) > 0n);
    const offsets = filled.reduce((sum, range) => sum + offsetsIn(range), 0n);
    if (filled.length < 2) return;
    this.#isUnordered = offsets > offsetsMax;
    if (this.#isUnordered) return;
    const partitions = ranges.map(({ partition }) => partition);
    this.#merge = new BacklogMerge(partitions, sink);
    for (const range of ranges) if (!filled.includes(range)) this.finish(range.partition);
  }

  /** There is too much of it to be put in the order of time: it comes partition by partition. */
  get isUnordered(): boolean {
    return this.#isUnordered;
  }

  get isOver(): boolean {
    return this.#merge === undefined;
  }

  add(part: BatchPart): void {
    (this.#merge ?? this.#sink).add(part);
    if (!this.#merge || this.#merge.decodedBytes <= this.#bytesMax) return;
    this.#merge.giveUp();
    this.#merge = undefined;
    this.#isUnordered = true;
  }

  addNote(note: TailNote): void {
    (this.#merge ?? this.#sink).addNote(note);
  }

  /** It has been read as far as it goes, or cannot be now. */
  finish(partition: number): void {
    this.#merge?.finish(partition);
  }

  /** Whether the partition must not be read further until `takeDrained` names it. */
  holdsUp(partition: number): boolean {
    const isFull = this.#merge?.isFull(partition) ?? false;
    if (isFull) this.#heldUp.add(partition);
    return isFull;
  }

  /** Those that were held up and need not be any more. */
  takeDrained(): number[] {
    const drained = [...this.#heldUp].filter((partition) => !this.#merge?.isFull(partition));
    for (const partition of drained) this.#heldUp.delete(partition);
    return drained;
  }

  /** Gives on what can be, and lets others go on meanwhile. */
  async giveOn(): Promise<void> {
    while (this.#merge?.giveOn()) await nextTurn();
    if (this.#merge?.isOver) this.#merge = undefined;
  }
}
