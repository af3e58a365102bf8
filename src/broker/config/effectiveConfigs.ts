import type { LogConfig } from '../../storage/logConfig.ts';
import type { BrokerConfig } from './brokerConfigs.ts';
import { javaTrim } from './configText.ts';
import { brokerSynonyms, logConfigOf, type TopicConfigName, topicConfigs } from './topicConfigs.ts';

/** A topic config's value, where nothing was set for the topic itself. */
export function topicDefault(broker: BrokerConfig, name: TopicConfigName): string {
  const synonym = brokerSynonyms[name];
  const set = synonym && (broker.explicit(synonym) ?? broker.emulatedDefault(synonym));
  return set ?? topicConfigs[name].default;
}

/** What storage goes by for a topic with these configs of its own. */
export function topicLogConfig(
  broker: BrokerConfig,
  configs: ReadonlyMap<string, string>,
): LogConfig {
  return logConfigOf((name) => javaTrim(configs.get(name) ?? topicDefault(broker, name)));
}
