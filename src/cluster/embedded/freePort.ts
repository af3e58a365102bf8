import { t } from '../../base/l10n.ts';
import { ProblemError } from '../problems.ts';
import type { EmbeddedSettings } from './embeddedSettings.ts';
import { isPortFree, nextFreePort, portHolder } from './ports.ts';

export type WantedPort = Pick<EmbeddedSettings, 'host' | 'port' | 'allowOtherPort'>;

/** The port that is wanted, or the next free one, with what the other is taken by. Rejects where it may not be another. */
export async function freePort({
  host,
  port,
  allowOtherPort,
}: WantedPort): Promise<{ readonly port: number; readonly taken?: string }> {
  if (port === 0 || (await isPortFree(host, port))) return { port };
  const holder = (await portHolder(port)) ?? t('another program');
  const taken = t('port {0} is taken by {1}', port, holder);
  if (!allowOtherPort) {
    throw new ProblemError(taken, t('Stop that, choose another port, or allow another port.'));
  }
  return { port: await nextFreePort(host, port), taken };
}
