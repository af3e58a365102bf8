import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { type InTurns, mapInSteps } from '../../base/turns.ts';
import type { Event } from '../../base/event.ts';
import type { Partition } from '../partition.ts';

export interface SeenPartition {
  readonly partition: Partition | undefined;
  readonly bytesAppended: number;
}

interface WaitOptions {
  /** The partitions, with the bytes that had been appended to each when they were read. */
  readonly seen: readonly SeenPartition[];
  readonly missingBytes: number;
  readonly maxWaitMs: number;
  readonly clock: Clock;
  /** Aborts when the connection closes. */
  readonly signal: AbortSignal;
  readonly onWillClose: Event<void>;
  /** Goes through the partitions. */
  readonly run: InTurns;
}

/**
 * Resolves when as many bytes came in as are missing, a partition is led elsewhere, the time is up, the
 * connection closes or the broker stops: all reasons to look again. A connection has one fetch at a time, so
 * there are never more waits than connections.
 */
export function waitForData(options: WaitOptions): Promise<void> {
  const { seen, missingBytes, maxWaitMs, clock, signal, onWillClose, run } = options;
  return new Promise((resolve, reject) => {
    const held = new DisposableStore();
    const end = (): void => {
      held.dispose();
      resolve();
    };
    held.add(clock.setTimer(maxWaitMs, end));
    held.add(onWillClose(end));
    held.add(onAbort(signal, end));
    if (signal.aborted) end();
    let bytes = 0;
    const watch = ({ partition, bytesAppended }: SeenPartition): void => {
      if (!partition || held.isDisposed) return;
      let counted = bytesAppended;
      const look = (): void => {
        bytes += partition.bytesAppended - counted;
        counted = partition.bytesAppended;
        if (bytes >= missingBytes || !partition.isLeader) end();
      };
      held.add(partition.onDidChange(look));
      look();
    };
    run(mapInSteps(seen, watch)).catch(reject);
  });
}

function onAbort(signal: AbortSignal, listener: () => void): Disposable {
  signal.addEventListener('abort', listener);
  return toDisposable(() => signal.removeEventListener('abort', listener));
}
