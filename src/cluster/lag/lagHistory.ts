import type { IsolationLevel } from '../../client/admin/listOffsets.ts';
import { PartitionMap, type TopicPartition } from '../../client/partitionMap.ts';
import { lagOf, type LagPosition, totalsOf } from './lagFigures.ts';

/** How long a history reaches back at most. */
export const historyMs = 60 * 60_000;
/** Every sample is kept for so long; older ones only so far apart. */
const fineMs = 5 * 60_000;
const coarseStepMs = 20_000;
/** Thinning walks over everything, so not after every sample. */
const samplesBetweenThinnings = 16;
/** More partitions than these have no history each, only one together: about 8 KB a partition. */
const mostTracks = 1000;
/** Rates are those of so long, as consumers commit every few seconds and not with each record. */
const rateMs = 10_000;
/** Over less than this the time of the requests would be measured. */
const shortestRateMs = 400;
/** Between samples further apart than this nothing is said of what was in between. */
const longestStepMs = 60_000;

interface Point {
  readonly atMs: number;
  readonly lag: Readonly<Record<IsolationLevel, bigint | null>>;
  /** Null: not known. */
  readonly end: bigint | null;
  /** How far the group had come. */
  readonly position: bigint | null;
}

export interface Rates {
  /** Offsets a second by which the end moved; null: not known. */
  readonly produced: number | null;
  /** Offsets a second by which the commits moved. */
  readonly consumed: number | null;
}

export interface LagPoint extends Rates {
  readonly atMs: number;
  readonly lag: bigint | null;
}

/** What was seen of a group's lag, bounded in time and in size. */
export class LagHistory {
  #tracks = new PartitionMap<Point[]>();
  #totals: Point[] = [];
  #last = new PartitionMap<LagPosition>();
  #sinceThinning = 0;

  /** Adds a reading; times must not go back. */
  add(atMs: number, positions: readonly LagPosition[]): void {
    const isTracked = positions.length <= mostTracks;
    const tracks = new PartitionMap<Point[]>();
    for (const position of isTracked ? positions : []) {
      const { topic, partition } = position;
      const track = this.#tracks.get(topic, partition) ?? [];
      track.push(pointOf(atMs, position));
      tracks.set(topic, partition, track);
    }
    this.#tracks = tracks;
    this.#totals.push(this.#totalPoint(atMs, positions));
    this.#last = new PartitionMap();
    for (const of of positions) this.#last.set(of.topic, of.partition, of);
    if (++this.#sinceThinning < samplesBetweenThinnings) return;
    this.#sinceThinning = 0;
    this.#totals = thinned(this.#totals, atMs);
    for (const { topic, partition, value } of [...tracks]) {
      tracks.set(topic, partition, thinned(value, atMs));
    }
  }

  /** Rates at the last sample: of a partition, or of all together. */
  rates(of?: TopicPartition): Rates {
    const track = this.#track(of);
    return ratesAt(track, track.length - 1);
  }

  /** What was seen since then, the oldest first: of a partition, or of all together. */
  since(atMs: number, isolation: IsolationLevel, of?: TopicPartition): LagPoint[] {
    const track = this.#track(of);
    return track.flatMap((point, index) =>
      point.atMs < atMs
        ? []
        : [{ atMs: point.atMs, lag: point.lag[isolation], ...ratesAt(track, index) }],
    );
  }

  /**
   * When the record at an offset was appended: between the last sample whose end had not passed it and the
   * first whose end had, at an even rate. Undefined where that was not seen.
   */
  appendedAtMs(of: TopicPartition, offset: bigint): number | undefined {
    const track = this.#track(of);
    for (let index = track.length - 1; index > 0; index--) {
      const [before, after] = [track[index - 1], track[index]];
      if (!before || !after || before.end === null || after.end === null) return undefined;
      if (before.end > offset) continue;
      const stepMs = after.atMs - before.atMs;
      if (after.end <= offset || stepMs > longestStepMs) return undefined;
      const share = Number(offset + 1n - before.end) / Number(after.end - before.end);
      return before.atMs + stepMs * share;
    }
    return undefined;
  }

  #track(of: TopicPartition | undefined): readonly Point[] {
    return of ? (this.#tracks.get(of.topic, of.partition) ?? []) : this.#totals;
  }

  /**
   * All together. Ends and positions add up what moved, and are no sums: a partition that is new or gone, or a
   * group that was reset, is no production and no consumption.
   */
  #totalPoint(atMs: number, positions: readonly LagPosition[]): Point {
    const before = this.#totals.at(-1);
    let end = before?.end ?? 0n;
    let position = before?.position ?? 0n;
    for (const now of positions) {
      const then = this.#last.get(now.topic, now.partition);
      if (!then) continue;
      end += forward(endIn(then), endIn(now));
      position += forward(then.committed, now.committed);
    }
    const lagAt = (isolation: IsolationLevel): bigint | null =>
      totalsOf(positions, isolation).total;
    const lag = {
      read_uncommitted: lagAt('read_uncommitted'),
      read_committed: lagAt('read_committed'),
    };
    return { atMs, lag, end, position };
  }
}

function pointOf(atMs: number, position: LagPosition): Point {
  return {
    atMs,
    lag: {
      read_uncommitted: lagOf(position, 'read_uncommitted'),
      read_committed: lagOf(position, 'read_committed'),
    },
    end: endIn(position),
    position: position.committed,
  };
}

function endIn({ offsets }: LagPosition): bigint | null {
  return 'problem' in offsets ? null : offsets.value.highWatermark;
}

function forward(from: bigint | null, to: bigint | null): bigint {
  return from === null || to === null || to < from ? 0n : to - from;
}

/** Over the last seconds before a sample, or less where nobody looked before. */
function ratesAt(track: readonly Point[], index: number): Rates {
  const now = track[index];
  const sinceMs = (of: Point | undefined, earlier: number): number =>
    (of?.atMs ?? 0) - (track[earlier]?.atMs ?? 0);
  let first = index - 1;
  while (first > 0 && sinceMs(now, first) < rateMs) {
    if (sinceMs(track[first], first - 1) > longestStepMs) break;
    first--;
  }
  const then = track[first];
  const none = { produced: null, consumed: null };
  const ms = sinceMs(now, first);
  if (!now || !then || ms > longestStepMs || ms < shortestRateMs) return none;
  const seconds = ms / 1000;
  return {
    produced: rate(then.end, now.end, seconds),
    consumed: rate(then.position, now.position, seconds),
  };
}

/** Null where it went back: a topic made anew, a group that was reset. */
function rate(from: bigint | null, to: bigint | null, seconds: number): number | null {
  if (from === null || to === null || to < from) return null;
  return Number(to - from) / seconds;
}

function thinned(track: readonly Point[], nowMs: number): Point[] {
  let lastMs = -Infinity;
  return track.filter(({ atMs }) => {
    const ageMs = nowMs - atMs;
    if (ageMs > historyMs || (ageMs > fineMs && atMs - lastMs < coarseStepMs)) return false;
    lastMs = atMs;
    return true;
  });
}
