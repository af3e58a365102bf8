import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a directory, with those above it that are missing. Resolves with the first that had to be made, or undefined.
 * Not by Node's `recursive`: that never ends where a file system says ENOENT below a directory that is there, as /proc.
 */
export async function makeDirectory(directory: string): Promise<string | undefined> {
  try {
    await mkdir(directory);
    return directory;
  } catch (error) {
    if (await isDirectory(directory)) return undefined;
    const parent = path.dirname(directory);
    const lacksParent = (error as NodeJS.ErrnoException).code === 'ENOENT' && parent !== directory;
    if (!lacksParent || (await isDirectory(parent))) throw error;
    const first = await makeDirectory(parent);
    const last = await makeDirectory(directory);
    return first ?? last;
  }
}

async function isDirectory(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found?.isDirectory() === true;
}
