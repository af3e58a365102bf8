import type { Socket } from 'node:net';
import { FrameSplitter } from '../../protocol/frameSplitter.ts';
import type { RequestMemory, RequestMemoryShare } from './requestMemory.ts';

/** What a connection reads requests from: the one place that knows how bytes come off a socket. */
export interface FrameSource {
  /**
   * The next request, without its size; undefined at the end. Rejects with a ProtocolError where the stream
   * cannot be followed. One call at a time.
   */
  next(): Promise<Buffer | undefined>;
  /** The request that `next` gave is done with, and its memory is used again: nothing may look at it any more. */
  release(): void;
  /** No more requests are asked for. */
  close(): void;
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
  readonly #memory: RequestMemoryShare;
  #hasEnded = false;
  #waiting: Waiting | undefined;
  #servedBytes = 0;
  /** Memory is short: others have to be served first. */
  #isHeldBack = false;

  constructor(socket: Socket, maxFrameBytes: number, memory: RequestMemory) {
    this.#socket = socket;
    this.#splitter = new FrameSplitter(maxFrameBytes, memory.frames);
    this.#memory = memory.open({
      name: `${socket.remoteAddress ?? 'unknown'}:${socket.remotePort ?? 0}`,
      pause: () => {
        this.#isHeldBack = true;
        socket.pause();
      },
      resume: () => {
        this.#isHeldBack = false;
        this.#readOn();
      },
      destroy: () => socket.destroy(),
    });
    socket.on('data', (chunk: Buffer) => {
      this.#splitter.push(chunk);
      if (this.#waiting) this.#deliver(this.#waiting);
      else if (!this.#hasRoom) socket.pause();
      this.#account();
    });
    const end = (): void => {
      this.#hasEnded = true;
      if (this.#waiting) this.#deliver(this.#waiting);
    };
    socket.once('end', end).once('close', end);
  }

  /** Larger requests are refused from now on. */
  set maxFrameBytes(bytes: number) {
    this.#splitter.maxFrameBytes = bytes;
  }

  next(): Promise<Buffer | undefined> {
    return new Promise((resolve, reject) => {
      const waiting = { resolve, reject };
      this.#waiting = waiting;
      this.#deliver(waiting);
      this.#account();
      this.#readOn();
    });
  }

  release(): void {
    this.#servedBytes = 0;
    this.#splitter.recycle();
    this.#account();
  }

  close(): void {
    this.#memory.close();
  }

  get #hasRoom(): boolean {
    return this.#splitter.bufferedBytes <= maxReadAheadBytes;
  }

  #readOn(): void {
    const isWanted = this.#waiting !== undefined || this.#hasRoom;
    if (isWanted && !this.#isHeldBack && this.#socket.isPaused()) this.#socket.resume();
  }

  #account(): void {
    this.#memory.isWhole = this.#waiting === undefined;
    this.#memory.hold(this.#splitter.bufferedBytes + this.#servedBytes);
    if (this.#memory.isWhole) this.#memory.settle();
  }

  /** Hands the next frame to who waits for it, if it is whole. */
  #deliver(waiting: Waiting): void {
    try {
      const frame = this.#splitter.next();
      if (frame === undefined && !this.#hasEnded) return;
      this.#servedBytes = frame?.length ?? 0;
      waiting.resolve(frame);
    } catch (error) {
      waiting.reject(error);
    }
    this.#waiting = undefined;
  }
}
