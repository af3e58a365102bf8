import { type BrokerConfig, brokerConfigs } from './brokerConfigs.ts';
import { brokerSynonyms } from './topicConfigs.ts';
import { coarserConfigs } from './coarserConfigs.ts';
import { unusedFixedNames } from './unusedConfigs.ts';

/**
 * The configs of a broker that can be changed while it runs; topics' defaults are all among them.
 * [DynamicBrokerConfig.ALL_DYNAMIC_CONFIGS]
 */
const dynamicNames: ReadonlySet<string> = new Set([
  ...Object.values(brokerSynonyms),
  'group.consumer.assignment.interval.ms',
  'log.cleaner.backoff.ms',
  'log.cleaner.dedupe.buffer.size',
  'producer.id.expiration.ms',
  'transaction.partition.verification.enable',
]);

/** False also for names that are not known here. */
export function isDynamic(name: string): boolean {
  return dynamicNames.has(name);
}

/** Whether the config is one of Kafka's, and read at the start of a broker only. */
export function isFixed(name: string): boolean {
  if (unusedFixedNames.has(name) || coarserConfigs.has(name)) return true;
  return Object.hasOwn(brokerConfigs, name) && !dynamicNames.has(name);
}

/** Where a broker config's value can come from, the strongest first, in Kafka's numbers. [ConfigSource] */
export const brokerSources = { broker: 2, cluster: 3, static: 4, default: 5 } as const;

export interface SourcedValue {
  readonly value: string | null;
  readonly source: number;
}

/** Every value that a broker config has, the strongest first; the default, where there is one, is the last. */
export function sourcedValues(config: BrokerConfig, name: string): SourcedValue[] {
  const { broker, cluster } = config.dynamic();
  const all = [
    { value: broker.get(name), source: brokerSources.broker },
    { value: cluster.get(name), source: brokerSources.cluster },
    { value: config.static(name), source: brokerSources.static },
    { value: config.default(name), source: brokerSources.default },
  ];
  return all.flatMap(({ value, source }) =>
    value === undefined || value === null ? [] : [{ value, source }],
  );
}
