import type { Clock } from '../../base/clock.ts';
import { t } from '../../base/l10n.ts';
import { throwIfCancelled } from '../../client/kafkaError.ts';
import { launchBroker, type ReadyLine } from './brokerProcess.ts';
import { isHeld } from './embeddedControl.ts';
import type { EmbeddedClusterOptions } from './embeddedOptions.ts';
import { endByForce } from './ending.ts';
import { freePort, type WantedPort } from './freePort.ts';
import { polled } from './polling.ts';

const fasterTimeoutMs = 10_000;

export interface Starting {
  readonly options: EmbeddedClusterOptions;
  readonly clock: Clock;
  /** The address of the process that holds the data directory; undefined if none does. */
  readonly attach: () => Promise<string | undefined>;
  readonly setKeepRunning: () => Promise<void>;
  readonly onNotice: (words: string) => void;
  readonly signal: AbortSignal;
}

/** Starts the process and attaches to it, or to the one of another window that was faster. */
export async function startProcess(starting: Starting): Promise<string> {
  const { options, clock, attach, signal } = starting;
  const { executable, execArgv = [], cliPath, dataDir, settings } = options;
  const { host, configs, keepRunning, emulate = '', ...wanted } = settings();
  const port = await choosePort(starting, { host, ...wanted });
  const launch = { executable, execArgv, cliPath, dataDir, host, port, configs, emulate };
  let ready: ReadyLine | undefined;
  try {
    ready = await launchBroker({ ...launch, clock }, signal);
    throwIfCancelled(signal);
    const bootstrap = await attach();
    if (bootstrap === undefined) throw new Error(t('its control channel does not answer'));
    if (keepRunning) await starting.setKeepRunning();
    return bootstrap;
  } catch (error) {
    if (ready) endByForce(ready.pid);
    throwIfCancelled(signal);
    const bootstrap = ready ? undefined : await attachToFaster(starting);
    if (bootstrap === undefined) throw error;
    return bootstrap;
  }
}

/** Another window may have been faster, and its process may not be ready yet. */
async function attachToFaster(starting: Starting): Promise<string | undefined> {
  const { attach, clock, signal, options } = starting;
  const found = await polled({ clock, timeoutMs: fasterTimeoutMs, signal }, async () => {
    const bootstrap = await attach();
    const isOver = bootstrap !== undefined || !(await isHeld(options.dataDir));
    return isOver ? { bootstrap } : undefined;
  });
  return found?.bootstrap;
}

async function choosePort({ onNotice }: Starting, wanted: WantedPort): Promise<number> {
  const { port, taken } = await freePort(wanted);
  if (taken !== undefined) {
    const instead = port === 0 ? t('a free port') : t('port {0}', port);
    onNotice(t('The embedded cluster takes {0}, as {1}.', instead, taken));
  }
  return port;
}
