import { pluginConfigs } from './authorizerConfigs.ts';
import type { BrokerConfig } from './brokerConfigs.ts';
import { type ConfigDefinition, configTypeIds } from './configType.ts';
import { brokerSources, isDynamic, sourcedValues } from './dynamicConfigs.ts';
import { clientMetricsConfigs } from './clientMetricsConfigs.ts';
import {
  brokerSynonymOf,
  type GroupConfigName,
  groupConfigNames,
  groupConfigs,
  isHiddenGroupConfig,
} from './groupConfigTable.ts';
import { groupDefault } from './ownGroupConfigs.ts';
import { definitionOf, describedConfigs } from './describedConfigs.ts';
import { topicDefault } from './effectiveConfigs.ts';
import { internalTopicConfigs } from './internalConfigs.ts';
import { withoutListener } from './listenerPrefix.ts';
import { shownConfig } from './shownConfig.ts';
import { brokerSynonyms, topicConfigNames, topicConfigs } from './topicConfigs.ts';

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
  const told = topicConfigNames.map((name) => {
    const own = shownOwn(topicConfigs[name], configs.get(name));
    const synonym = brokerSynonyms[name];
    const inherited = synonym === undefined ? [] : brokerValues(broker, synonym);
    const synonyms =
      own === undefined ? inherited : [{ name, value: own, source: sources.topic }, ...inherited];
    const { value = topicDefault(broker, name) } = synonyms[0] ?? {};
    return entry(name, topicConfigs[name], { value, synonyms, readOnly: false });
  });
  return [...told, ...internalEntriesOf(configs)];
}

/** What is told of only once it is set, and as it was set. */
function internalEntriesOf(configs: ReadonlyMap<string, string>): ConfigEntry[] {
  return Object.entries(internalTopicConfigs).flatMap(([name, definition]) => {
    const value = configs.get(name);
    if (value === undefined) return [];
    const synonyms = [{ name, value, source: sources.topic }];
    return [{ ...entry(name, definition, { value, synonyms, readOnly: false }), value }];
  });
}

/** Every config of a broker, and what else it was given. What cannot be changed while it runs is read-only. */
export function brokerEntriesOf(broker: BrokerConfig): ConfigEntry[] {
  const given = broker.givenNames();
  const known = Object.keys(describedConfigs).filter((name) => !isOfPlugin(name));
  const others = [...given].filter(
    (name) => isOfPlugin(name) || !Object.hasOwn(describedConfigs, name),
  );
  return [...known, ...others].map((name) => {
    const synonyms = isOfPlugin(name)
      ? brokerValues(broker, name).filter(({ source }) => source !== sources.default)
      : brokerValues(broker, name);
    // Times in larger units are no value of the finer one. [ConfigHelper.createBrokerConfigEntry]
    const value = synonyms[0]?.name === name ? synonyms[0].value : broker.default(name);
    const definition = (isOfPlugin(name) ? undefined : definitionOf(name)) ?? pluginConfig;
    const shown = entry(name, definition, { value, synonyms, readOnly: !isDynamic(name) });
    // What is told of only once it is set is told as it was set.
    return Object.hasOwn(describedConfigs, name) || shown.isSensitive ? shown : { ...shown, value };
  });
}

const isOfPlugin = (name: string): boolean => Object.hasOwn(pluginConfigs, name);

/** What is set for all brokers, as it was set. [ConfigHelper.createBrokerConfigEntry] */
export function clusterEntriesOf(configs: ReadonlyMap<string, string>): ConfigEntry[] {
  return [...configs].map(([name, value]) => {
    const base = withoutListener(name);
    const baseValue = base === undefined ? undefined : configs.get(base);
    const synonyms = [
      { name, value, source: sources.cluster },
      ...(base !== undefined && baseValue !== undefined
        ? [{ name: base, value: baseValue, source: sources.cluster }]
        : []),
    ];
    const definition = definitionOf(name) ?? pluginConfig;
    const shown = entry(name, definition, { value, synonyms, readOnly: !isDynamic(name) });
    return shown.isSensitive ? shown : { ...shown, value };
  });
}

/** Every config of a group; what it does not say itself, the broker says. [ConfigHelper.createGroupConfigEntry] */
export function groupEntriesOf(
  broker: BrokerConfig,
  configs: ReadonlyMap<string, string>,
): ConfigEntry[] {
  const given = broker.givenNames();
  const isTold = (name: GroupConfigName): boolean =>
    !isHiddenGroupConfig(name) || configs.has(name) || given.has(brokerSynonymOf(name) ?? '');
  return groupConfigNames.filter(isTold).map((name) => {
    const definition = groupConfigs[name];
    const set = configs.get(name);
    // What is told of only once it is set is told as it was set.
    const own = isHiddenGroupConfig(name) ? set : shownOwn(definition, set);
    const inherited = inheritedValues(broker, name);
    const synonyms =
      own === undefined ? inherited : [{ name, value: own, source: sources.group }, ...inherited];
    const shown = { value: groupDefault(broker, name), synonyms, readOnly: false };
    const told = entry(name, definition, shown);
    return own === undefined ? told : { ...told, value: own };
  });
}

/** What brokers do not say either has Kafka's default. */
function inheritedValues(broker: BrokerConfig, name: GroupConfigName): ConfigSynonym[] {
  const synonym = brokerSynonymOf(name);
  if (synonym !== undefined) return brokerValues(broker, synonym);
  return [{ name, value: groupConfigs[name].default, source: sources.default }];
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
const unknownType = 0;

/** There is one logger. */
export const loggerEntries = (name: string, level: string): readonly ConfigEntry[] => [
  {
    name,
    value: level,
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

/** In what larger units Kafka also looks for a time. [DynamicBrokerConfig.brokerConfigSynonyms] */
const coarser: ReadonlyMap<string, readonly string[]> = new Map([
  ['log.flush.interval.ms', ['log.flush.scheduler.interval.ms']],
  ['log.retention.minutes', ['log.retention.hours']],
  ['log.retention.ms', ['log.retention.minutes', 'log.retention.hours']],
  ['log.roll.jitter.ms', ['log.roll.jitter.hours']],
  ['log.roll.ms', ['log.roll.hours']],
]);

/** None where there is only what Kafka would fall back on. [ConfigHelper.configSynonyms] */
function brokerValues(broker: BrokerConfig, name: string): ConfigSynonym[] {
  const base = withoutListener(name);
  const others = base === undefined ? (coarser.get(name) ?? []) : [base];
  const values = sourcedValues(broker, [name, ...others]);
  const own = values.findIndex((each) => each.name === name);
  return own === -1 ? [] : values.slice(own);
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
    configType: definition === pluginConfig ? unknownType : configTypeIds[type],
    documentation,
  };
}
