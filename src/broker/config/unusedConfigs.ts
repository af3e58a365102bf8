import { type ConfigDefinition, type ConfigTable } from './configType.ts';
import { withoutListenerAndMechanism } from './listenerPrefix.ts';
import { hiddenDynamicConfigs, hiddenFixedConfigs } from './hiddenConfigs.ts';
import { brokerSynonyms, type TopicConfigName } from './topicConfigs.ts';
import { unusedDynamicConfigs } from './unusedDynamicConfigs.ts';
import { unusedFixedConfigs } from './unusedFixedConfigs.ts';
import { dynamicShareConfigs, fixedShareConfigs } from './unusedShareConfigs.ts';
import { dynamicStreamsConfigs, fixedStreamsConfigs } from './unusedStreamsConfigs.ts';
import { dynamicTieredConfigs, fixedTieredConfigs } from './unusedTieredConfigs.ts';
import { unusedTopicConfigs } from './unusedTopicConfigs.ts';

/** Those of the configs below that can be changed while a broker runs. [DynamicBrokerConfig.ALL_DYNAMIC_CONFIGS] */
export const unusedWhileRunning: ConfigTable = {
  ...unusedDynamicConfigs,
  ...dynamicShareConfigs,
  ...dynamicStreamsConfigs,
  ...dynamicTieredConfigs,
};

/** Those that a broker reads at its start only. */
export const unusedAtStart: ConfigTable = {
  ...unusedFixedConfigs,
  ...fixedShareConfigs,
  ...fixedStreamsConfigs,
  ...fixedTieredConfigs,
};

/** The configs of Apache Kafka's brokers that nothing here goes by, and that are described all the same. */
export const unusedConfigs: ConfigTable = { ...unusedWhileRunning, ...unusedAtStart };

/** Those, and what is described only once it is set. */
const allUnused: ConfigTable = { ...unusedConfigs, ...hiddenDynamicConfigs, ...hiddenFixedConfigs };

/** What a config is which nothing here goes by; undefined: it is none of those. */
export function unusedConfig(name: string): ConfigDefinition | undefined {
  return Object.hasOwn(allUnused, name) ? allUnused[name] : undefined;
}

/** Topics' defaults that nothing here goes by either. */
const unusedDefaults: ReadonlySet<string | undefined> = new Set(
  (Object.keys(unusedTopicConfigs) as TopicConfigName[]).map((name) => brokerSynonyms[name]),
);

/** Whether setting it changes nothing. */
export const isUnused = (name: string): boolean =>
  unusedConfig(withoutListenerAndMechanism(name) ?? name) !== undefined || unusedDefaults.has(name);
