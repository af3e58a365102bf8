import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { Channel } from '../../shared/channel.ts';
import {
  controlBroker,
  controlClient,
  type EmbeddedStatus,
} from '../../shared/contracts/control.ts';
import { socketTransport } from '../../shared/socketTransport.ts';

export interface ControlServerOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What is said of the cluster; windows and keepRunning are the server's own. */
  readonly status: () => Omit<EmbeddedStatus, 'windows' | 'keepRunning'>;
  /** Stop after so long without a window; undefined: never by itself. */
  readonly unattendedMs?: number | undefined;
  readonly stop: (reason: string) => void;
}

interface Peer {
  readonly channel: Channel<typeof controlBroker, typeof controlClient>;
  role: 'stranger' | 'window' | 'observer';
}

/** A stranger that has not said hello by then is let go. */
const helloMs = 5000;

/**
 * The one way to what only the embedded cluster can do: a local socket whose first call must show the token
 * of the lock file. Windows are counted, so that the cluster ends some time after the last one left.
 */
export class ControlServer {
  readonly token = randomBytes(24).toString('base64url');
  readonly address: string;
  readonly #options: ControlServerOptions;
  readonly #server: Server;
  readonly #peers = new Set<Peer>();
  readonly #sockets = new Set<Socket>();
  #keepRunning = false;
  #unattended: Disposable | undefined;

  static async open(options: ControlServerOptions): Promise<ControlServer> {
    const address = controlAddress(options.dataDir);
    if (process.platform !== 'win32') {
      await mkdir(path.dirname(address), { recursive: true, mode: 0o700 });
      await rm(address, { force: true });
    }
    const server = new ControlServer(options, address);
    server.#server.listen(address);
    await once(server.#server, 'listening');
    server.#watchAttendance();
    return server;
  }

  private constructor(options: ControlServerOptions, address: string) {
    this.#options = options;
    this.address = address;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  get status(): EmbeddedStatus {
    return {
      ...this.#options.status(),
      windows: [...this.#peers].filter(({ role }) => role === 'window').length,
      keepRunning: this.#keepRunning,
    };
  }

  /** Tells everybody that the cluster stops. */
  announceStop(reason: string): void {
    for (const { channel, role } of this.#peers) {
      if (role !== 'stranger') channel.notify('stopping', { reason });
    }
  }

  async close(): Promise<void> {
    this.#unattended?.dispose();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroySoon();
    await closed;
  }

  #accept(socket: Socket): void {
    const { clock, logger } = this.#options;
    this.#sockets.add(socket);
    const warn = (problem: string): void => logger.warn(`control channel: ${problem}`);
    const peer: Peer = {
      role: 'stranger',
      channel: new Channel({
        transport: socketTransport(socket, warn),
        serves: controlBroker,
        calls: controlClient,
        handlers: {
          hello: ({ token, role }) => this.#hello(peer, socket, token, role),
          status: () => this.#known(peer, () => this.status),
          setKeepRunning: ({ keepRunning }) =>
            this.#known(peer, () => {
              this.#keepRunning = keepRunning;
              this.#watchAttendance();
              this.#publish();
              return {};
            }),
          stop: () =>
            this.#known(peer, () => {
              setImmediate(() => this.#options.stop('an editor asked for it'));
              return {};
            }),
        },
        onInvalid: warn,
      }),
    };
    this.#peers.add(peer);
    const timer = clock.setTimer(helloMs, () => {
      if (peer.role === 'stranger') socket.destroy();
    });
    socket.on('error', (error) => warn(error.message));
    socket.once('close', () => {
      timer.dispose();
      peer.channel.dispose();
      this.#peers.delete(peer);
      this.#sockets.delete(socket);
      this.#watchAttendance();
      this.#publish();
    });
  }

  #hello(peer: Peer, socket: Socket, token: string, role: 'window' | 'observer'): EmbeddedStatus {
    const given = Buffer.from(token);
    const expected = Buffer.from(this.token);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      setImmediate(() => socket.destroySoon());
      throw new Error('the token is not that of the lock file');
    }
    peer.role = role;
    this.#watchAttendance();
    this.#publish();
    return this.status;
  }

  #known<T>(peer: Peer, answer: () => T): T {
    if (peer.role === 'stranger') throw new Error('say hello first');
    return answer();
  }

  #publish(): void {
    const { status } = this;
    for (const { channel, role } of this.#peers) {
      if (role !== 'stranger') channel.notify('status', status);
    }
  }

  /** Starts, or calls off, the countdown to a stop that nobody is there to see. */
  #watchAttendance(): void {
    const { clock, unattendedMs, stop } = this.#options;
    this.#unattended?.dispose();
    this.#unattended = undefined;
    if (unattendedMs === undefined || this.#keepRunning || this.status.windows > 0) return;
    this.#unattended = clock.setTimer(unattendedMs, () => stop('no editor window is left'));
  }
}

/** Short, as macOS allows a socket's path about 104 bytes, and the same for the same directory. */
function controlAddress(dataDir: string): string {
  const hash = createHash('sha256').update(path.resolve(dataDir)).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return `\\\\.\\pipe\\kafka-workbench-${hash}`;
  const runtime = process.env['XDG_RUNTIME_DIR'] ?? tmpdir();
  const folder = path.join(runtime, `kafka-workbench-${userInfo().uid}`);
  return path.join(folder, `${hash}.sock`);
}
