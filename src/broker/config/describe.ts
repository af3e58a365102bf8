import { type BrokerConfig, brokerConfigs } from './brokerConfigs.ts';
import { type ConfigDefinition, configTypeIds } from './configType.ts';
import { topicDefault } from './effectiveConfigs.ts';
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
    const synonym = brokerSynonyms[name];
    const own = configs.get(name);
    const isStatic = broker.explicit(synonym) !== undefined;
    const synonyms: ConfigSynonym[] = [
      ...(own === undefined ? [] : [{ name, value: own, source: sources.topic }]),
      ...(isStatic
        ? [{ name: synonym, value: topicDefault(broker, name), source: sources.staticBroker }]
        : []),
      { name: synonym, value: topicConfigs[name].default, source: sources.default },
    ];
    return entry(name, topicConfigs[name], synonyms, false);
  });
}

/** Every config of a broker; what it was started with cannot be changed while it runs. */
export function brokerEntriesOf(broker: BrokerConfig): ConfigEntry[] {
  return Object.entries(brokerConfigs).map(([name, definition]) => {
    const set = broker.explicit(name);
    const synonyms: ConfigSynonym[] = [
      ...(set === undefined ? [] : [{ name, value: set, source: sources.staticBroker }]),
      { name, value: definition.default, source: sources.default },
    ];
    return entry(name, definition, synonyms, true);
  });
}

function entry(
  name: string,
  definition: ConfigDefinition,
  synonyms: readonly ConfigSynonym[],
  readOnly: boolean,
): ConfigEntry {
  const [strongest] = synonyms;
  return {
    name,
    value: strongest?.value ?? null,
    readOnly,
    configSource: strongest?.source ?? sources.default,
    isSensitive: definition.type === 'password',
    synonyms,
    configType: configTypeIds[definition.type],
    documentation: definition.documentation,
  };
}
