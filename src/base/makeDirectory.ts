import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a directory, with those above it that are missing. Resolves with the first that had to be made, or undefined.
 * Not by Node's `recursive`: that never ends where a file system says ENOENT below a directory that is there, as /proc.
 */
export async function makeDirectory(directory: string): Promise<string | undefined> {
  try {
    return await makeOne(directory);
  } catch (error) {
    const parent = path.dirname(directory);
    const lacksParent = (error as NodeJS.ErrnoException).code === 'ENOENT' && parent !== directory;
    if (!lacksParent) throw error;
    // Somebody else may have made the parent meanwhile: it is tried again in any case, and only once.
    const first = (await isDirectory(parent)) ? undefined : await makeDirectory(parent);
    const last = await makeOne(directory);
    return first ?? last;
  }
}

/** Undefined where it is there already. */
async function makeOne(directory: string): Promise<string | undefined> {
  try {
    await mkdir(directory);
    return directory;
  } catch (error) {
    if (await isDirectory(directory)) return undefined;
    throw error;
  }
}

async function isDirectory(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found?.isDirectory() === true;
}
