import { type BrokerConfig, brokerConfigs } from './brokerConfigs.ts';
import { brokerSynonyms } from './topicConfigs.ts';
import { coarserConfigs } from './coarserConfigs.ts';
import { connectionConfigs } from './connectionConfigs.ts';
import { hiddenDynamicConfigs } from './hiddenConfigs.ts';
import { unusedConfig, unusedWhileRunning } from './unusedConfigs.ts';

/**
 * The configs of a broker that can be changed while it runs; topics' defaults are all among them.
 * [DynamicBrokerConfig.ALL_DYNAMIC_CONFIGS]
 */
const dynamicNames: ReadonlySet<string> = new Set([
  ...Object.values(brokerSynonyms),
  ...Object.keys(connectionConfigs),
  ...Object.keys(unusedWhileRunning),
  ...Object.keys(hiddenDynamicConfigs),
  'cordoned.log.dirs',
  'group.consumer.assignment.interval.ms',
  'log.cleaner.backoff.ms',
  'log.cleaner.dedupe.buffer.size',
  'producer.id.expiration.ms',
  'ssl.cipher.suites',
  'ssl.enabled.protocols',
  'transaction.partition.verification.enable',
]);

/** False also for names that are not known here. */
export function isDynamic(name: string): boolean {
  return dynamicNames.has(name);
}

/** Whether the config is one of Kafka's, and read at the start of a broker only. */
export function isFixed(name: string): boolean {
  if (coarserConfigs.has(name)) return true;
  const isKnown = Object.hasOwn(brokerConfigs, name) || unusedConfig(name) !== undefined;
  return isKnown && !dynamicNames.has(name);
}

/** Where a broker config's value can come from, the strongest first, in Kafka's numbers. [ConfigSource] */
export const brokerSources = { broker: 2, cluster: 3, static: 4, default: 5 } as const;

export interface SourcedValue {
  readonly name: string;
  readonly value: string | null;
  readonly source: number;
}

/** Every value that a broker config has, or has by the other names, the strongest first and defaults last. */
export function sourcedValues(config: BrokerConfig, names: readonly string[]): SourcedValue[] {
  const { broker, cluster } = config.dynamic();
  const from = (
    source: keyof typeof brokerSources,
    valueOf: (name: string) => string | null | undefined,
  ): SourcedValue[] =>
    names.flatMap((name) => {
      const value = valueOf(name);
      return value === undefined || value === null
        ? []
        : [{ name, value, source: brokerSources[source] }];
    });
  return [
    ...from('broker', (name) => broker.get(name)),
    ...from('cluster', (name) => cluster.get(name)),
    ...from('static', (name) => config.given(name)),
    ...from('default', (name) => config.default(name)),
  ];
}
