/** A cluster for people's tests: starts in this process, on a free port, in a temporary directory. */
import path from 'node:path';
import { checkOptions } from './api/checkOptions.ts';
import type { EmbeddedKafka, EmbeddedOptions } from './api/contract.ts';
import { controlsOf } from './api/controls.ts';
import { launchCluster } from './broker/launch.ts';
import { oldNodeProblem } from './cli/nodeVersion.ts';
import { type OptionWords, startProblem } from './cli/startProblem.ts';
import { version } from './version.ts';

export type { EmbeddedControls, EmbeddedKafka, EmbeddedOptions } from './api/contract.ts';

const optionWords: OptionWords = { port: 'port', host: 'host', configs: 'configs' };

/** Rejects, in words, where the port or the directory cannot be had or an option or a config is wrong. */
export async function startCluster(options: EmbeddedOptions = {}): Promise<EmbeddedKafka> {
  const problem = oldNodeProblem(process.versions.node);
  if (problem !== undefined) throw new Error(problem);
  const { dataDir, port = 0, host, configs, emulate } = checkOptions(options);
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= launched.stop('its owner stops it'));
  const launched = await launchCluster({
    dataDir: dataDir === undefined ? null : path.resolve(dataDir),
    port,
    ...(host !== undefined && { host }),
    ...(configs && { configs }),
    emulate,
    version,
    onStopRequest: () => void stop(),
  }).catch(async (error: unknown) => {
    throw new Error(await startProblem(error, optionWords), { cause: error });
  });
  const { bootstrap, brokers, listeners, operations } = launched.cluster;
  const isStopped = (): boolean => stopping !== undefined;
  const control = controlsOf({ address: launched.control, operations, isStopped });
  return { bootstrap, brokers, listeners, control, stop };
}
