import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { RecordDetails, TailProgress, TailRow } from '../shared/contracts/tail.ts';
import type { ClusterSession } from './clusterSession.ts';

export interface TailSessionOptions {
  readonly cluster: ClusterSession;
  readonly topic: string;
  readonly partitions: readonly number[];
  /** A seek expression, such as `latest`, `last 100` or `group billing`. */
  readonly from: string;
  /** Goes into `TailProgress.session`; a panel counts it up with each seek. */
  readonly session: number;
}

/**
 * Follows partitions from a seek expression into a store of bounded size. Makes no consumer group.
 * A new seek is a new session.
 */
export class TailSession implements Disposable {
  readonly options: TailSessionOptions;
  readonly #progressEmitter = new Emitter<TailProgress>();
  /** Counts, when they change, at most ten times a second. */
  readonly onDidProgress = this.#progressEmitter.event;

  constructor(options: TailSessionOptions) {
    this.options = options;
  }

  /** Resolves once the start positions are known and reading has begun; rejects where the expression cannot be followed. */
  start(_signal?: AbortSignal): Promise<void> {
    return Promise.reject(new Error('not there yet'));
  }

  get progress(): TailProgress {
    throw new Error('not there yet');
  }

  /** Stops reading and keeps the positions; nothing is lost when it goes on. */
  setPaused(_paused: boolean): void {
    throw new Error('not there yet');
  }

  /** Rows held, by index from 0 (oldest); fewer where they are not held. */
  rows(_first: number, _count: number): TailRow[] {
    return [];
  }

  /** A whole record: from the store, or read again where it was dropped. Undefined: it is gone from the log. */
  details(
    _partition: number,
    _offset: bigint,
    _signal?: AbortSignal,
  ): Promise<RecordDetails | undefined> {
    return Promise.reject(new Error('not there yet'));
  }

  dispose(): void {
    this.#progressEmitter.dispose();
  }
}
