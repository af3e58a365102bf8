import { chmod, mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { type LockFile, lockFile } from '../../shared/contracts/control.ts';

export const lockFileName = 'kafka-workbench.lock';

/** The data directory cannot be had; the message says why and what to do. */
export class DataDirectoryError extends Error {
  override name = 'DataDirectoryError';
}

/** This process's hold on a data directory. */
export interface DataDirectoryLock {
  /** Writes where clients and the control channel are. */
  publish(content: LockFile): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes a data directory for this process, and makes it where it is missing. A lock whose process is gone is
 * taken over. Rejects with a DataDirectoryError where another process lives in it, or it cannot be written.
 */
export async function lockDataDirectory(dataDir: string): Promise<DataDirectoryLock> {
  const file = path.join(dataDir, lockFileName);
  try {
    await mkdir(dataDir, { recursive: true });
    await takeLock(file, dataDir);
  } catch (error) {
    throw error instanceof DataDirectoryError ? error : explained(dataDir, error);
  }
  return {
    async publish(content) {
      const handle = await open(file, 'w', 0o600);
      try {
        await handle.writeFile(JSON.stringify(content));
      } finally {
        await handle.close();
      }
      await chmod(file, 0o600);
    },
    release: () => rm(file, { force: true }),
  };
}

async function takeLock(file: string, dataDir: string): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const handle = await open(file, 'wx', 0o600);
      await handle.writeFile(JSON.stringify({ pid: process.pid }));
      await handle.close();
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      await removeStaleLock(file, dataDir);
    }
  }
  throw new DataDirectoryError(`another process keeps taking the data directory ${dataDir}`);
}

async function removeStaleLock(file: string, dataDir: string): Promise<void> {
  const holder = await readHolder(file);
  if (holder !== undefined && holder.pid !== process.pid && isAlive(holder.pid)) {
    const where = holder.bootstrap === undefined ? '' : ` It serves ${holder.bootstrap}.`;
    throw new DataDirectoryError(
      `the data directory ${dataDir} is in use by process ${holder.pid}.${where} Stop it, or choose another --data-dir.`,
    );
  }
  await rm(file, { force: true });
}

const holderShape = v.object({ pid: v.number(), bootstrap: v.optional(v.string()) });

async function readHolder(file: string): Promise<v.InferOutput<typeof holderShape> | undefined> {
  try {
    const parsed = v.safeParse(holderShape, JSON.parse(await readFile(file, 'utf8')));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** The lock of a running cluster; undefined where there is none, or it is only starting. */
export async function readLock(dataDir: string): Promise<LockFile | undefined> {
  try {
    const text = await readFile(path.join(dataDir, lockFileName), 'utf8');
    const parsed = v.safeParse(lockFile, JSON.parse(text));
    return parsed.success && isAlive(parsed.output.pid) ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** Signal 0 only asks. EPERM: there is one, of another user. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function explained(dataDir: string, error: unknown): DataDirectoryError {
  const { code, message } = error as NodeJS.ErrnoException;
  const isRefused = code === 'EACCES' || code === 'EROFS' || code === 'EPERM';
  return new DataDirectoryError(
    isRefused
      ? `the data directory ${dataDir} cannot be written: ${message}. Change its permissions, or choose another --data-dir.`
      : `the data directory ${dataDir} cannot be used: ${message}`,
  );
}
