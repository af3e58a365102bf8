import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { errorMessage, type Logger } from '../../base/logger.ts';
import { BrokerConfigError } from '../config/brokerConfigs.ts';
import type { CertificatePrincipal } from '../security/certificatePrincipal.ts';
import { Session, type SaslRules } from '../security/session.ts';
import type { ConnectionGate } from '../quotas/connectionQuotas.ts';
import type { TlsSettings } from '../security/tls.ts';
import { Connection, connectionName, type ConnectionOptions, remoteAddress } from './connection.ts';
import { SocketFrameSource } from './frameSource.ts';
import type { RequestMemory } from './requestMemory.ts';
import { tlsAcceptor } from './tlsAcceptor.ts';

export interface ListenerOptions {
  readonly name: string;
  /** Undefined: plain text. */
  readonly tls?: TlsSettings | undefined;
  /** Who a client with a certificate is. */
  readonly principalOf: CertificatePrincipal;
  /** Undefined: nobody has to authenticate. */
  readonly sasl?: SaslRules | undefined;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly answer: ConnectionOptions['answer'];
  /** Says when connections are served. */
  readonly gate: ConnectionGate;
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
  readonly #arrive: ReturnType<ConnectionGate['open']>;
  /** The least recently used first. */
  readonly #connections = new Set<Connection>();
  /** What to call when a connection is closed, by its name. */
  readonly #leaves = new Map<string, () => void>();
  /** Also those whose TLS handshake is not through. */
  readonly #sockets = new Set<Socket>();
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
    this.#arrive = options.gate.open(options.name, () => this.#closeLeastRecentlyUsed());
    this.#server = this.#createServer();
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  #createServer(): Server {
    const accept = this.#acceptor();
    return createServer((socket) => {
      socket.on('error', () => undefined); // it may have to wait
      const leave = this.#arrive({
        address: remoteAddress(socket),
        serve: () => accept(socket),
        refuse: (afterMs) => {
          if (afterMs === 0) socket.destroy();
          else setTimeout(() => socket.destroy(), afterMs).unref();
        },
      });
      const name = connectionName(socket);
      this.#leaves.set(name, leave);
      socket.once('close', () => {
        this.#leaves.delete(name);
        leave();
      });
    });
  }

  /** False: there is none. */
  #closeLeastRecentlyUsed(): boolean {
    const [connection] = this.#connections;
    if (!connection) return false;
    this.#connections.delete(connection);
    connection.destroy();
    this.#leaves.get(connection.name)?.();
    return true;
  }

  #acceptor(): (socket: Socket) => void {
    const { name, tls, logger } = this.#options;
    if (tls === undefined) return (socket) => this.#accept(socket);
    try {
      return tlsAcceptor(tls, (socket) => this.#accept(socket), logger);
    } catch (error) {
      throw new BrokerConfigError(
        `the listener ${name} cannot speak TLS with what ssl.keystore.*, ssl.key.password and ssl.truststore.* say: ${errorMessage(error)}`,
      );
    }
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
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(socket: Socket): void {
    const { answer, maxRequestBytes, memory, maxIdleMs, logger } = this.#options;
    const { name: listener, sasl, principalOf } = this.#options;
    let principal: string | undefined;
    try {
      if (socket instanceof TLSSocket) principal = principalOf(socket);
    } catch (error) {
      logger.warn(`a client is not let in: ${errorMessage(error)}`);
      socket.destroy();
      return;
    }
    const session = new Session({ listener, sasl, ...(principal && { principal }) });
    const limit = Math.min(maxRequestBytes, sasl?.maxReceiveBytes ?? Infinity);
    const frames = new SocketFrameSource(socket, limit, memory);
    session.onDidAuthenticate = () => (frames.maxFrameBytes = maxRequestBytes);
    const idleMs = maxIdleMs < 0 ? 0 : Math.min(maxIdleMs, longestTimeoutMs);
    const connection = new Connection({
      socket,
      frames,
      session,
      answer: (frame, peer) => {
        if (this.#connections.delete(connection)) this.#connections.add(connection);
        return answer(frame, peer);
      },
      maxIdleMs: idleMs,
      logger,
    });
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
