// Things that are fetched once and shared: by many checkouts, and by processes that start together.
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheDir } from './cache.mjs';

const POLL_MS = 200;

/**
 * Absolute path of `name` in the cache folder, made by `install` if it is not there yet.
 *
 * `install` fills a draft folder, which is renamed into place when it is complete: a folder under its
 * final name is never half made. The lock only spares a second process the same work; the rename
 * decides, so a lock that was stolen from a dead process by two others at once does no harm.
 */
export async function installOnce(
  name: string,
  install: (folder: string) => Promise<void>,
): Promise<string> {
  const target = path.join(cacheDir(), name);
  if (existsSync(target)) return target;
  const release = await takeLock(`${target}.lock`);
  try {
    if (existsSync(target)) return target;
    await removeAbandonedDrafts(name);
    const draft = `${target}.${process.pid}.draft`;
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true });
    await install(draft);
    await moveIntoPlace(draft, target);
    return target;
  } finally {
    await release();
  }
}

async function moveIntoPlace(draft: string, target: string): Promise<void> {
  try {
    await rename(draft, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
    await rm(draft, { recursive: true, force: true });
  }
}

async function removeAbandonedDrafts(name: string): Promise<void> {
  for (const entry of await readdir(cacheDir())) {
    if (!entry.startsWith(`${name}.`) || !entry.endsWith('.draft')) continue;
    const pid = Number(entry.slice(name.length + 1, -'.draft'.length));
    if (!Number.isInteger(pid) || isAlive(pid)) continue;
    await rm(path.join(cacheDir(), entry), { recursive: true, force: true });
  }
}

async function takeLock(file: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      const handle = await open(file, 'wx');
      await writeFile(handle, String(process.pid));
      await handle.close();
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (await isHeld(file)) await sleep(POLL_MS);
    else await rm(file, { force: true });
  }
}

async function isHeld(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return false; // released just now
  if (text === '') return true; // made just now, its owner is about to sign it
  return isAlive(Number(text));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
