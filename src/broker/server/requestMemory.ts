import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { memoryBounds } from '../memoryBounds.ts';
import { FramePool } from './framePool.ts';

/** How long a connection that is read beyond the bound may take until its request is whole. */
const grantMs = 30_000;

export interface RequestMemoryOptions {
  /** queued.max.request.bytes; not positive: our own bound. */
  readonly queuedMaxBytes: number;
  /** socket.request.max.bytes */
  readonly maxRequestBytes: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What a connection does when it is told. */
export interface MemoryHolder {
  readonly name: string;
  pause(): void;
  resume(): void;
  destroy(): void;
}

/**
 * The bytes of all requests that are coming in or being served. Beyond the bound connections are read no
 * further, except for one at a time, so that requests still become whole, are served and make room.
 */
export class RequestMemory {
  readonly frames = new FramePool();
  readonly #options: RequestMemoryOptions;
  readonly #boundBytes: number;
  readonly #paused = new Set<RequestMemoryShare>();
  #heldBytes = 0;
  #granted: { readonly share: RequestMemoryShare; readonly deadline: Disposable } | undefined;

  constructor(options: RequestMemoryOptions) {
    this.#options = options;
    const { queuedMaxBytes } = options;
    this.#boundBytes = queuedMaxBytes > 0 ? queuedMaxBytes : memoryBounds.requestBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  open(holder: MemoryHolder): RequestMemoryShare {
    return new RequestMemoryShare(this, holder);
  }

  /** A connection holds more, or less, than before. */
  change(share: RequestMemoryShare, byBytes: number): void {
    this.#heldBytes += byBytes;
    const isOver = this.#heldBytes > this.#boundBytes;
    const isFree = share.heldBytes <= memoryBounds.freeBytesPerConnection;
    if (isOver && byBytes > 0 && !isFree && this.#granted?.share !== share) this.#pause(share);
    else if (isFree) this.#resume(share);
    if (!isOver) for (const paused of [...this.#paused]) this.#resume(paused);
    this.#grantNext();
  }

  /** The request that the connection was read for is whole, or the connection is gone. */
  settle(share: RequestMemoryShare): void {
    if (this.#granted?.share !== share) return;
    this.#granted.deadline.dispose();
    this.#granted = undefined;
    this.#grantNext();
  }

  forget(share: RequestMemoryShare): void {
    this.#paused.delete(share);
    this.settle(share);
  }

  #pause(share: RequestMemoryShare): void {
    this.#paused.add(share);
    share.holder.pause();
  }

  #resume(share: RequestMemoryShare): void {
    if (this.#paused.delete(share)) share.holder.resume();
  }

  #grantNext(): void {
    const { maxRequestBytes, clock, logger } = this.#options;
    if (this.#granted || this.#heldBytes > this.#boundBytes + maxRequestBytes) return;
    const next = [...this.#paused].find(({ isWhole }) => !isWhole);
    if (!next) return;
    const deadline = clock.setTimer(grantMs, () => {
      logger.warn(
        `closing the connection from ${next.holder.name}: its request of ${next.heldBytes} bytes so far does not get on while memory is short`,
      );
      next.holder.destroy();
    });
    this.#granted = { share: next, deadline };
    this.#resume(next);
  }
}

/** What one connection holds of it. */
export class RequestMemoryShare {
  readonly holder: MemoryHolder;
  readonly #memory: RequestMemory;
  #heldBytes = 0;
  #isClosed = false;
  /** A request of the connection is being served, or waits to be: reading on brings nothing for it. */
  isWhole = false;

  constructor(memory: RequestMemory, holder: MemoryHolder) {
    this.#memory = memory;
    this.holder = holder;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  hold(bytes: number): void {
    if (this.#isClosed) return;
    const by = bytes - this.#heldBytes;
    this.#heldBytes = bytes;
    if (by !== 0) this.#memory.change(this, by);
  }

  settle(): void {
    this.#memory.settle(this);
  }

  close(): void {
    this.hold(0);
    this.#isClosed = true;
    this.#memory.forget(this);
  }
}
