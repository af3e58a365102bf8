// What Kafka asks of the configs of a running broker beyond their types. [DynamicBrokerConfig]
import type { BrokerConfig } from './brokerConfigs.ts';
import { numberOf } from './configText.ts';
import { withoutListener } from './listenerPrefix.ts';

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
  const own = withoutListener(name);
  return own === undefined ? ofOneBroker.test(name) : !clusterLevel.has(own);
}

/** Pools of threads that Kafka lets grow and shrink. Here are no threads, and nothing happens. */
const threadPools = [
  'background.threads',
  'log.cleaner.threads',
  'num.io.threads',
  'num.recovery.threads.per.data.dir',
  'num.replica.fetchers',
  'remote.log.manager.copier.thread.pool.size',
  'remote.log.manager.expiration.thread.pool.size',
  'remote.log.manager.follower.thread.pool.size',
  'remote.log.reader.threads',
];

export function threadsProblem(config: BrokerConfig, after: BrokerConfig): string | undefined {
  for (const name of threadPools) {
    const [now = 0, threads = 0] = [config, after].map((each) => numberOf(each.text(name) ?? ''));
    const problem = poolProblem(name, now, threads);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** A pool may be halved or doubled at a time. [DynamicThreadPool.validateReconfiguration] */
export function poolProblem(name: string, now: number, threads: number): string | undefined {
  if (threads < Math.floor(now / 2)) return `${name} must be at least half of ${now}`;
  if (threads > 2 * now) return `${name} must be no more than double of ${now}`;
  return undefined;
}
