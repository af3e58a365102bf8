import { type BrokerConfig, brokerConfigs } from './brokerConfigs.ts';
import { type ConfigDefinition, configTypeIds } from './configType.ts';
import { brokerSynonyms, topicConfigNames, topicConfigs } from './topicConfigs.ts';

/** Where a value comes from, in Kafka's numbers. [DescribeConfigsResponse.ConfigSource] */
const sources = { topic: 1, staticBroker: 4, default: 5 } as const;

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
    const own = configs.get(name);
    const synonym = brokerSynonyms[name];
    const inherited = synonym === undefined ? [] : brokerValues(broker, synonym);
    const synonyms =
      own === undefined ? inherited : [{ name, value: own, source: sources.topic }, ...inherited];
    const { value = topicConfigs[name].default } = synonyms[0] ?? {};
    return entry(name, topicConfigs[name], { value, synonyms, readOnly: false });
  });
}

/** Every config of a broker; what it was started with cannot be changed while it runs. */
export function brokerEntriesOf(broker: BrokerConfig): ConfigEntry[] {
  return Object.entries(brokerConfigs).map(([name, definition]) => {
    const synonyms = brokerValues(broker, name);
    return entry(name, definition, { value: broker.text(name), synonyms, readOnly: true });
  });
}

function brokerValues(broker: BrokerConfig, name: string): ConfigSynonym[] {
  const set = broker.explicit(name);
  const standard = {
    name,
    value: brokerConfigs[name]?.default ?? null,
    source: sources.default,
  };
  return set === undefined
    ? [standard]
    : [{ name, value: set, source: sources.staticBroker }, standard];
}

function entry(
  name: string,
  { type, documentation }: ConfigDefinition,
  {
    value,
    synonyms,
    readOnly,
  }: { value: string | null; synonyms: readonly ConfigSynonym[]; readOnly: boolean },
): ConfigEntry {
  const isSensitive = type === 'password';
  return {
    name,
    // A secret is never told, not even to who set it [ConfigHelper].
    value: isSensitive ? null : value,
    readOnly,
    configSource: synonyms[0]?.source ?? sources.default,
    isSensitive,
    synonyms: isSensitive ? synonyms.map((each) => ({ ...each, value: null })) : synonyms,
    configType: configTypeIds[type],
    documentation,
  };
}
