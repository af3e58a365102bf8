// What Kafka asks of the configs of a running broker beyond their types. [DynamicBrokerConfig]
import type { BrokerConfig } from './brokerConfigs.ts';
import { numberOf } from './configText.ts';

const listenersOwn = /^listener\.name\.[^.]*\.(.*)$/s;

/** The config that a listener may have for itself; undefined where the name has no such prefix. */
export const listenersConfigName = (name: string): string | undefined =>
  listenersOwn.exec(name)?.[1];

/** Of a listener, and all the same for the cluster too. [CLUSTER_LEVEL_LISTENER_CONFIGS] */
const clusterLevel: ReadonlySet<string> = new Set([
  'max.connection.creation.rate',
  'max.connections',
  'num.network.threads',
]);

const ofOneBroker =
  /^(cordoned\.log\.dirs|principal\.builder\.class|sasl\.(login\.refresh|kerberos)\..*|sasl\.mechanism\.inter\.broker\.protocol|ssl\.(protocol|provider|cipher\.suites|enabled\.protocols|(key|trust)manager\.algorithm|endpoint\.identification\.algorithm|secure\.random\.implementation|engine\.factory\.class))$/;

/** Whether a broker has to be named with it. [DynamicBrokerConfig.perBrokerConfigs] */
export function isOfOneBroker(name: string): boolean {
  const own = listenersConfigName(name);
  return own === undefined ? ofOneBroker.test(name) : !clusterLevel.has(own);
}

/** Pools of threads that Kafka lets grow and shrink, with its defaults. Here are no threads, and nothing happens. */
const threadPools: Readonly<Record<string, string>> = {
  'background.threads': '10',
  'log.cleaner.threads': '1',
  'num.io.threads': '8',
  'num.network.threads': '3',
  'num.recovery.threads.per.data.dir': '2',
  'num.replica.fetchers': '1',
};

/** A pool may be halved or doubled at a time. [DynamicThreadPool.validateReconfiguration] */
export function threadsProblem(
  configs: ReadonlyMap<string, string>,
  config: BrokerConfig,
): string | undefined {
  for (const [name, usual] of Object.entries(threadPools)) {
    const value = configs.get(name);
    if (value === undefined) continue;
    const [threads, now] = [numberOf(value), numberOf(config.explicit(name) ?? usual)];
    if (threads < Math.floor(now / 2)) return `${name} must be at least half of ${now}`;
    if (threads > 2 * now) return `${name} must be no more than double of ${now}`;
  }
  return undefined;
}
