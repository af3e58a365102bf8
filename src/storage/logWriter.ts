import { type Deferred, deferred } from '../base/deferred.ts';
import type { RecordBatch } from '../protocol/records/recordBatch.ts';

import type { AppendInfo, AppendOptions, AppendOrigin } from './logTypes.ts';

/** Bytes that are written together at most: larger groups leave the processor's cache. */
const maxGroupBytes = 2 << 20;

/** One call of `append`, checked as far as the log's state does not matter. */
export interface PendingAppend {
  readonly batches: readonly RecordBatch[];
  readonly sizeInBytes: number;
  readonly origin: AppendOrigin;
  readonly leaderEpoch: number;
  readonly transactionVersion: number;
  readonly verification?: AppendOptions['verification'];
  /** To be settled once. */
  readonly outcome: Pick<Deferred<AppendInfo>, 'resolve' | 'reject'>;
}

type Job =
  | { readonly kind: 'append'; readonly append: PendingAppend }
  | { readonly kind: 'task'; readonly run: () => Promise<void> };

/**
 * Everything that changes a log, one at a time and in the order it was asked for. Appends that pile up while
 * a write is under way go to the disk together (group commit).
 */
export class LogWriter {
  readonly #writeGroup: (group: readonly PendingAppend[]) => Promise<void>;
  #jobs: Job[] = [];
  #isRunning = false;
  #unwrittenBytes = 0;

  /** `writeGroup` settles every outcome of its group and never rejects. */
  constructor(writeGroup: (group: readonly PendingAppend[]) => Promise<void>) {
    this.#writeGroup = writeGroup;
  }

  /** Bytes asked to be written that are not written yet. */
  get unwrittenBytes(): number {
    return this.#unwrittenBytes;
  }

  append(append: Omit<PendingAppend, 'outcome'>): Promise<AppendInfo> {
    const answered = deferred<AppendInfo>();
    this.#unwrittenBytes += append.sizeInBytes;
    const settled = (): void => {
      this.#unwrittenBytes -= append.sizeInBytes;
    };
    const outcome: PendingAppend['outcome'] = {
      resolve: (info) => {
        settled();
        answered.resolve(info);
      },
      reject: (error) => {
        settled();
        answered.reject(error);
      },
    };
    this.#jobs.push({ kind: 'append', append: { ...append, outcome } });
    this.#start();
    return answered.promise;
  }

  /** Runs `work` with nothing else changing the log. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const outcome = deferred<T>();
    const run = async (): Promise<void> => {
      try {
        outcome.resolve(await work());
      } catch (error) {
        outcome.reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    this.#jobs.push({ kind: 'task', run });
    this.#start();
    return outcome.promise;
  }

  #start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    let next = 0;
    for (;;) {
      // Finished jobs are cut off in bulk: a shift per job is quadratic in a long queue.
      if (next === this.#jobs.length || next > 1024) {
        this.#jobs = this.#jobs.slice(next);
        next = 0;
      }
      const job = this.#jobs[next];
      if (job === undefined) break;
      if (job.kind === 'task') {
        next++;
        await job.run();
        continue;
      }
      const group = this.#group(next);
      next += group.length;
      await this.#writeGroup(group);
    }
    this.#isRunning = false;
  }

  #group(start: number): PendingAppend[] {
    const group: PendingAppend[] = [];
    let bytes = 0;
    for (let at = start; at < this.#jobs.length; at++) {
      const job = this.#jobs[at];
      if (job?.kind !== 'append') break;
      if (group.length > 0 && bytes + job.append.sizeInBytes > maxGroupBytes) break;
      group.push(job.append);
      bytes += job.append.sizeInBytes;
    }
    return group;
  }
}
