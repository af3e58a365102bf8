import type { Socket } from 'node:net';
import { FrameSplitter } from '../../protocol/frameSplitter.ts';

/** What a connection reads requests from: the one place that knows how bytes come off a socket. */
export interface FrameSource {
  /**
   * The next request, without its size; undefined at the end. Rejects with a ProtocolError where the stream
   * cannot be followed. One call at a time.
   */
  next(): Promise<Buffer | undefined>;
}

/** Bytes read ahead while a request is being served; beyond that the socket waits. */
const maxReadAheadBytes = 1 << 20;

interface Waiting {
  resolve(frame: Buffer | undefined): void;
  reject(error: unknown): void;
}

/** Reads by way of `data` events. What arrived before the peer closed is still handed out. */
export class SocketFrameSource implements FrameSource {
  readonly #socket: Socket;
  readonly #splitter: FrameSplitter;
  #hasEnded = false;
  #waiting: Waiting | undefined;

  constructor(socket: Socket, maxFrameBytes: number) {
    this.#socket = socket;
    this.#splitter = new FrameSplitter(maxFrameBytes);
    socket.on('data', (chunk: Buffer) => {
      this.#splitter.push(chunk);
      if (this.#waiting) this.#deliver(this.#waiting);
      else if (this.#splitter.bufferedBytes > maxReadAheadBytes) socket.pause();
    });
    const end = (): void => {
      this.#hasEnded = true;
      if (this.#waiting) this.#deliver(this.#waiting);
    };
    socket.once('end', end).once('close', end);
  }

  next(): Promise<Buffer | undefined> {
    return new Promise((resolve, reject) => {
      const waiting = { resolve, reject };
      this.#waiting = waiting;
      const isServed = this.#deliver(waiting);
      const hasRoom = this.#splitter.bufferedBytes <= maxReadAheadBytes;
      if ((!isServed || hasRoom) && this.#socket.isPaused()) this.#socket.resume();
    });
  }

  /** False: the frame is not whole yet. */
  #deliver(waiting: Waiting): boolean {
    try {
      const frame = this.#splitter.next();
      if (frame === undefined && !this.#hasEnded) return false;
      waiting.resolve(frame);
    } catch (error) {
      waiting.reject(error);
    }
    this.#waiting = undefined;
    return true;
  }
}
