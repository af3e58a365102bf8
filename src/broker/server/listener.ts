import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { Connection, type FrameHandler } from './connection.ts';

export interface ListenerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly maxFrameBytes: number;
  readonly maxIdleMs: number;
  readonly handle: FrameHandler;
}

/** The address cannot be listened on; `code` is the operating system's, such as EADDRINUSE. */
export class ListenError extends Error {
  override name = 'ListenError';
  readonly code: string;
  readonly port: number;

  constructor(code: string, port: number, message: string) {
    super(message);
    this.code = code;
    this.port = port;
  }
}

/** A socket that is listened on, and the connections that came of it. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();

  private constructor(options: ListenerOptions, server: Server) {
    this.#options = options;
    this.#server = server;
    server.on('connection', (socket) => this.#accept(socket));
  }

  /** Rejects with a ListenError where the address is taken or not this machine's. */
  static open(options: ListenerOptions): Promise<Listener> {
    const server = createServer({ noDelay: true });
    const { host, port } = options;
    return new Promise((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => {
        const code = error.code ?? 'unknown';
        reject(new ListenError(code, port, `cannot listen on ${host}:${port}: ${error.message}`));
      });
      server.listen({ host, port }, () => resolve(new Listener(options, server)));
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get host(): string {
    return this.#options.host;
  }

  /** Stops listening and ends every connection. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const connection of this.#connections) connection.dispose();
    await closed;
  }

  #accept(socket: Socket): void {
    const { clock, logger, maxFrameBytes, maxIdleMs, handle } = this.#options;
    const connection = new Connection({ socket, clock, logger, maxFrameBytes, maxIdleMs, handle });
    this.#connections.add(connection);
    socket.once('close', () => this.#connections.delete(connection));
  }
}
