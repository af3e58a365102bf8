import { isDeepStrictEqual } from 'node:util';
import { type Clock, systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { errorMessage, type Logger } from '../../base/logger.ts';
import { type Random, systemRandom } from '../../base/random.ts';
import { randomUuid } from '../../base/uuid.ts';
import { CancelledError } from '../../client/kafkaError.ts';
import { toProblem } from '../problems.ts';
import { Throttle } from '../throttle.ts';
import { type ActivityEntry, endOf, problemOf, withFacts } from './activityEntry.ts';
import { type ChangeLog, type ChangeRequest, type RunningChange, unlogged } from './changeLog.ts';

/** Where entries are kept over reloads, and shared with other windows. */
export interface ActivityStore {
  load(most: number): Promise<ActivityEntry[]>;
  save(entry: ActivityEntry): Promise<void>;
  /** Whether this is the first to ask for a name, of all windows. */
  claim(name: string): Promise<boolean>;
  remove(ids: readonly string[]): Promise<void>;
}

export interface ActivityLogOptions {
  readonly store: ActivityStore;
  readonly logger: Logger;
  readonly pid: number;
  readonly isAlive: (pid: number) => boolean;
  readonly clock?: Clock;
  readonly random?: Random;
}

export const entriesKept = 500;
const progressIntervalMs = 250;

/**
 * What was changed, by whom in this editor ever: what runs in this window, and what this window and others have
 * done. An entry is kept from its beginning, so that one that was cut short is known as well.
 */
export class ActivityLog implements ChangeLog, Disposable {
  readonly #options: ActivityLogOptions;
  readonly #clock: Clock;
  readonly #disposables = new DisposableStore();
  readonly #changeEmitter = this.#disposables.add(new Emitter<string | undefined>());
  /** Tells the id of an entry that has new facts; undefined: the list is another. */
  readonly onDidChange = this.#changeEmitter.event;
  readonly #entries = new Map<string, ActivityEntry>();
  readonly #running = new Map<string, AbortController>();
  /** Entries with new facts that nobody was told of yet. */
  readonly #untold = new Set<string>();
  readonly #telling: Throttle;
  /** Put while the store was being read, which knows better of all others. */
  readonly #touched = new Set<string>();
  #writes = Promise.resolve();
  #loading = Promise.resolve();
  /** The next reading, which has not begun. */
  #nextLoading: Promise<void> | undefined;
  #isLoaded = false;
  #lastMs = 0;

  constructor(options: ActivityLogOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#telling = this.#disposables.add(
      new Throttle(this.#clock, progressIntervalMs, () => this.#tell()),
    );
  }

  /** The newest first. */
  get entries(): readonly ActivityEntry[] {
    return [...this.#entries.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
  }

  entry(id: string): ActivityEntry | undefined {
    return this.#entries.get(id);
  }

  /** The change before which a group's commits were kept under this id of their history. */
  keeperOf(historyId: string): ActivityEntry | undefined {
    return this.entries.find(({ facts: { undo } }) => {
      return undo?.kind === 'offsets' && undo.historyId === historyId;
    });
  }

  /** Whether it runs in this window, and so can be cancelled here. */
  isRunningHere(id: string): boolean {
    return this.#running.has(id);
  }

  async run<T>(request: ChangeRequest, work: (running: RunningChange) => Promise<T>): Promise<T> {
    const { once } = request;
    if (once === undefined || (await this.#isFirst(once))) return this.#list(request, work);
    try {
      return await unlogged.run(request, work);
    } finally {
      // Another window lists it.
      void this.load();
    }
  }

  async #list<T>(
    { cluster, change, signal: outer, undoes }: ChangeRequest,
    work: (running: RunningChange) => Promise<T>,
  ): Promise<T> {
    const controller = new AbortController();
    const signal = outer ? AbortSignal.any([outer, controller.signal]) : controller.signal;
    const startedAtMs = this.#clock.nowMs();
    const { pid } = this.#options;
    const id = this.#newId(startedAtMs);
    const { name } = cluster;
    const known = {
      version: 1,
      id,
      pid,
      startedAtMs,
      cluster: { id: cluster.id, name },
      change,
    } as const;
    this.#running.set(id, controller);
    this.#put({ ...known, state: 'running', facts: {}, ...(undoes && { undoes }) });
    if (!this.#isLoaded) void this.load();
    try {
      const result = await work({ signal, note: (facts) => this.#note(id, facts) });
      this.#end(id, endOf(this.#entries.get(id)?.facts ?? {}));
      return result;
    } catch (error) {
      const isCancelled = signal.aborted || error instanceof CancelledError;
      const problem = problemOf(toProblem(error));
      this.#end(id, isCancelled ? { state: 'cancelled' } : { state: 'failed', problem });
      throw isCancelled ? new CancelledError() : error;
    }
  }

  /** Asks what runs to end. */
  cancel(id: string): void {
    this.#running.get(id)?.abort();
  }

  /** Forgets entries; what runs stays. */
  async remove(ids: readonly string[]): Promise<void> {
    const ended = ids.filter((id) => !this.#running.has(id));
    for (const id of ended) {
      this.#entries.delete(id);
      this.#touched.add(id); // what is being read may have them still
    }
    this.#changeEmitter.fire(undefined);
    await this.#write((store) => store.remove(ended));
  }

  /**
   * Reads what this window does not know: from before a reload, and from other windows, all that was kept by now.
   * Never rejects.
   */
  load(): Promise<void> {
    this.#nextLoading ??= this.#loading.then(() => {
      this.#nextLoading = undefined;
      this.#loading = this.#load().catch((error: unknown) => {
        this.#options.logger.warn(`the activity could not be read: ${errorMessage(error)}`);
      });
      return this.#loading;
    });
    return this.#nextLoading;
  }

  /** Resolves once all is kept. */
  flush(): Promise<void> {
    return this.#writes;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Listed twice is better than not at all. */
  async #isFirst(name: string): Promise<boolean> {
    try {
      return await this.#options.store.claim(name);
    } catch (error) {
      this.#options.logger.warn(`the activity could not be kept: ${errorMessage(error)}`);
      return true;
    }
  }

  async #load(): Promise<void> {
    await this.#allWritten();
    this.#touched.clear();
    const stored = await this.#options.store.load(entriesKept);
    this.#isLoaded = true;
    // Whoever draws the list anew takes the rows from under a menu that is open: not where nothing is new.
    if (this.#take(stored)) this.#changeEmitter.fire(undefined);
  }

  /** Whether anything of what is stored was not known. */
  #take(stored: readonly ActivityEntry[]): boolean {
    const kept = new Map(stored.map((entry) => [entry.id, this.#settled(entry)]));
    let isNew = false;
    for (const id of [...this.#entries.keys()]) {
      if (!kept.has(id) && !this.#isOurs(id)) isNew = this.#entries.delete(id);
    }
    for (const [id, entry] of kept) {
      if (this.#isOurs(id) || isDeepStrictEqual(entry, this.#entries.get(id))) continue;
      this.#entries.set(id, entry);
      isNew = true;
    }
    return isNew;
  }

  /** What is put meanwhile is waited for too: the store would still have it as it was. */
  async #allWritten(): Promise<void> {
    let written: Promise<void>;
    do {
      written = this.#writes;
      await written;
    } while (written !== this.#writes);
  }

  /** In order of beginning, also of what begins within a millisecond. */
  #newId(nowMs: number): string {
    this.#lastMs = Math.max(nowMs, this.#lastMs + 1);
    const { random = systemRandom } = this.#options;
    return `${String(this.#lastMs).padStart(15, '0')}-${randomUuid(random)}`;
  }

  #isOurs(id: string): boolean {
    return this.#running.has(id) || this.#touched.has(id);
  }

  #settled(entry: ActivityEntry): ActivityEntry {
    const { pid, isAlive } = this.#options;
    const isGone = entry.state === 'running' && (entry.pid === pid || !isAlive(entry.pid));
    return isGone ? { ...entry, state: 'interrupted' } : entry;
  }

  #note(id: string, facts: Parameters<RunningChange['note']>[0]): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.set(id, { ...entry, facts: withFacts(entry.facts, facts) });
    this.#untold.add(id);
    this.#telling.request();
  }

  #end(id: string, end: Pick<ActivityEntry, 'state' | 'problem'>): void {
    this.#running.delete(id);
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#put({ ...entry, ...end, endedAtMs: this.#clock.nowMs() });
    if (end.state !== 'done') return;
    for (const other of this.entries) {
      if (takesBack(entry, other)) this.#put({ ...other, undoneBy: id });
    }
  }

  #put(entry: ActivityEntry): void {
    const isListed = this.#entries.has(entry.id);
    this.#entries.set(entry.id, entry);
    this.#touched.add(entry.id);
    void this.#write((store) => store.save(entry));
    if (this.#entries.size > entriesKept) {
      void this.remove(this.entries.slice(entriesKept).map(({ id }) => id));
    }
    this.#changeEmitter.fire(isListed ? entry.id : undefined);
  }

  #tell(): void {
    for (const id of this.#untold) this.#changeEmitter.fire(id);
    this.#untold.clear();
  }

  /** In order, so that the last word of an entry is what stays. A disk that is full stops nobody's work. */
  #write(write: (store: ActivityStore) => Promise<void>): Promise<void> {
    this.#writes = this.#writes
      .then(() => write(this.#options.store))
      .catch((error: unknown) => {
        this.#options.logger.warn(`the activity could not be kept: ${errorMessage(error)}`);
      });
    return this.#writes;
  }
}

/** Whether a change is the undo of another, from the list or from a panel that has the same history. */
function takesBack({ undoes, facts: { restores } }: ActivityEntry, other: ActivityEntry): boolean {
  const { undo } = other.facts;
  if (other.undoneBy !== undefined || undo === undefined) return false;
  return undoes?.id === other.id || (undo.kind === 'offsets' && undo.historyId === restores);
}
