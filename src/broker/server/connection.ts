import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { errorMessage, type Logger } from '../../base/logger.ts';
import { FrameSplitter } from '../../protocol/frameSplitter.ts';

/** Answers one request. Undefined: it has no response. Rejects: the connection is of no more use. */
export type FrameHandler = (frame: Buffer, peer: Peer) => Promise<readonly Buffer[] | undefined>;

/** The other end of a connection, as handlers see it. */
export interface Peer {
  /** As Kafka prints it: `/127.0.0.1`. */
  readonly host: string;
  /** Aborts when the connection closes. */
  readonly signal: AbortSignal;
}

export interface ConnectionOptions {
  readonly socket: Socket;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly maxFrameBytes: number;
  readonly maxIdleMs: number;
  readonly handle: FrameHandler;
}

/** Whole requests that wait while one is served; the socket is not read past them. */
const maxQueuedFrames = 64;

/**
 * One client's socket. Requests are served one after the other and answered in their order, as Kafka does by
 * muting a channel that has a request under way. [SocketServer, Selector]
 */
export class Connection implements Disposable {
  readonly #options: ConnectionOptions;
  readonly #splitter: FrameSplitter;
  readonly #closing = new AbortController();
  readonly #peer: Peer;
  readonly #queue: Buffer[] = [];
  #isServing = false;
  #idleSince: number;
  #idleTimer: Disposable | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#splitter = new FrameSplitter(options.maxFrameBytes);
    this.#idleSince = options.clock.monotonicMs();
    const { socket } = options;
    this.#peer = {
      host: `/${(socket.remoteAddress ?? '').replace(/^::ffff:/, '')}`,
      signal: this.#closing.signal,
    };
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('error', () => this.dispose());
    socket.on('close', () => this.dispose());
    socket.on('drain', () => void this.#serve());
    this.#watchIdleness();
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  dispose(): void {
    if (this.isClosed) return;
    this.#closing.abort();
    this.#idleTimer?.dispose();
    this.#options.socket.destroy();
    this.#queue.length = 0;
  }

  #receive(chunk: Buffer): void {
    try {
      this.#splitter.push(chunk);
      for (let frame = this.#splitter.next(); frame; frame = this.#splitter.next()) {
        this.#queue.push(frame);
      }
    } catch (error) {
      this.#refuse(error);
      return;
    }
    if (this.#queue.length >= maxQueuedFrames) this.#options.socket.pause();
    void this.#serve();
  }

  async #serve(): Promise<void> {
    if (this.#isServing) return;
    this.#isServing = true;
    try {
      await this.#serveQueue();
    } finally {
      this.#isServing = false;
    }
  }

  /** Until the queue is empty, or the client does not read its answers. */
  async #serveQueue(): Promise<void> {
    const { socket, clock, handle } = this.#options;
    while (!this.isClosed && !socket.writableNeedDrain) {
      const frame = this.#queue.shift();
      if (!frame) return;
      if (this.#queue.length < maxQueuedFrames / 2) socket.resume();
      this.#idleSince = clock.monotonicMs();
      try {
        const response = await handle(frame, this.#peer);
        if (response) this.#write(response);
      } catch (error) {
        this.#refuse(error);
        return;
      }
    }
  }

  #write(parts: readonly Buffer[]): void {
    if (this.isClosed) return;
    const { socket } = this.#options;
    socket.cork();
    for (const part of parts) socket.write(part);
    socket.uncork();
  }

  #refuse(error: unknown): void {
    if (this.isClosed) return;
    this.#options.logger.warn(
      `closing a connection from ${this.#peer.host}: ${errorMessage(error)}`,
    );
    this.dispose();
  }

  /** connections.max.idle.ms: looks again when the present idle time could be over. */
  #watchIdleness(): void {
    const { clock, maxIdleMs } = this.#options;
    if (maxIdleMs < 0) return;
    const idleMs = this.#isServing ? 0 : clock.monotonicMs() - this.#idleSince;
    if (idleMs >= maxIdleMs) this.dispose();
    else this.#idleTimer = clock.setTimer(maxIdleMs - idleMs, () => this.#watchIdleness());
  }
}
