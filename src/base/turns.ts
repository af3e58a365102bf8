import { Queue } from './queue.ts';

/**
 * Work whose size others decide, cut into steps that are each short. At every `yield` somebody else may be served,
 * and what the work reads may change.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Whether work is still to be done, where it may also be done or on its way. */
export function isSteps<T>(work: T | Promise<T> | Steps<T>): work is Steps<T> {
  return typeof work === 'object' && work !== null && Symbol.iterator in work && 'next' in work;
}

/** The longest that work in steps holds the thread, all of it together, before whatever else waits gets its turn. */
export const longestTurnMs = 10;
/** Of a turn each piece of work gets this long at a time, so that short ones do not wait for long ones. */
const sliceMs = 2;

/**
 * Long work that goes on at the same time. The rest waits, so that not all of it is half done, and in memory, at once.
 */
const longAtOnce = 4;
/** Between two looks at the clock, which cost more than many a step. */
const stepsAtOnce = 8;

/** Does work in turns with that of others. */
export type InTurns = <T>(steps: Steps<T>) => Promise<T>;

interface TurnOptions {
  /** Told the time that the work took, bit by bit. */
  readonly onSpent?: (ms: number) => void;
  /** Work that was done in turns goes on with this: it does not wait behind what others have not begun. */
  readonly goesOn?: boolean;
  /** Once it aborts, the work ends where it is when its turn comes, and rejects with the reason. */
  readonly signal?: AbortSignal;
}

interface Job {
  /** Goes on until the work is done, which it answers, or the time has come. */
  readonly advance: (untilMs: number) => boolean;
  readonly onSpent: ((ms: number) => void) | undefined;
}

/** The thread, shared out between all work that is done in steps. */
export class Turns {
  readonly #nowMs: () => number;
  /** Had no time yet. */
  readonly #fresh = new Queue<Job>();
  /** Were not done in the first time that they had, and did not go on yet. */
  readonly #long = new Queue<Job>();
  /** Those of them that take turns, the next one last. */
  readonly #going: Job[] = [];
  /** Go on with what was done in turns, and had no time yet. */
  readonly #goingOn = new Queue<Job>();
  #leftMs = longestTurnMs;
  #isScheduled = false;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Begins at once, as far as this turn goes. Rejects with what the work throws. */
  run<T>(steps: Steps<T>, { onSpent, goesOn = false, signal }: TurnOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const advance = (untilMs: number): boolean => {
        try {
          signal?.throwIfAborted();
          for (let step = 1; ; step++) {
            const { done, value } = steps.next();
            if (done === true) {
              resolve(value);
              return true;
            }
            if (step % stepsAtOnce === 0 && this.#nowMs() >= untilMs) return false;
          }
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
          return true;
        }
      };
      const job: Job = { advance, onSpent };
      this.#schedule();
      const isNext = !this.#isBusy && this.#leftMs > 0;
      if (isNext && this.#serve(job)) return;
      if (goesOn) this.#goingOn.push(job);
      else if (isNext) this.#long.push(job);
      else this.#fresh.push(job);
    });
  }

  /** Counts time that work took between its steps, which nothing else could know of. */
  spend(ms: number): void {
    this.#schedule();
    this.#leftMs -= ms;
  }

  get nowMs(): number {
    return this.#nowMs();
  }

  /** Answers whether the job is done. */
  #serve({ advance, onSpent }: Job): boolean {
    this.#schedule();
    if (this.#leftMs <= 0) return false;
    const beganMs = this.#nowMs();
    const isDone = advance(beganMs + Math.min(sliceMs, this.#leftMs));
    const spentMs = this.#nowMs() - beganMs;
    this.#leftMs -= spentMs;
    onSpent?.(spentMs);
    return isDone;
  }

  /** The next turn comes after sockets, files and timers had theirs. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#takeTurn();
      // What came in before counts with it, and what comes in next is of the next turn.
      this.#leftMs = longestTurnMs;
    });
  }

  #takeTurn(): void {
    // One of the long ones has its time in each turn, and one that goes on, whatever comes in.
    this.#serveLong();
    this.#serveGoingOn();
    while (this.#leftMs > 0 && this.#isBusy) {
      const job = this.#fresh.shift();
      if (job === undefined) {
        if (!this.#serveGoingOn()) this.#serveLong();
      } else if (!this.#serve(job)) this.#long.push(job);
    }
    if (this.#isBusy) this.#schedule();
  }

  /** Answers whether there was one. */
  #serveGoingOn(): boolean {
    const job = this.#leftMs > 0 ? this.#goingOn.shift() : undefined;
    if (job === undefined) return false;
    if (!this.#serve(job)) this.#takesTurns(job);
    return true;
  }

  #serveLong(): void {
    if (this.#leftMs <= 0) return;
    const job = this.#going.pop() ?? this.#long.shift();
    if (job === undefined || this.#serve(job)) return;
    while (this.#going.length < longAtOnce - 1 && this.#long.size > 0) {
      const next = this.#long.shift();
      if (next) this.#going.unshift(next);
    }
    this.#takesTurns(job);
  }

  /** It comes again once the others that take turns had their time. */
  #takesTurns(job: Job): void {
    this.#going.splice(Math.max(0, this.#going.length - (longAtOnce - 1)), 0, job);
  }

  get #isBusy(): boolean {
    const isWaiting = this.#fresh.size > 0 || this.#long.size > 0 || this.#goingOn.size > 0;
    return isWaiting || this.#going.length > 0;
  }
}

const turns = new Turns();

/** Does the work in the turns that this process has: there is one thread, whoever works in it. */
export function inTurns<T>(steps: Steps<T>, options?: TurnOptions): Promise<T> {
  return turns.run(steps, options);
}

/** Does work that is known to be short, where others do theirs `inTurns`. */
export const atOnce: InTurns = (steps) => Promise.resolve(inOneGo(steps));

/** Does work that is known to be short. */
export function inOneGo<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** What `map` makes of each item, a step an item. */
export function* mapInSteps<T, R>(items: Iterable<T>, map: (item: T) => R): Steps<R[]> {
  const result: R[] = [];
  for (const item of items) {
    result.push(map(item));
    yield;
  }
  return result;
}

/** What `map` makes of each item, in steps of its own. */
export function* mapEachInSteps<T, R>(items: Iterable<T>, map: (item: T) => Steps<R>): Steps<R[]> {
  const result: R[] = [];
  for (const item of items) {
    result.push(yield* map(item));
    yield;
  }
  return result;
}

/** The items that `isKept` says yes to, a step an item. */
export function* filterInSteps<T>(items: Iterable<T>, isKept: (item: T) => boolean): Steps<T[]> {
  const kept: T[] = [];
  for (const item of items) {
    if (isKept(item)) kept.push(item);
    yield;
  }
  return kept;
}

/** The items, each once, a step an item. */
export function* setInSteps<T>(items: Iterable<T>): Steps<Set<T>> {
  const set = new Set<T>();
  for (const item of items) {
    set.add(item);
    yield;
  }
  return set;
}

/** Of work that waits for other things so many are begun at the same time. */
const begunAtOnce = 32;

/**
 * What comes of `work` on each item. It is begun a step an item, on some at a time, so that little is half done at
 * once, and no list of what is waited for grows with the items.
 */
export async function workOnEach<T, R>(
  items: Iterable<T>,
  work: (item: T) => Promise<R>,
  inTurnsOf: InTurns = inTurns,
): Promise<R[]> {
  const results: R[] = [];
  const rest = items[Symbol.iterator]();
  const makeWay = makingWay();
  for (;;) {
    const begun = await inTurnsOf(beginSome(rest, work));
    for (const result of await Promise.all(begun)) results.push(result);
    if (begun.length < begunAtOnce) return results;
    await makeWay();
  }
}

function* beginSome<T, R>(rest: Iterator<T>, work: (item: T) => Promise<R>): Steps<Promise<R>[]> {
  const all: Promise<R>[] = [];
  while (all.length < begunAtOnce) {
    const next = rest.next();
    if (next.done === true) break;
    const begun = work(next.value);
    // It may fail before anybody waits for it.
    begun.catch(() => undefined);
    all.push(begun);
    yield;
  }
  return all;
}

/**
 * For a loop that waits for each of many things, most of which are there at once: what this gives is to be waited for
 * now and then, and lets others have their turn where much was done since. Waiting, as for the disk, is no work.
 */
export function makingWay(): () => Promise<void> {
  let sinceMs = busyMs();
  return async () => {
    turns.spend(Math.max(0, Math.min(longestTurnMs, busyMs() - sinceMs)));
    await turns.run(noSteps(), { goesOn: true });
    sinceMs = busyMs();
  };
}

/** Goes on while the thread does not just wait for something to happen. */
function busyMs(): number {
  return turns.nowMs - performance.eventLoopUtilization().idle;
}

function* noSteps(): Steps<void> {
  // Its turn is all that is waited for.
}
