import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import * as v from 'valibot';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
import type { Logger } from '../../base/logger.ts';
import type { TopicPartition } from '../../client/partitionMap.ts';
import { Channel } from '../../shared/channel.ts';
import {
  controlBroker,
  controlClient,
  type EmbeddedStatus,
  type LockFile,
  lockFile,
} from '../../shared/contracts/control.ts';
import type { MaintenanceResult, MaintenanceTask } from '../../shared/maintenance.ts';
import { socketTransport } from '../../shared/socketTransport.ts';

export const lockFileName = 'kafka-workbench.lock';

/** The cluster's wall clock, and how far it is ahead of the machine's. */
export interface ClusterTime {
  readonly nowMs: number;
  readonly clockAheadMs: number;
}

/** Up to where a client of the embedded cluster has been sent a partition. */
export interface ServedPosition extends TopicPartition {
  readonly clientId: string;
  /** As in group descriptions: `/127.0.0.1`. */
  readonly clientHost: string;
  /** The first offset that it has not been sent. */
  readonly offset: bigint;
}

/** Who has connections open, and the groups that have members. */
export interface ConnectedClients {
  readonly clients: readonly { readonly clientId: string; readonly connections: number }[];
  readonly groups: readonly string[];
}

const helloTimeoutMs = 5000;
const clientsTimeoutMs = 2000;

/** The lock file of the process that holds a data directory. Undefined: there is none, or none to read. */
export async function readLockFile(dataDir: string): Promise<LockFile | undefined> {
  try {
    const text = await readFile(path.join(dataDir, lockFileName), 'utf8');
    const parsed = v.safeParse(lockFile, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** Whether some process that lives holds the data directory, ready or not. */
export async function isHeld(dataDir: string): Promise<boolean> {
  try {
    const text = await readFile(path.join(dataDir, lockFileName), 'utf8');
    const { pid } = v.parse(v.object({ pid: v.number() }), JSON.parse(text));
    return isAlive(pid);
  } catch {
    return false;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Someone else's process is alive all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A window's connection to the embedded cluster's process; while it is open, the cluster stays up. */
export class EmbeddedControl implements Disposable {
  readonly #socket: Socket;
  readonly #channel: Channel<typeof controlClient, typeof controlBroker>;
  readonly #closeEmitter = new Emitter<void>();
  readonly onDidClose = this.#closeEmitter.event;
  readonly #statusEmitter = new Emitter<EmbeddedStatus>();
  readonly onDidChangeStatus = this.#statusEmitter.event;
  /** Why the process said that it stops; undefined if it said nothing. */
  stopReason: string | undefined;

  /** Registers this window with the process that wrote the lock file. Rejects where it does not answer. */
  static async open(
    lock: LockFile,
    logger: Logger,
    signal?: AbortSignal,
  ): Promise<{ readonly control: EmbeddedControl; readonly status: EmbeddedStatus }> {
    const timeout = AbortSignal.timeout(helloTimeoutMs);
    const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
    const control = new EmbeddedControl(await connectTo(lock.control, either), logger);
    try {
      const { token } = lock;
      const status = await control.#channel.call('hello', { token, role: 'window' }, either);
      return { control, status };
    } catch (error) {
      control.dispose();
      throw error;
    }
  }

  private constructor(socket: Socket, logger: Logger) {
    this.#socket = socket;
    const onInvalid = (problem: string): void => logger.warn(`control channel: ${problem}`);
    this.#channel = new Channel({
      transport: socketTransport(socket, onInvalid),
      serves: controlClient,
      handlers: {
        stopping: ({ reason }) => {
          this.stopReason = reason;
        },
        status: (status) => this.#statusEmitter.fire(status),
      },
      calls: controlBroker,
      onInvalid,
    });
    socket.on('error', (error) => logger.debug(`control channel: ${error.message}`));
    socket.on('close', () => {
      this.#channel.dispose();
      this.#closeEmitter.fire();
    });
  }

  async setKeepRunning(keepRunning: boolean): Promise<void> {
    await this.#channel.call('setKeepRunning', { keepRunning });
  }

  advanceClock(byMs: number): Promise<ClusterTime> {
    return this.#channel.call('advanceClock', { byMs });
  }

  async runMaintenance(tasks: readonly MaintenanceTask[]): Promise<readonly MaintenanceResult[]> {
    return (await this.#channel.call('runMaintenance', { tasks: [...tasks] })).done;
  }

  async servedPositions(topics: readonly string[]): Promise<ServedPosition[]> {
    const { positions } = await this.#channel.call('servedPositions', { topics: [...topics] });
    return positions.map((each) => ({ ...each, offset: BigInt(each.offset) }));
  }

  /** Rejects where the process does not answer soon: it is asked before it is stopped, which has to work then. */
  connectedClients(): Promise<ConnectedClients> {
    return this.#channel.call('connectedClients', {}, AbortSignal.timeout(clientsTimeoutMs));
  }

  removeGroupMembers(groupId: string): Promise<{ readonly removed: number }> {
    return this.#channel.call('removeGroupMembers', { groupId });
  }

  /** Asks for a clean stop; the connection closes when the process ends. */
  async stop(signal?: AbortSignal): Promise<void> {
    await this.#channel.call('stop', {}, signal);
  }

  /** Leaves; the process stays. */
  dispose(): void {
    this.#closeEmitter.dispose();
    this.#statusEmitter.dispose();
    this.#channel.dispose();
    this.#socket.destroy();
  }
}

function connectTo(address: string, signal: AbortSignal): Promise<Socket> {
  if (signal.aborted) return Promise.reject(new Error('cancelled'));
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    const abort = (): void => {
      socket.destroy();
      reject(new Error(t('the embedded cluster does not answer')));
    };
    signal.addEventListener('abort', abort, { once: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      signal.removeEventListener('abort', abort);
      socket.removeListener('error', reject);
      resolve(socket);
    });
  });
}
