import type { Socket } from 'node:net';
import type { Disposable } from '../../base/disposable.ts';
import { errorMessage, type Logger } from '../../base/logger.ts';
import type { Session } from '../security/session.ts';
import type { FrameSource } from './frameSource.ts';

/** The peer of a connection, as requests see it. */
export interface Peer {
  /** As Kafka prints it: `/127.0.0.1`. */
  readonly host: string;
  readonly port: number;
  readonly session: Session;
  /** The connection ends once the request being served is answered. */
  readonly closeAfterAnswer: () => void;
  /** Aborts when the connection closes. */
  readonly signal: AbortSignal;
  /** Closes the connection at once: memory is short, and the client does not take its answers. */
  readonly cutOff: () => void;
  /** Disposes it once the client has taken the answer to this request, or never will. */
  readonly keepUntilSent: (held: Disposable) => void;
  /** After this request reads nothing more for so long. [KIP-219] */
  readonly mute: (forMs: number) => void;
}

export interface ConnectionOptions {
  readonly socket: Socket;
  readonly frames: FrameSource;
  readonly session: Session;
  /** Answers one request: the pieces to be written, or undefined for none. A rejection closes the connection. */
  readonly answer: (frame: Buffer, peer: Peer) => Promise<Buffer[] | undefined>;
  readonly maxIdleMs: number;
  readonly logger: Logger;
}

/**
 * One client. Requests are served one at a time, so answers leave in the order of the requests; while one is
 * served, or the client does not read its answers, the socket is read no further. [SocketServer.Processor]
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #abort = new AbortController();
  readonly #peer: Peer;
  /** Where it comes from, as logs tell it. */
  readonly name: string;
  readonly #held: Disposable[] = [];
  #muteMs = 0;
  #isServing = false;
  #isStopping = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { socket, maxIdleMs } = options;
    const address = remoteAddress(socket);
    this.name = connectionName(socket);
    this.#peer = {
      host: `/${address}`,
      port: socket.remotePort ?? 0,
      session: options.session,
      closeAfterAnswer: () => (this.#isStopping = true),
      signal: this.#abort.signal,
      cutOff: () => this.#cutOff(),
      keepUntilSent: (held) => this.#held.push(held),
      mute: (forMs) => {
        this.#muteMs = Math.max(this.#muteMs, forMs);
      },
    };
    socket.setNoDelay(true);
    // Who waits for an answer is idle too, as is who is throttled. [Selector.IdleExpiryManager]
    socket.setTimeout(maxIdleMs, () => socket.destroy());
    socket.on('error', (error) => options.logger.debug(`${this.name}: ${error.message}`));
    socket.once('close', () => this.#abort.abort());
  }

  /** Serves until either side closes. Never rejects. */
  async run(): Promise<void> {
    const { socket, frames, logger } = this.#options;
    try {
      while (!this.#isStopping && (await this.#serveNext()));
    } catch (error) {
      logger.warn(`closing the connection from ${this.name}: ${errorMessage(error)}`);
    }
    frames.close();
    socket.destroySoon();
  }

  /** Lets the request being served finish, then closes. */
  stop(): void {
    this.#isStopping = true;
    if (!this.#isServing) this.#options.socket.destroySoon();
  }

  destroy(): void {
    this.#options.socket.destroy();
  }

  #cutOff(): void {
    const { socket, logger } = this.#options;
    logger.warn(
      `closing the connection from ${this.name}: it does not take its answers, and memory is short`,
    );
    socket.destroy();
  }

  /** False: there is no request any more. */
  async #serveNext(): Promise<boolean> {
    try {
      const answered = await this.#answerNext();
      if (answered?.parts) await this.#write(answered.parts);
      if (this.#muteMs > 0) await this.#beMute();
      return answered !== undefined;
    } finally {
      this.#isServing = false;
      for (const held of this.#held.splice(0)) held.dispose();
    }
  }

  /** A function of its own, so that nothing holds the request while the client takes the answer. */
  async #answerNext(): Promise<{ readonly parts: readonly Buffer[] | undefined } | undefined> {
    const { frames, answer } = this.#options;
    const frame = await frames.next();
    if (frame === undefined) return undefined;
    this.#isServing = true;
    try {
      return { parts: await answer(frame, this.#peer) };
    } finally {
      frames.release();
    }
  }

  async #beMute(): Promise<void> {
    const { signal } = this.#abort;
    const forMs = this.#muteMs;
    this.#muteMs = 0;
    if (signal.aborted || this.#isStopping) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, forMs);
      timer.unref();
      signal.addEventListener('abort', end);
    });
  }

  /** Resolves when the client has taken enough of what was written to be served again. */
  async #write(parts: readonly Buffer[]): Promise<void> {
    const { socket } = this.#options;
    if (!socket.writable) return;
    socket.cork();
    for (const part of parts) socket.write(part);
    socket.uncork();
    if (!socket.writableNeedDrain) return;
    this.#isServing = false; // a stop does not wait for a client that reads nothing
    await new Promise<void>((resolve) => {
      const done = (): void => {
        socket.off('drain', done).off('close', done);
        resolve();
      };
      socket.on('drain', done).on('close', done);
    });
  }
}

export const connectionName = (socket: Socket): string =>
  `${remoteAddress(socket)}:${socket.remotePort ?? 0}`;

/** Where a connection comes from; an address of version 4 as such. */
export function remoteAddress({ remoteAddress: address = 'unknown' }: Socket): string {
  return address.replace(/^::ffff:/, '');
}
