import type { Clock } from '../base/clock.ts';
import { deferred } from '../base/deferred.ts';
import type { Disposable } from '../base/disposable.ts';

export interface TimeLimit extends Disposable {
  /** Resolves when the time is over, or the signal aborts. */
  readonly over: Promise<void>;
}

/** The end of a wait that a request is willing to do. */
export function timeLimit(clock: Clock, limitMs: number, signal: AbortSignal): TimeLimit {
  const end = deferred<undefined>();
  const stop = (): void => end.resolve(undefined);
  const timer = clock.setTimer(limitMs, stop);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return {
    over: end.promise,
    dispose() {
      timer.dispose();
      signal.removeEventListener('abort', stop);
    },
  };
}
