import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import * as v from 'valibot';
import { type LockFile, lockFile } from '../../shared/contracts/control.ts';
import { makeDirectory } from '../../base/makeDirectory.ts';

export const lockFileName = 'kafka-workbench.lock';

/** The data directory cannot be had; the message says why and what to do. */
export class DataDirectoryError extends Error {
  override name = 'DataDirectoryError';
}

/** This process's hold on a data directory. */
export interface DataDirectoryLock {
  /** Says something new of this process. Readers see the old or the new content, never half of one. */
  publish(content: LockFile): Promise<void>;
  release(): Promise<void>;
}

/** A process that has just taken a lock needs a moment until its control channel answers. */
const startingMs = 2000;
const retryMs = 50;
const connectMs = 1000;
/** How often a stale lock is removed before we give up on a directory that others fight for too. */
const maxAttempts = 5;

/** Data directories that this process holds: another start in it is not told apart by the process id. */
const heldHere = new Set<string>();

/**
 * Takes a data directory for this process, and makes it where it is missing. A lock that a dead process left is
 * taken over, also where its process id has a new owner. Rejects with a DataDirectoryError where a cluster
 * lives in it, or it cannot be written.
 */
export async function lockDataDirectory(
  dataDir: string,
  content: LockFile,
): Promise<DataDirectoryLock> {
  const file = path.join(path.resolve(dataDir), lockFileName);
  try {
    await makeDirectory(dataDir);
    await takeLock(file, content);
  } catch (error) {
    throw error instanceof DataDirectoryError ? error : dataDirectoryProblem(dataDir, error);
  }
  heldHere.add(file);
  return {
    publish: (changed) => replaceWhole(file, JSON.stringify(changed)),
    async release() {
      await rm(file, { force: true });
      heldHere.delete(file);
    },
  };
}

/** The lock of a data directory whose process lives; undefined where there is none. */
export async function readLock(dataDir: string): Promise<LockFile | undefined> {
  const lock = (await readHolder(path.join(dataDir, lockFileName)))?.lock;
  return lock && isAlive(lock.pid) ? lock : undefined;
}

/**
 * Whether the cluster of a data directory is gone for certain: its process is, or has another owner now, which does not
 * listen where the cluster did. Undefined where no lock says anything.
 */
export async function isAbandoned(dataDir: string): Promise<boolean | undefined> {
  const file = path.join(path.resolve(dataDir), lockFileName);
  const lock = (await readHolder(file))?.lock;
  if (lock === undefined) return undefined;
  if (heldHere.has(file)) return false;
  if (!isAlive(lock.pid)) return true;
  const isStarting = lock.bootstrap === '';
  return !isStarting && (await reach(lock.control)) === 'refused';
}

async function takeLock(file: string, content: LockFile): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (await createWhole(file, JSON.stringify(content))) return;
    const holder = await readHolder(file);
    if (holder === undefined) continue; // it was released just now
    if (holder.lock && (await isHeld(file, holder.lock))) throw inUse(file, holder.lock);
    await removeStale(file, holder.text);
  }
  throw new DataDirectoryError(
    `other processes keep taking the data directory ${path.dirname(file)}; choose another`,
  );
}

/** Whether the cluster that wrote the lock lives: its process does, and answers where it said it would. */
async function isHeld(file: string, { pid, control, bootstrap }: LockFile): Promise<boolean> {
  if (heldHere.has(file)) return true;
  const patienceMs = bootstrap === '' ? startingMs : 0;
  for (let waitedMs = 0; isAlive(pid); waitedMs += retryMs) {
    if ((await reach(control)) === 'answered') return true;
    if (waitedMs >= patienceMs) return false;
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
  return false;
}

function reach(control: string): Promise<'answered' | 'refused' | 'silent'> {
  return new Promise((resolve) => {
    const socket = connect(control);
    const settle = (result: 'answered' | 'refused' | 'silent'): void => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(connectMs, () => settle('silent'));
    socket.once('connect', () => settle('answered')).once('error', () => settle('refused'));
  });
}

/** Puts a stale lock away, unless it has become somebody's fresh one meanwhile. */
async function removeStale(file: string, staleText: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
    const text = await readFile(aside, 'utf8');
    if (text !== staleText) await createWhole(file, text);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

interface Holder {
  readonly text: string;
  /** Undefined: not one of our locks. */
  readonly lock: LockFile | undefined;
}

async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    const text = await readFile(file, 'utf8');
    return { text, lock: parsed(text) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parsed(text: string): LockFile | undefined {
  try {
    const result = v.safeParse(lockFile, JSON.parse(text));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}

/** Makes the file with all its content at once; false where there is one. */
async function createWhole(file: string, text: string): Promise<boolean> {
  const temporary = `${file}.${randomUUID()}`;
  try {
    await writeFile(temporary, text, { mode: 0o600 });
    await link(temporary, file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    // FAT and some network drives have no links.
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'ENOSYS')
      return await createInPlace(file, text);
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function createInPlace(file: string, text: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(text).finally(() => handle.close());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function replaceWhole(file: string, text: string): Promise<void> {
  const temporary = `${file}.${randomUUID()}`;
  await writeFile(temporary, text, { mode: 0o600 });
  await rename(temporary, file);
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

function inUse(file: string, { pid, bootstrap }: LockFile): DataDirectoryError {
  const doing = bootstrap === '' ? 'which is starting' : `which serves ${bootstrap}`;
  const [holder, advice] =
    pid === process.pid
      ? ['another cluster of this process', 'Stop that one (its stop())']
      : [`process ${pid}`, 'Stop that one (kafka-workbench stop --data-dir)'];
  return new DataDirectoryError(
    `the data directory ${path.dirname(file)} is in use by ${holder}, ${doing}. ${advice}, or choose another directory.`,
  );
}

/** Why a data directory cannot be locked, and what to do. */
export function dataDirectoryProblem(dataDir: string, error: unknown): DataDirectoryError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const { what, advice } = refusals.get(code) ?? { what: 'cannot be used', advice: '' };
  const advised =
    advice === '' ? 'Choose another directory' : `${advice}, or choose another directory`;
  return new DataDirectoryError(`the data directory ${dataDir} ${what}: ${message}. ${advised}.`);
}

const notWritable = { what: 'cannot be written', advice: 'Change its permissions' };
const onFullDisk = { what: 'is on a full disk', advice: 'Free some space there' };
const refusals: ReadonlyMap<string, typeof notWritable> = new Map([
  ['EACCES', notWritable],
  ['EDQUOT', onFullDisk],
  ['ENOSPC', onFullDisk],
  ['EPERM', notWritable],
  ['EROFS', notWritable],
]);
