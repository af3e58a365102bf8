import { errorCodes } from '../../protocol/errors.ts';
import type { BrokerNode } from '../brokerNode.ts';
import { configEntriesOf } from '../config/describe.ts';
import {
  type CreatedTopic,
  type NewTopic,
  planTopic,
  type TopicFailure,
} from '../controller/createTopics.ts';
import type { NewMetadataRecord } from '../controller/controller.ts';
import { isInternalTopic } from '../controller/topicNames.ts';
import type { Handler, RequestOf, ResponseOf } from '../handler.ts';

type Asked = RequestOf<'createTopics'>['topics'][number];
type TopicAnswer = NonNullable<ResponseOf<'createTopics'>['topics']>[number];

/**
 * Versions 2-7: 4 -1 for the broker's defaults (KIP-464); 5 flexible, the configs in the answer (KIP-525);
 * 6 quota errors; 7 topic ids (KIP-516).
 */
export const createTopics: Handler<'createTopics'> = {
  versions: [2, 7],
  async handle({ topics, validateOnly }, { node }) {
    const names = topics.map(({ name }) => name);
    const twice = new Set(names.filter((name, i) => names.indexOf(name) !== i));
    const results = await create(
      node,
      topics.filter(({ name }) => !twice.has(name) && !isInternalTopic(name)),
      validateOnly,
    );
    const answers = [...new Set(names)].map((name): TopicAnswer => {
      if (twice.has(name))
        return failed(name, 'INVALID_REQUEST', 'Found multiple entries for this topic.');
      const result = results.get(name);
      if (!result) {
        return failed(name, 'INVALID_REQUEST', `Creation of internal topic ${name} is prohibited.`);
      }
      return 'error' in result ? failed(name, result.error, result.message) : made(node, result);
    });
    return { topics: answers };
  },
};

function create(
  node: BrokerNode,
  topics: readonly Asked[],
  validateOnly: boolean,
): Promise<Map<string, CreatedTopic | TopicFailure>> {
  const { config, random, controller } = node.cluster;
  const brokers = node.cluster.endpoints().map(({ id }) => id);
  return controller.change((image) => {
    const records: NewMetadataRecord[] = [];
    const result = new Map<string, CreatedTopic | TopicFailure>();
    for (const topic of topics) {
      const plan = planTopic(image, newTopic(topic), { config, brokers, random });
      result.set(topic.name, plan.result);
      if (!validateOnly) records.push(...plan.records);
    }
    return { records, result };
  });
}

function newTopic({
  name,
  numPartitions,
  replicationFactor,
  assignments,
  configs,
}: Asked): NewTopic {
  return {
    name,
    partitionCount: numPartitions,
    replicationFactor,
    assignments: new Map(
      assignments.map(({ partitionIndex, brokerIds }) => [partitionIndex, brokerIds]),
    ),
    configs: new Map(
      configs.flatMap(({ name: config, value }) => (value === null ? [] : [[config, value]])),
    ),
  };
}

function made(node: BrokerNode, topic: CreatedTopic): TopicAnswer {
  return {
    name: topic.name,
    topicId: topic.topicId,
    numPartitions: topic.partitionCount,
    replicationFactor: topic.replicationFactor,
    configs: configEntriesOf(node.cluster.config, topic.configs).map((entry) => ({
      name: entry.name,
      value: entry.value,
      readOnly: entry.readOnly,
      configSource: entry.configSource,
      isSensitive: entry.isSensitive,
    })),
  };
}

function failed(name: string, error: keyof typeof errorCodes, errorMessage: string): TopicAnswer {
  return {
    name,
    errorCode: errorCodes[error],
    errorMessage,
    numPartitions: -1,
    replicationFactor: -1,
    configs: null,
  };
}
