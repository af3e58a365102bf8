import { type BatchPart, type BatchPiece, countRows, type TailNote } from './keptBatch.ts';
import { rowBytes } from './tailStore.ts';
import { readPart } from './tailTimes.ts';

/** What a merge gives on, in its order. */
export interface MergedSink {
  addPiece(piece: BatchPiece): void;
  addNote(note: TailNote): void;
}

/** Fetched batches that wait for those of other partitions: in all, shared evenly. One answer may go beyond it. */
const waitingBytesMax = 32 * 1024 * 1024;
/** Runs of records that are given on in one go. */
const runsAtOnce = 2000;

/** What a partition has next: records from `skip` on, or a note. */
interface Waiting {
  readonly part: BatchPart;
  readonly times: readonly number[];
  skip: number;
}

interface Source {
  readonly partition: number;
  /** The next of them first; `taken` of them are gone. */
  queue: (Waiting | TailNote)[];
  taken: number;
  bytes: number;
  /** Nothing more of it is waited for. */
  isFinished: boolean;
}

/**
 * Puts what several partitions held when a tail began into the order of time, as one log of them all would have it:
 * of one partition the order of offsets stays, whatever its times are. What is without a time follows what is before
 * it, and at the same time the lower partition goes first. Each partition holds the others back until something of it
 * is here, or it is finished.
 */
export class BacklogMerge {
  readonly #sink: MergedSink;
  readonly #sources: ReadonlyMap<number, Source>;
  readonly #share: number;
  /** Those that have something, the one that goes next first. */
  #heads: Source[] = [];
  #missing: number;
  #decodedBytes = 0;

  constructor(partitions: readonly number[], sink: MergedSink) {
    this.#sink = sink;
    this.#sources = new Map(partitions.map((partition) => [partition, emptySource(partition)]));
    this.#share = waitingBytesMax / partitions.length;
    this.#missing = partitions.length;
  }

  /** All are finished, and everything was given on: from now on there is nothing to merge. */
  get isOver(): boolean {
    return this.#missing === 0 && this.#heads.length === 0;
  }

  /** Whether so much of a partition waits that no more should be fetched. */
  isFull(partition: number): boolean {
    return (this.#sources.get(partition)?.bytes ?? 0) > this.#share;
  }

  add(part: BatchPart): void {
    const rowCount = countRows(part);
    const source = this.#sources.get(part.partition);
    if (rowCount === 0 || !source) return;
    source.bytes += part.batch.bytes.length;
    const { times, unpackedBytes } = readPart(part, rowCount);
    this.#decodedBytes += unpackedBytes + rowCount * rowBytes;
    this.#push(source, { part, times, skip: 0 });
  }

  /** What all that was added takes once it is read. */
  get decodedBytes(): number {
    return this.#decodedBytes;
  }

  /** Gives on what waits as it is, one partition after the other: nothing is merged any more. */
  giveUp(): void {
    for (const { queue, taken } of this.#sources.values()) {
      for (const waiting of queue.slice(taken)) {
        if (!('part' in waiting)) this.#sink.addNote(waiting);
        else this.#sink.addPiece({ ...waiting, times: waiting.times.slice(waiting.skip) });
      }
    }
  }

  addNote(note: TailNote): void {
    const source = this.#sources.get(note.partition);
    if (source) this.#push(source, note);
  }

  /** What a partition held is all here, or cannot be had now: the others go on without it. */
  finish(partition: number): void {
    const source = this.#sources.get(partition);
    if (!source || source.isFinished) return;
    source.isFinished = true;
    if (isEmpty(source)) this.#missing--;
  }

  /** Gives on what can be, a limited number of runs at a time. True: there is more. */
  giveOn(): boolean {
    for (let runs = 0; this.#missing === 0 && this.#heads.length > 0; runs++) {
      if (runs === runsAtOnce) return true;
      this.#giveRun();
    }
    return false;
  }

  #push(source: Source, waiting: Waiting | TailNote): void {
    const wasEmpty = isEmpty(source);
    source.queue.push(waiting);
    if (!wasEmpty) return;
    if (!source.isFinished) this.#missing--;
    this.#putInPlace(source);
  }

  /** As much of the next batch as goes before what any other partition has. */
  #giveRun(): void {
    const source = this.#heads.shift();
    const next = source?.queue[source.taken];
    if (!source || !next) return;
    if (!('part' in next)) {
      this.#sink.addNote(next);
      takeFirst(source);
    } else {
      const { part, times, skip } = next;
      let end = skip + 1;
      const [other] = this.#heads;
      while (end < times.length && (!other || goesBefore(source, times[end], other))) end++;
      this.#sink.addPiece({ part, skip, times: times.slice(skip, end) });
      next.skip = end;
      if (end === times.length) {
        source.bytes -= part.batch.bytes.length;
        takeFirst(source);
      }
    }
    if (!isEmpty(source)) this.#putInPlace(source);
    else if (!source.isFinished) this.#missing++;
  }

  #putInPlace(source: Source): void {
    const time = headTime(source);
    let low = 0;
    let high = this.#heads.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#heads[middle];
      if (other && goesBefore(source, time, other)) high = middle;
      else low = middle + 1;
    }
    this.#heads.splice(low, 0, source);
  }
}

function emptySource(partition: number): Source {
  return { partition, queue: [], taken: 0, bytes: 0, isFinished: false };
}

function isEmpty({ queue, taken }: Source): boolean {
  return taken === queue.length;
}

/** Gives the room of those that are gone back now and then: to move the others each time would cost their square. */
function takeFirst(source: Source): void {
  source.taken++;
  if (source.taken < 64 && source.taken < source.queue.length) return;
  source.queue = source.queue.slice(source.taken);
  source.taken = 0;
}

function goesBefore({ partition }: Source, time: number | undefined, other: Source): boolean {
  const [mine, others] = [orderOf(time), headTime(other)];
  return mine < others || (mine === others && partition < other.partition);
}

function headTime({ queue, taken }: Source): number {
  const head = queue[taken];
  return head && 'part' in head ? orderOf(head.times[head.skip]) : -Infinity;
}

/** What has no time does not wait. */
function orderOf(time: number | undefined): number {
  return time === undefined || Number.isNaN(time) ? -Infinity : time;
}
