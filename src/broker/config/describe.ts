import { pluginConfigs } from './authorizerConfigs.ts';
import { type BrokerConfig, brokerConfigs } from './brokerConfigs.ts';
import { type ConfigDefinition, configTypeIds } from './configType.ts';
import { brokerSources, isDynamic, sourcedValues } from './dynamicConfigs.ts';
import { clientMetricsConfigs } from './clientMetricsConfigs.ts';
import { groupConfigNames, groupConfigOrigins, groupConfigs } from './ownGroupConfigs.ts';
import { shownConfig } from './shownConfig.ts';
import { brokerSynonyms, longMax, topicConfigNames, topicConfigs } from './topicConfigs.ts';

/** Where a value comes from, in Kafka's numbers. [DescribeConfigsResponse.ConfigSource] */
const sources = {
  topic: 1,
  ...brokerSources,
  brokerLogger: 6,
  clientMetrics: 7,
  group: 8,
} as const;

export interface ConfigSynonym {
  readonly name: string;
  readonly value: string | null;
  readonly source: number;
}

export interface ConfigEntry {
  readonly name: string;
  readonly value: string | null;
  readonly readOnly: boolean;
  readonly configSource: number;
  readonly isSensitive: boolean;
  /** From the strongest to the default. */
  readonly synonyms: readonly ConfigSynonym[];
  readonly configType: number;
  readonly documentation: string;
}

/** Every config of a topic with where its value comes from. [ConfigHelper.createTopicConfigEntry] */
export function configEntriesOf(
  broker: BrokerConfig,
  configs: ReadonlyMap<string, string>,
): ConfigEntry[] {
  return topicConfigNames.map((name) => {
    const own = shownOwn(topicConfigs[name], configs.get(name));
    const synonym = brokerSynonyms[name];
    const inherited = synonym === undefined ? [] : brokerValues(broker, synonym);
    const synonyms =
      own === undefined ? inherited : [{ name, value: own, source: sources.topic }, ...inherited];
    const { value = topicConfigs[name].default } = synonyms[0] ?? {};
    return entry(name, topicConfigs[name], { value, synonyms, readOnly: false });
  });
}

/** Every config of a broker. What cannot be changed while it runs is read-only. */
export function brokerEntriesOf(broker: BrokerConfig): ConfigEntry[] {
  return Object.entries(brokerConfigs).flatMap(([name, definition]) => {
    const isPlugin = Object.hasOwn(pluginConfigs, name);
    if (isPlugin && broker.explicit(name) === undefined) return [];
    const synonyms = isPlugin
      ? brokerValues(broker, name).filter(({ source }) => source !== sources.default)
      : brokerValues(broker, name);
    const readOnly = !isDynamic(name);
    const shown = isPlugin ? pluginConfig : definition;
    return [entry(name, shown, { value: broker.text(name), synonyms, readOnly })];
  });
}

/** What is set for all brokers, as it was set. [ConfigHelper.createBrokerConfigEntry] */
export function clusterEntriesOf(configs: ReadonlyMap<string, string>): ConfigEntry[] {
  return [...configs].map(([name, value]) => {
    const synonyms = [{ name, value, source: sources.cluster }];
    const definition = brokerConfigs[name] ?? pluginConfig;
    const shown = entry(name, definition, { value, synonyms, readOnly: !isDynamic(name) });
    return shown.isSensitive ? shown : { ...shown, value };
  });
}

/** Every config of a group; what it does not say itself, the broker says. [ConfigHelper.createGroupConfigEntry] */
export function groupEntriesOf(
  broker: BrokerConfig,
  configs: ReadonlyMap<string, string>,
): ConfigEntry[] {
  return groupConfigNames.map((name) => {
    const { from } = groupConfigOrigins[name];
    const own = shownOwn(groupConfigs[name], configs.get(name));
    const inherited = brokerValues(broker, from);
    const synonyms =
      own === undefined ? inherited : [{ name, value: own, source: sources.group }, ...inherited];
    const { value = groupConfigs[name].default } = synonyms[0] ?? {};
    return entry(name, groupConfigs[name], { value, synonyms, readOnly: false });
  });
}

/** Every config of a subscription to clients' metrics. [ConfigHelper.createClientMetricsConfigEntry] */
export function clientMetricsEntriesOf(configs: ReadonlyMap<string, string>): ConfigEntry[] {
  return Object.entries(clientMetricsConfigs).map(([name, definition]) => {
    const own = shownOwn(definition, configs.get(name));
    const synonyms = own === undefined ? [] : [{ name, value: own, source: sources.clientMetrics }];
    const value = own ?? definition.default;
    return entry(name, definition, { value, synonyms, readOnly: false });
  });
}

/** A config that nobody here knows: one that it was set for might. Its value may be a secret. */
const pluginConfig: ConfigDefinition = { type: 'password', default: null, documentation: '' };

/** There is one logger, and its level stays. */
export const loggerEntries: readonly ConfigEntry[] = [
  {
    name: 'root',
    value: 'INFO',
    readOnly: false,
    configSource: sources.brokerLogger,
    isSensitive: false,
    synonyms: [],
    configType: 0,
    documentation: '',
  },
];

/** As it was read: what brokers have been given is told as it was set. */
const shownOwn = (definition: ConfigDefinition, value: string | undefined): string | undefined =>
  value === undefined ? undefined : shownConfig(definition, value);

/** What Kafka would fall back on, told of only where the finer one is set. [DynamicBrokerConfig.brokerConfigSynonyms] */
const coarser: Readonly<Record<string, Omit<ConfigSynonym, 'source'>>> = {
  'log.flush.interval.ms': { name: 'log.flush.scheduler.interval.ms', value: longMax },
  'log.retention.ms': { name: 'log.retention.hours', value: '168' },
  'log.roll.jitter.ms': { name: 'log.roll.jitter.hours', value: '0' },
  'log.roll.ms': { name: 'log.roll.hours', value: '168' },
};

function brokerValues(broker: BrokerConfig, name: string): ConfigSynonym[] {
  const values = sourcedValues(broker, name).map(({ value, source }) => ({ name, value, source }));
  const fallback = coarser[name];
  return fallback && values.length > 0
    ? [...values, { ...fallback, source: sources.default }]
    : values;
}

function entry(
  name: string,
  definition: ConfigDefinition,
  {
    value,
    synonyms,
    readOnly,
  }: { value: string | null; synonyms: readonly ConfigSynonym[]; readOnly: boolean },
): ConfigEntry {
  const { type, documentation } = definition;
  const isSensitive = type === 'password';
  return {
    name,
    // A secret is never told, not even to who set it [ConfigHelper].
    value: isSensitive || value === null ? null : shownConfig(definition, value),
    readOnly,
    configSource: synonyms[0]?.source ?? sources.default,
    isSensitive,
    synonyms: isSensitive ? synonyms.map((each) => ({ ...each, value: null })) : synonyms,
    configType: configTypeIds[type],
    documentation,
  };
}
