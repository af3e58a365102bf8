import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';

export interface PortHolder {
  readonly program: string;
  readonly pid: number;
}

/** Who listens on a port. Undefined where the system does not tell (only Linux does). */
export async function portHolder(port: number): Promise<PortHolder | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    const inode = await listeningInode(port);
    return inode === undefined ? undefined : await processWithSocket(inode);
  } catch {
    return undefined;
  }
}

const listenState = '0A';

async function listeningInode(port: number): Promise<string | undefined> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of (await readFile(table, 'utf8')).split('\n').slice(1)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      if (local?.endsWith(`:${hex}`) && state === listenState) return inode;
    }
  }
  return undefined;
}

async function processWithSocket(inode: string): Promise<PortHolder | undefined> {
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    // Other people's processes do not let themselves be looked at.
    const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
    for (const file of files) {
      const link = await readlink(`/proc/${pid}/fd/${file}`).catch(() => '');
      if (link !== `socket:[${inode}]`) continue;
      return { program: await programOf(pid), pid: Number(pid) };
    }
  }
  return undefined;
}

/** By its command line: `comm` is the name of a thread, which Node and Java give themselves. */
async function programOf(pid: string): Promise<string> {
  const [program = ''] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  return path.basename(program) || (await readFile(`/proc/${pid}/comm`, 'utf8')).trim();
}
