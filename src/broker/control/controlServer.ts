import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
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
import type { ClusterOperations } from '../clusterOperations.ts';
import { prepareControlAddress } from './controlAddress.ts';

/** What is said of the cluster; windows and keepRunning are the server's own. */
export type ClusterDetails = Omit<EmbeddedStatus, 'windows' | 'keepRunning' | 'clockAheadMs'>;

/** The cluster that the channel is for. */
export interface ControlledCluster {
  readonly details: ClusterDetails;
  readonly operations: ClusterOperations;
}

export interface ControlServerOptions {
  readonly address: string;
  /** What `hello` has to show. */
  readonly token: string;
  /** Settles when the cluster serves, or cannot be started; who says hello earlier waits for it. */
  readonly cluster: Promise<ControlledCluster>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Stop after so long without a window; undefined: never by itself. */
  readonly unattendedMs?: number | undefined;
  readonly stop: (reason: string) => void;
}

interface Peer {
  readonly socket: Socket;
  readonly channel: Channel<typeof controlBroker, typeof controlClient>;
  role: 'stranger' | 'window' | 'observer';
}

/** A stranger that has not said hello by then is let go. */
const helloMs = 5000;
/** More than any number of editor windows; beyond it connections are refused. */
const maxPeers = 256;

/**
 * The one way to what only the embedded cluster can do: a local socket whose first call must show the token
 * of the lock file. Windows are counted, so that the cluster ends some time after the last one left.
 */
export class ControlServer {
  readonly #options: ControlServerOptions;
  readonly #server: Server;
  readonly #peers = new Set<Peer>();
  #cluster: ControlledCluster | undefined;
  #keepRunning = false;
  #unattended: Disposable | undefined;
  #isClosing = false;

  static async open(options: ControlServerOptions): Promise<ControlServer> {
    await prepareControlAddress(options.address);
    const server = new ControlServer(options);
    server.#server.listen(options.address);
    await once(server.#server, 'listening');
    return server;
  }

  private constructor(options: ControlServerOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#accept(socket));
    this.#server.on('error', (error) => options.logger.warn(`control channel: ${error.message}`));
    options.cluster.then(
      (cluster) => {
        this.#cluster = cluster;
        this.#watchAttendance();
      },
      () => undefined, // who waits for it is told; nobody else has to be
    );
  }

  /** Tells everybody that the cluster stops. */
  announceStop(reason: string): void {
    for (const { channel } of this.#known()) channel.notify('stopping', { reason });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#unattended?.dispose();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const { socket } of this.#peers) socket.destroySoon();
    await closed;
  }

  #known(): Peer[] {
    return [...this.#peers].filter(({ role }) => role !== 'stranger');
  }

  get #windows(): number {
    return this.#known().filter(({ role }) => role === 'window').length;
  }

  async #operations(): Promise<ClusterOperations> {
    return (await this.#options.cluster).operations;
  }

  async #status(): Promise<EmbeddedStatus> {
    return this.#statusOf(await this.#options.cluster);
  }

  #statusOf({ details, operations: { clockAheadMs } }: ControlledCluster): EmbeddedStatus {
    const keepRunning = this.#keepRunning;
    return { ...details, windows: this.#windows, keepRunning, clockAheadMs };
  }

  #accept(socket: Socket): void {
    const { clock, logger } = this.#options;
    const warn = (problem: string): void => logger.warn(`control channel: ${problem}`);
    socket.on('error', (error) => logger.debug(`control channel: ${error.message}`));
    if (this.#peers.size >= maxPeers || this.#isClosing) {
      socket.destroy();
      return;
    }
    const transport = socketTransport(socket, warn);
    const handlers = this.#handlers(() => peer);
    const channel = new Channel({
      transport,
      serves: controlBroker,
      calls: controlClient,
      handlers,
      onInvalid: warn,
    });
    const peer: Peer = { socket, channel, role: 'stranger' };
    this.#peers.add(peer);
    const timer = clock.setTimer(helloMs, () => {
      if (peer.role === 'stranger') socket.destroy();
    });
    socket.once('close', () => {
      timer.dispose();
      channel.dispose();
      this.#peers.delete(peer);
      this.#changed();
    });
  }

  #handlers(
    peer: () => Peer,
  ): ConstructorParameters<
    typeof Channel<typeof controlBroker, typeof controlClient>
  >[0]['handlers'] {
    const guarded = <T>(answer: () => T): T => {
      if (peer().role === 'stranger') throw new Error('say hello first');
      return answer();
    };
    return {
      hello: ({ token, role }) => this.#hello(peer(), token, role),
      status: () => guarded(() => this.#status()),
      setKeepRunning: ({ keepRunning }) =>
        guarded(() => {
          this.#keepRunning = keepRunning;
          this.#changed();
          return {};
        }),
      advanceClock: ({ byMs }) =>
        guarded(async () => {
          const time = await (await this.#operations()).advanceClock(byMs);
          this.#changed();
          return time;
        }),
      runMaintenance: ({ tasks }) =>
        guarded(async () => ({ done: await (await this.#operations()).runMaintenance(tasks) })),
      servedPositions: ({ topics }) =>
        guarded(async () => ({
          positions: (await this.#operations())
            .servedPositions(topics)
            .map((each) => ({ ...each, offset: each.offset.toString() })),
        })),
      connectedClients: () => guarded(async () => (await this.#operations()).connectedClients()),
      removeGroupMembers: ({ groupId }) =>
        guarded(async () => (await this.#operations()).removeGroupMembers(groupId)),
      stop: () =>
        guarded(() => {
          setImmediate(() => this.#options.stop('it was asked to stop'));
          return {};
        }),
    };
  }

  #hello(peer: Peer, token: string, role: 'window' | 'observer'): Promise<EmbeddedStatus> {
    const given = Buffer.from(token);
    const expected = Buffer.from(this.#options.token);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      setImmediate(() => peer.socket.destroySoon());
      throw new Error('the token is not that of the lock file');
    }
    peer.role = role;
    this.#changed();
    return this.#status();
  }

  /** Who is there, or what was set, has changed: everybody is told, and the countdown begins or ends. */
  #changed(): void {
    if (this.#isClosing || !this.#cluster) return;
    this.#watchAttendance();
    const status = this.#statusOf(this.#cluster);
    for (const { channel } of this.#known()) channel.notify('status', status);
  }

  /** Starts, or calls off, the countdown to a stop that nobody is there to see. */
  #watchAttendance(): void {
    const { clock, unattendedMs, stop } = this.#options;
    const isAttended = this.#keepRunning || this.#windows > 0;
    if (unattendedMs === undefined || isAttended) {
      this.#unattended?.dispose();
      this.#unattended = undefined;
      return;
    }
    this.#unattended ??= clock.setTimer(unattendedMs, () => stop('no editor window is left'));
  }
}
