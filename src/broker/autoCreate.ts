import type { BrokerNode } from './brokerNode.ts';
import { planTopic } from './controller/createTopics.ts';
import { isInternalTopic, offsetsTopic } from './controller/topicNames.ts';

/** Creates the topics that a client asked for and may create; answers which of them are new. [AutoTopicCreationManager] */
export async function autoCreateTopics(
  node: BrokerNode,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const { config } = node.cluster;
  const wanted = names.filter((name) => !isInternalTopic(name));
  if (wanted.length === 0 || !config.boolean('auto.create.topics.enable')) return new Set();
  return createWithDefaults(node, wanted, new Map());
}

/** Makes sure that `__consumer_offsets` is there, as finding a group's coordinator does. */
export async function ensureOffsetsTopic(node: BrokerNode): Promise<void> {
  if (node.image.topic(offsetsTopic)) return;
  const configs = new Map([
    ['cleanup.policy', 'compact'],
    ['compression.type', 'producer'],
    ['segment.bytes', '104857600'],
  ]);
  await createWithDefaults(node, [offsetsTopic], configs);
}

function createWithDefaults(
  node: BrokerNode,
  names: readonly string[],
  configs: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  const { config, random, controller } = node.cluster;
  const brokers = node.cluster.endpoints().map(({ id }) => id);
  return controller.change((image) => {
    const plans = [...new Set(names)].map((name) => {
      const isOffsets = name === offsetsTopic;
      const partitionCount = isOffsets ? config.number('offsets.topic.num.partitions') : -1;
      const topic = { name, partitionCount, replicationFactor: -1, configs };
      return planTopic(image, topic, { config, brokers, random });
    });
    const created = plans.filter(({ result }) => 'topicId' in result);
    return {
      records: created.flatMap(({ records }) => records),
      result: new Set(created.map(({ result }) => result.name)),
    };
  });
}
