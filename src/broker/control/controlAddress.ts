import { createHash } from 'node:crypto';
import { lstat, mkdir, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';

/** macOS allows 104 bytes, with the end mark. */
const maxPathBytes = 103;

/**
 * Where the control channel of a data directory listens: the same for the same directory, and short whatever
 * the directory's own path is. A named pipe on Windows.
 */
export function controlAddress(dataDir: string): string {
  const hash = createHash('sha256').update(path.resolve(dataDir)).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return `\\\\.\\pipe\\kafka-workbench-${hash}`;
  const folder = `kafka-workbench-${userInfo().uid}`;
  const candidates = [process.env['XDG_RUNTIME_DIR'], tmpdir(), '/tmp'].filter((base) => base);
  const paths = candidates.map((base) => path.join(base ?? '', folder, `${hash}.sock`));
  return paths.find((each) => Buffer.byteLength(each) <= maxPathBytes) ?? paths.at(-1) ?? '';
}

/**
 * Makes the socket's folder, for this user alone, and removes the socket of a process that is gone. The caller
 * holds the lock of the data directory. Rejects where the folder is somebody else's, who could put a socket of
 * their own there.
 */
export async function prepareControlAddress(address: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = path.dirname(address);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = await lstat(folder);
  const isOurs = uid === userInfo().uid && (mode & 0o077) === 0;
  if (!isOurs) {
    throw new Error(
      `the folder of the control channel, ${folder}, must belong to this user and be closed to others; remove it, or set XDG_RUNTIME_DIR`,
    );
  }
  await rm(address, { force: true });
}
