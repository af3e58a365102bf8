// Speaks the protocol by hand: any version, any bytes, and what comes back as it comes.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type ApiName, apis } from '../../../../src/protocol/apis.ts';
import { decodeResponse, encodeRequest } from '../../../../src/protocol/frames.ts';
import { FrameSplitter } from '../../../../src/protocol/frameSplitter.ts';
import type { Message, MessageInput } from '../../../../src/protocol/schema.ts';

export type RequestInput<A extends ApiName> = MessageInput<(typeof apis)[A]['request']>;
export type Response<A extends ApiName> = Message<(typeof apis)[A]['response']>;

/** Long: Kafka on a busy machine takes a while, and who waits in vain fails anyway. */
const answerLimitMs = 60_000;

/** The server neither answered nor closed the connection. */
export class SilenceError extends Error {}

/** One connection. Frames are answered in order; `nextFrame` gives them one by one. */
export class RawClient {
  readonly #socket: Socket;
  readonly #splitter = new FrameSplitter();
  readonly #frames: Buffer[] = [];
  readonly clientId: string;
  #wake: (() => void) | undefined;
  #isClosed = false;
  #correlationId = 0;

  static async open(bootstrap: string, clientId = 'raw'): Promise<RawClient> {
    const [host = '', port] = bootstrap.split(':');
    const socket = connect(Number(port), host);
    await once(socket, 'connect');
    return new RawClient(socket, clientId);
  }

  /** Over a connection that is there already. */
  constructor(socket: Socket, clientId: string) {
    this.#socket = socket;
    this.clientId = clientId;
    const wake = (): void => this.#wake?.();
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      this.#splitter.push(chunk);
      for (let frame = this.#splitter.next(); frame; frame = this.#splitter.next()) {
        this.#frames.push(frame);
      }
      wake();
    });
    socket.on('close', () => {
      this.#isClosed = true;
      wake();
    });
  }

  /** Asks and waits for the answer. */
  async call<A extends ApiName>(
    name: A,
    version: number,
    body: RequestInput<A>,
  ): Promise<Response<A>> {
    this.send(name, version, body);
    const frame = await this.nextFrame();
    if (!frame) throw new Error(`the connection closed instead of an answer to ${name}`);
    return decodeResponse<(typeof apis)[A]>(apis[name], version, frame).body;
  }

  /** Asks without waiting. Answers the correlation id. */
  send<A extends ApiName>(name: A, version: number, body: RequestInput<A>): number {
    const correlationId = ++this.#correlationId;
    const { clientId } = this;
    this.write(
      encodeRequest<(typeof apis)[A]>({ api: apis[name], version, correlationId, clientId, body }),
    );
    return correlationId;
  }

  write(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** The next answer without its size; undefined once the server has closed the connection. Silence is an error. */
  async nextFrame(limitMs = answerLimitMs): Promise<Buffer | undefined> {
    const silence = new AbortController();
    const deadline = setTimeout(() => {
      silence.abort();
      this.#wake?.();
    }, limitMs);
    try {
      for (;;) {
        const frame = this.#frames.shift();
        if (frame || this.#isClosed) return frame;
        if (silence.signal.aborted)
          throw new SilenceError(`neither answered nor closed in ${limitMs} ms`);
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      clearTimeout(deadline);
    }
  }

  /** Whether the server closes the connection, rather than answer. */
  async isClosedByServer(): Promise<boolean> {
    return (await this.nextFrame()) === undefined;
  }

  /** Says goodbye once everything is sent. */
  end(): void {
    this.#socket.end();
  }

  /** Reads no more. */
  pause(): void {
    this.#socket.pause();
  }

  close(): void {
    this.#socket.destroy();
  }
}
