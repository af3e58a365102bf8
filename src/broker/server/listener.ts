import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Logger } from '../../base/logger.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { SocketFrameSource } from './frameSource.ts';
import type { RequestMemory } from './requestMemory.ts';

export interface ListenerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly answer: ConnectionOptions['answer'];
  /** socket.request.max.bytes */
  readonly maxRequestBytes: number;
  /** Shared by the listeners of a broker. */
  readonly memory: RequestMemory;
  /** connections.max.idle.ms */
  readonly maxIdleMs: number;
  readonly logger: Logger;
}

/** How long requests may go on when the broker stops. */
const stopGraceMs = 1000;
/** Node's timers hold no more. */
const longestTimeoutMs = 2 ** 31 - 1;

/** A broker's port and the connections to it. */
export class Listener {
  readonly #server: Server;
  readonly #options: ListenerOptions;
  readonly #connections = new Set<Connection>();
  #running = 0;
  #idle: (() => void) | undefined;

  /** Rejects with Node's error (EADDRINUSE, EACCES, ...) where the address cannot be had. */
  static async listen(options: ListenerOptions): Promise<Listener> {
    const listener = new Listener(options);
    listener.#server.listen({ host: options.host, port: options.port, backlog: 511 });
    await once(listener.#server, 'listening');
    listener.#server.on('error', (error) => options.logger.error(`listener: ${error.message}`));
    return listener;
  }

  private constructor(options: ListenerOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Takes no more connections; lets requests finish for a second at most, then closes all. */
  async close(): Promise<void> {
    this.#server.close();
    for (const connection of this.#connections) connection.stop();
    if (this.#running > 0) await this.#untilIdle();
    for (const connection of this.#connections) connection.destroy();
  }

  #accept(socket: Socket): void {
    const { answer, maxRequestBytes, memory, maxIdleMs, logger } = this.#options;
    const frames = new SocketFrameSource(socket, maxRequestBytes, memory);
    const idleMs = maxIdleMs < 0 ? 0 : Math.min(maxIdleMs, longestTimeoutMs);
    const connection = new Connection({ socket, frames, answer, maxIdleMs: idleMs, logger });
    this.#connections.add(connection);
    socket.once('close', () => this.#connections.delete(connection));
    this.#running++;
    void connection.run().then(() => {
      this.#running--;
      if (this.#running === 0) this.#idle?.();
    });
  }

  #untilIdle(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, stopGraceMs);
      this.#idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
