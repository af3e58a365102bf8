import { errorCodes } from '../../protocol/errors.ts';
import type { KafkaClient } from '../kafkaClient.ts';
import { KafkaError, throwOnError } from '../kafkaError.ts';
import type { TopicMetadata } from '../metadata.ts';
import type { Outcome } from '../outcome.ts';
import type { CallOptions, RequestOf } from '../request.ts';

export interface NewTopic {
  readonly name: string;
  /** -1: the broker's default. */
  readonly partitionCount: number;
  /** -1: the broker's default. */
  readonly replicationFactor: number;
  readonly configs?: Readonly<Record<string, string>> | undefined;
}

/** How long the controller may take before it answers that it is still at it. */
const controllerTimeoutMs = 15_000;

/** Every topic that may be seen, internal ones too. Topics that could not be described are errors beside. */
export async function listTopics(
  client: KafkaClient,
  options: CallOptions = {},
): Promise<Outcome<TopicMetadata>[]> {
  const { topics, topicErrors } = await client.metadata(null, options);
  return [
    ...[...topics.values()].map((value) => ({ value })),
    ...[...topicErrors.values()].map((error) => ({ error })),
  ];
}

/** One topic, freshly asked for. Throws UNKNOWN_TOPIC_OR_PARTITION where it is not there. */
export function describeTopic(
  client: KafkaClient,
  name: string,
  options: CallOptions = {},
): Promise<TopicMetadata> {
  client.forgetTopics([name]);
  return client.topic(name, options);
}

/** Creates a topic. Throws TOPIC_ALREADY_EXISTS, INVALID_TOPIC_EXCEPTION, INVALID_CONFIG, ... */
export async function createTopic(
  client: KafkaClient,
  topic: NewTopic,
  options: CallOptions & { readonly validateOnly?: boolean } = {},
): Promise<void> {
  const { name, partitionCount, replicationFactor, configs = {} } = topic;
  const request = {
    topics: [
      {
        name,
        numPartitions: partitionCount,
        replicationFactor,
        configs: Object.entries(configs).map(([key, value]) => ({ name: key, value })),
      },
    ],
    timeoutMs: controllerTimeoutMs,
    validateOnly: options.validateOnly ?? false,
  };
  const deadline = client.deadline(options);
  await client.retry(
    async (call) => {
      // Version 4 is the first with "the broker's default" for both numbers. [KIP-464]
      const needsDefaults = partitionCount === -1 || replicationFactor === -1;
      const minVersion = needsDefaults ? 4 : undefined;
      const { topics } = await client.request('createTopics', request, {
        to: 'controller',
        isRepeatable: false,
        minVersion,
        ...call,
      });
      for (const { errorCode, errorMessage: detail } of topics) {
        throwOnError(errorCode, { api: 'createTopics', topic: name, detail });
      }
    },
    { ...options, isRepeatable: false },
  );
  if (!options.validateOnly) {
    const timeoutMs = deadline.remainingMs;
    await client.awaitNews(name, partitionCount, { ...options, timeoutMs });
  }
}

/** Deletes topics. Each has its own outcome. */
export async function deleteTopics(
  client: KafkaClient,
  names: readonly string[],
  options: CallOptions = {},
): Promise<Map<string, Outcome<undefined>>> {
  const api = 'deleteTopics';
  const request = (version: number): RequestOf<typeof api> => ({
    ...(version >= 6 ? { topics: names.map((name) => ({ name })) } : { topicNames: names }),
    timeoutMs: controllerTimeoutMs,
  });
  const outcomes = await client.retry(
    async (call) => {
      const to = { to: 'controller', isRepeatable: false, ...call } as const;
      const { responses } = await client.request(api, request, to);
      // A broker that is not the controller says so of each topic. [KafkaAdminClient.handleNotControllerError]
      for (const { errorCode } of responses) {
        if (errorCode === errorCodes.NOT_CONTROLLER) throw new KafkaError(errorCode, { api });
      }
      return responses.map(({ name, errorCode, errorMessage: detail }) => {
        const topic = name ?? '';
        return [topic, outcomeOf(errorCode, { api, topic, detail })] as const;
      });
    },
    { ...options, isRepeatable: false },
  );
  for (const name of names) client.topicNews.forget(name);
  client.forgetTopics(names);
  return new Map(outcomes);
}

/** Grows a topic to `partitionCount` partitions in all. Throws INVALID_PARTITIONS where it has as many. */
export async function createPartitions(
  client: KafkaClient,
  name: string,
  partitionCount: number,
  options: CallOptions = {},
): Promise<void> {
  const request = {
    topics: [{ name, count: partitionCount, assignments: null }],
    timeoutMs: controllerTimeoutMs,
    validateOnly: false,
  };
  const deadline = client.deadline(options);
  await client.retry(
    async (call) => {
      const to = { to: 'controller', isRepeatable: false, ...call } as const;
      const { results } = await client.request('createPartitions', request, to);
      for (const { errorCode, errorMessage: detail } of results) {
        throwOnError(errorCode, { api: 'createPartitions', topic: name, detail });
      }
    },
    { ...options, isRepeatable: false },
  );
  await client.awaitNews(name, partitionCount, { ...options, timeoutMs: deadline.remainingMs });
}

function outcomeOf(
  code: number,
  context: ConstructorParameters<typeof KafkaError>[1],
): Outcome<undefined> {
  if (code === errorCodes.NONE) return { value: undefined };
  return { error: new KafkaError(code, context) };
}
