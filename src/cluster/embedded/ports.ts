import { readdir, readFile, readlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { t } from '../../base/l10n.ts';

const portsTried = 50;

/** Whether something could listen there now. Throws what is wrong with the address itself. */
export function isPortFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(new Error(t('cannot listen on {0}:{1}: {2}', host, port, error.message)));
    });
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** The next free port above `port`; 0, any free one, where there is none near. */
export async function nextFreePort(host: string, port: number): Promise<number> {
  for (let next = port + 1; next <= Math.min(port + portsTried, 65535); next++) {
    if (await isPortFree(host, next)) return next;
  }
  return 0;
}

/** Who listens on a port, such as `java (process 4242)`. Undefined where the system does not tell (only Linux does). */
export async function portHolder(port: number): Promise<string | undefined> {
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

async function processWithSocket(inode: string): Promise<string | undefined> {
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    // Other people's processes do not let themselves be looked at.
    const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
    for (const file of files) {
      const link = await readlink(`/proc/${pid}/fd/${file}`).catch(() => '');
      if (link !== `socket:[${inode}]`) continue;
      return t('{0} (process {1})', await programOf(pid), pid);
    }
  }
  return undefined;
}

/** By its command line: `comm` is the name of a thread, which Node and Java give themselves. */
async function programOf(pid: string): Promise<string> {
  const [program = ''] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  return path.basename(program) || (await readFile(`/proc/${pid}/comm`, 'utf8')).trim();
}
