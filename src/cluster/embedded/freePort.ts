import { createServer } from 'node:net';
import { t } from '../../base/l10n.ts';
import { type PortHolder, portHolder } from '../../base/portHolder.ts';
import { ProblemError } from '../problems.ts';
import type { EmbeddedSettings } from './embeddedSettings.ts';

const portsTried = 50;

export type WantedPort = Pick<EmbeddedSettings, 'host' | 'port' | 'allowOtherPort'>;

/**
 * The port that is wanted, or the next free one, with what the other is taken by. Rejects where it may not be another.
 */
export async function freePort({
  host,
  port,
  allowOtherPort,
}: WantedPort): Promise<{ readonly port: number; readonly taken?: string }> {
  if (port === 0 || (await isPortFree(host, port))) return { port };
  const holder = await portHolder(port);
  const taken = t('port {0} is taken by {1}', port, holder ? shown(holder) : t('another program'));
  if (!allowOtherPort) {
    throw new ProblemError(taken, t('Stop that, choose another port, or allow another port.'));
  }
  return { port: await nextFreePort(host, port), taken };
}

function shown({ program, pid }: PortHolder): string {
  return t('{0} (process {1})', program, String(pid));
}

/** Whether something could listen there now. Throws what is wrong with the address itself. */
function isPortFree(host: string, port: number): Promise<boolean> {
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
async function nextFreePort(host: string, port: number): Promise<number> {
  for (let next = port + 1; next <= Math.min(port + portsTried, 65535); next++) {
    if (await isPortFree(host, next)) return next;
  }
  return 0;
}
