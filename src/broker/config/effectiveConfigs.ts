import type { LogConfig } from '../../storage/logConfig.ts';
import type { BrokerConfig } from './brokerConfigs.ts';
import { javaTrim, numberOf } from './configText.ts';
import type { internalTopicConfigs } from './internalConfigs.ts';
import { brokerSynonyms, logConfigOf, type TopicConfigName, topicConfigs } from './topicConfigs.ts';

/** A topic config's value, where nothing was set for the topic itself. */
export function topicDefault(broker: BrokerConfig, name: TopicConfigName): string {
  const synonym = brokerSynonyms[name];
  const set = synonym && (broker.explicit(synonym) ?? broker.emulatedDefault(synonym));
  return set ?? topicConfigs[name].default;
}

const internalSegmentBytes = 'internal.segment.bytes' satisfies keyof typeof internalTopicConfigs;

/** What storage goes by for a topic with these configs of its own. */
export function topicLogConfig(
  broker: BrokerConfig,
  configs: ReadonlyMap<string, string>,
): LogConfig {
  const logConfig = logConfigOf((name) =>
    javaTrim(configs.get(name) ?? topicDefault(broker, name)),
  );
  const segmentBytes = configs.get(internalSegmentBytes);
  return segmentBytes === undefined
    ? logConfig
    : { ...logConfig, segmentBytes: numberOf(segmentBytes) };
}
