import type { ClusterProfile } from '../model.ts';
import type { Change, ChangeKind, NewFacts } from './change.ts';

/** A change, where it is made, and what it takes back. */
export interface ChangeRequest {
  readonly cluster: Pick<ClusterProfile, 'id' | 'name'>;
  readonly change: Change;
  readonly signal?: AbortSignal | undefined;
  readonly undoes?: UndoneChange | undefined;
  /** Names what several windows see: only the first of them lists it. Letters, digits and dashes. */
  readonly once?: string | undefined;
}

export interface UndoneChange {
  readonly id: string;
  /** Left out in entries of an earlier version. */
  readonly kind?: ChangeKind;
  /** What was done, in words; of an undo, what that took back. */
  readonly title: string;
  /** It is an undo that is taken back: what it took back is done again. */
  readonly isRedo?: boolean;
}

/** A change as whoever makes it sees it. */
export interface RunningChange {
  /** Aborted by whoever asked for the change, or from the list of activity. */
  readonly signal: AbortSignal;
  readonly note: (facts: NewFacts) => void;
}

/** Through which everything passes that changes a cluster, a connection or a file. */
export interface ChangeLog {
  /** Rejects as `work` does; with a CancelledError where that was because the signal was aborted. */
  run<T>(request: ChangeRequest, work: (running: RunningChange) => Promise<T>): Promise<T>;
}

/** Where nobody looks at what was changed. */
export const unlogged: ChangeLog = {
  run: ({ signal = new AbortController().signal }, work) => work({ signal, note: () => undefined }),
};
