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
  // Whoever asks for the stop before the cluster serves has it once it does.
  const stop = (): Promise<void> =>
    (stopping ??= launching.then((launched) => launched.stop('its owner stops it')));
  const launching = launchCluster({
    dataDir: dataDir === undefined ? null : path.resolve(dataDir),
    port,
    ...(host !== undefined && { host }),
    ...(configs && { configs }),
    emulate,
    version,
    onStopRequest: () => void stop().catch(() => undefined), // who started it is told
  }).catch(async (error: unknown) => {
    throw new Error(await startProblem(error, optionWords), { cause: error });
  });
  const { cluster, control: address } = await launching;
  const { bootstrap, brokers, listeners, operations } = cluster;
  const isStopped = (): boolean => stopping !== undefined;
  const control = controlsOf({ address, operations, isStopped });
  return { bootstrap, brokers, listeners, control, stop };
}
