import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../base/clock.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import { type RunningCluster, startCluster } from './cluster.ts';
import { ControlServer } from './control/controlServer.ts';
import { lockDataDirectory } from './control/lockFile.ts';

export interface LaunchOptions {
  /** Null: a temporary directory, removed at the end. */
  readonly dataDir: string | null;
  readonly host?: string;
  /** 0: any free port. */
  readonly port?: number;
  /** Kafka's broker configs. */
  readonly configs?: Readonly<Record<string, string>>;
  readonly logger?: Logger;
  readonly version: string;
  readonly unattendedMs?: number | undefined;
  /** Somebody asked over the control channel, or nobody is left, for the cluster to stop. */
  readonly onStopRequest: (reason: string) => void;
}

/** A cluster with its lock and its control channel. */
export interface LaunchedCluster {
  readonly cluster: RunningCluster;
  /** Null: temporary. */
  readonly dataDir: string | null;
  /** Address of the control channel. */
  readonly control: string;
  /** Stops cleanly: everything acknowledged is on disk, and the next start needs no recovery. */
  stop(reason: string): Promise<void>;
}

/**
 * Locks the data directory, starts a cluster in it and opens the control channel. Rejects with a
 * DataDirectoryError, or as `startCluster` does; nothing is left behind then.
 */
export async function launchCluster(options: LaunchOptions): Promise<LaunchedCluster> {
  const { logger = silentLogger, version, configs, host, port } = options;
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'kafka-workbench-')));
  const lock = await lockDataDirectory(dataDir);
  const undo: (() => Promise<void>)[] = [];
  if (options.dataDir === null) {
    undo.push(() => rm(dataDir, { recursive: true, force: true }));
  }
  undo.push(() => lock.release());
  const unwind = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const cluster = await startCluster({
      dataDir,
      logger,
      ...(configs && { configs }),
      ...(host !== undefined && { host }),
      ...(port !== undefined && { port }),
    });
    undo.push(() => cluster.close());
    const startedAtMs = Date.now();
    const { bootstrap, brokers } = cluster;
    const control = await ControlServer.open({
      dataDir,
      clock: systemClock,
      logger,
      unattendedMs: options.unattendedMs,
      stop: options.onStopRequest,
      status: () => ({
        version,
        pid: process.pid,
        bootstrap,
        brokers: [...brokers],
        dataDir: options.dataDir,
        startedAtMs,
      }),
    });
    undo.push(() => control.close());
    const { address, token } = control;
    await lock.publish({ pid: process.pid, control: address, token, bootstrap, version });
    return {
      cluster,
      dataDir: options.dataDir,
      control: address,
      async stop(reason) {
        control.announceStop(reason);
        await unwind();
      },
    };
  } catch (error) {
    await unwind();
    throw error;
  }
}
