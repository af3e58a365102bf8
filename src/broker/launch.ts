import { randomBytes } from 'node:crypto';
import { readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../base/clock.ts';
import { deferred } from '../base/deferred.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import { makeDirectory } from '../base/makeDirectory.ts';
import { type RunningCluster, startCluster } from './cluster.ts';
import { controlAddress } from './control/controlAddress.ts';
import { type ControlledCluster, ControlServer } from './control/controlServer.ts';
import { lockDataDirectory, lockFileName } from './control/lockFile.ts';
import type { EmulationName } from './emulation/emulationName.ts';
import { makeMemoryFolder } from './memoryFolder.ts';

export interface LaunchOptions {
  /** Null: a temporary directory, removed at the end. */
  readonly dataDir: string | null;
  readonly host?: string;
  /** 0: any free port. */
  readonly port?: number;
  /** Kafka's broker configs. */
  readonly configs?: Readonly<Record<string, string>>;
  readonly emulate?: EmulationName | undefined;
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
 * Locks the data directory, opens the control channel and starts a cluster. Who finds the lock before the
 * cluster serves can say hello and wait. Rejects with a DataDirectoryError, or as `startCluster` does; nothing
 * is left behind then, also no directory that was not there before.
 */
export async function launchCluster(options: LaunchOptions): Promise<LaunchedCluster> {
  const undo: (() => Promise<void>)[] = [];
  const unwind = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  const serving = deferred<ControlledCluster>();
  serving.promise.catch(() => undefined); // nobody may be waiting for it
  try {
    return await launch(options, { undo, unwind, serving });
  } catch (error) {
    serving.reject(error as Error);
    await unwind();
    throw error;
  }
}

interface Launching {
  /** What is to be undone at the end, last first. */
  readonly undo: (() => Promise<void>)[];
  readonly unwind: () => Promise<void>;
  readonly serving: ReturnType<typeof deferred<ControlledCluster>>;
}

async function launch(
  options: LaunchOptions,
  { undo, unwind, serving }: Launching,
): Promise<LaunchedCluster> {
  const { logger = silentLogger, version, configs, host, port, emulate } = options;
  const dataDir = options.dataDir ?? (await makeMemoryFolder(logger));
  if (options.dataDir === null) undo.push(() => rm(dataDir, { recursive: true, force: true }));
  const { pid } = process;
  const control = controlAddress(dataDir);
  const token = randomBytes(24).toString('base64url');
  const said = { pid, control, token, bootstrap: '', version };
  // What cannot be made is explained by who takes the lock.
  const isNew = (await makeDirectory(dataDir).catch(() => undefined)) !== undefined;
  if (isNew) undo.push(() => rmdir(dataDir).catch(() => undefined)); // it has data, unless the start failed
  const lock = await lockDataDirectory(dataDir, said);
  undo.push(() => lock.release());
  const server = await ControlServer.open({
    address: control,
    token,
    cluster: serving.promise,
    clock: systemClock,
    logger,
    unattendedMs: options.unattendedMs,
    stop: options.onStopRequest,
  });
  // Who waits for the end of the connection finds the directory free: the lock goes before.
  undo.splice(-1, 0, () => server.close());
  const cluster = await startCluster({
    dataDir,
    logger,
    emulate,
    ...(configs && { configs }),
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
  }).catch(async (error: unknown) => {
    if (isNew) await removeAllButLock(dataDir);
    throw error;
  });
  undo.push(() => cluster.close());
  const { bootstrap, brokers, operations } = cluster;
  await lock.publish({ ...said, bootstrap });
  const startedAtMs = Date.now();
  const place = { dataDir: options.dataDir, startedAtMs };
  const details = { version, pid, bootstrap, brokers: [...brokers], ...place };
  serving.resolve({ details, operations });
  return {
    cluster,
    dataDir: options.dataDir,
    control,
    async stop(reason) {
      server.announceStop(reason);
      await unwind();
    },
  };
}

async function removeAllButLock(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name !== lockFileName);
  await Promise.all(
    names.map((name) => rm(path.join(dataDir, name), { recursive: true, force: true })),
  );
}
