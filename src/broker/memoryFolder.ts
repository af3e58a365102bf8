import { constants } from 'node:fs';
import { access, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { errorMessage, type Logger } from '../base/logger.ts';
import { isAbandoned } from './control/lockFile.ts';

/** Containers have a memory file system of 64 MiB by default: too little to be of use. */
const leastMemoryBytes = 1 << 30;
const prefix = 'kafka-workbench-';
/** `mkdtemp` adds six characters. */
const ours = new RegExp(`^${prefix}[A-Za-z0-9]{6}$`);
/** A cluster that starts has its folder a moment before its lock. */
const youngMs = 60_000;

/** A new folder for a cluster "in memory"; what clusters that were killed have left is removed first. */
export async function makeMemoryFolder(logger: Logger): Promise<string> {
  const parent = await memory();
  await removeAbandoned(parent, logger);
  return mkdtemp(path.join(parent, prefix));
}

/** Folders whose cluster lives are left alone; so is what cannot be looked at or belongs to somebody else. */
async function removeAbandoned(parent: string, logger: Logger): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((each) => ours.test(each))) {
    const folder = path.join(parent, name);
    try {
      if (!(await mayGo(folder))) continue;
      await rm(folder, { recursive: true, force: true });
      logger.info(`removed ${folder}: the cluster that kept its data there was killed`);
    } catch (error) {
      logger.debug(`${folder} stays: ${errorMessage(error)}`);
    }
  }
}

async function mayGo(folder: string): Promise<boolean> {
  const { uid, mtimeMs } = await stat(folder);
  if (process.getuid !== undefined && uid !== process.getuid()) return false;
  return (await isAbandoned(folder)) ?? Date.now() - mtimeMs > youngMs;
}

/** Where a cluster "in memory" has its files: Linux's memory file system if it has room, else the disk. */
async function memory(): Promise<string> {
  const shared = '/dev/shm';
  if (process.platform !== 'linux') return tmpdir();
  try {
    await access(shared, constants.W_OK);
    const { bavail, bsize } = await statfs(shared);
    return bavail * bsize >= leastMemoryBytes ? shared : tmpdir();
  } catch {
    return tmpdir();
  }
}
