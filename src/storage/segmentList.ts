import { defined } from '../base/assert.ts';
import type { Segment } from './segment.ts';

/** The segments of a log by base offset: never empty, the last one is written to. */
export class SegmentList {
  #segments: readonly Segment[];
  #changes = 0;
  #moving: Promise<unknown> = Promise.resolve();

  constructor(segments: readonly Segment[]) {
    this.#segments = segments;
    this.active.setActive(true);
  }

  get all(): readonly Segment[] {
    return this.#segments;
  }

  get first(): Segment {
    return defined(this.#segments[0], 'the first segment');
  }

  get active(): Segment {
    return defined(this.#segments.at(-1), 'the active segment');
  }

  get sizeInBytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.size, 0);
  }

  /** Segments that may hold the offset or a later one. */
  from(offset: bigint): readonly Segment[] {
    return this.#segments.slice(Math.max(0, this.#floorIndex(offset)));
  }

  /** The segment whose range the offset is in; the first one for earlier offsets. */
  floor(offset: bigint): Segment {
    return this.#segments[this.#floorIndex(offset)] ?? this.first;
  }

  /** The base offset of the next segment, undefined for the active one. */
  endOf(segment: Segment): bigint | undefined {
    return this.#segments[this.#segments.indexOf(segment) + 1]?.baseOffset;
  }

  /** Rises whenever segments go or are replaced: what was found in them before may not fit together. */
  get changes(): number {
    return this.#changes;
  }

  /** Resolves when no files are being renamed. */
  async whenSettled(): Promise<void> {
    await this.#moving;
  }

  /** Runs `work`, which renames files; readers that find none wait for its end. */
  async moving<T>(work: () => Promise<T>): Promise<T> {
    const moved = work();
    this.#moving = moved.catch(() => undefined);
    return moved;
  }

  append(segment: Segment): void {
    this.active.setActive(false);
    this.#segments = [...this.#segments, segment];
    segment.setActive(true);
  }

  /** Keeps what `isKept` says, which must not be nothing; answers the rest. */
  remove(isKept: (segment: Segment) => boolean): Segment[] {
    const removed = this.#segments.filter((segment) => !isKept(segment));
    this.#changes++;
    this.#segments = this.#segments.filter(isKept);
    this.active.setActive(true);
    return removed;
  }

  /** Everything goes but one new, empty segment. */
  replaceAll(segment: Segment): Segment[] {
    const removed = [...this.#segments];
    this.#changes++;
    this.#segments = [segment];
    segment.setActive(true);
    return removed;
  }

  /** `replacements` take the place of `sources`, which are neighbours and not the active segment. */
  replace(sources: ReadonlySet<Segment>, replacements: readonly Segment[]): void {
    const at = this.#segments.findIndex((segment) => sources.has(segment));
    const kept = this.#segments.filter((segment) => !sources.has(segment));
    this.#segments = kept.toSpliced(at, 0, ...replacements);
    this.#changes++;
  }

  #floorIndex(offset: bigint): number {
    let low = 0;
    let high = this.#segments.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#segments[middle]?.baseOffset ?? 0n) > offset) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  }
}
