import { mapInSteps, type Steps } from '../../base/turns.ts';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { type ConfigEntry, configEntriesOf } from '../config/describe.ts';
import {
  type CreatedTopic,
  maxPartitionsPerRequest,
  type NewTopic,
  planTopic,
  type TopicFailure,
} from '../controller/createTopics.ts';
import type { MetadataDecision } from '../controller/controller.ts';
import { metadataTopic } from '../controller/topicNames.ts';
import {
  isKept,
  newTopicViolation,
  replicasHere,
  type Violation,
} from '../emulation/topicPolicy.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { answerableError } from '../partitionLookup.ts';
import { mutationPermits, tooManyMutations } from '../quotas/mutationPermits.ts';
import { repeated } from '../repeated.ts';

type TopicRequest = RequestOf<'createTopics'>['topics'][number];
type TopicResponse = NonNullable<ResponseOf<'createTopics'>['topics']>[number];

const firstVersionWithQuota = 6;

/**
 * Versions 2-7: 4 -1 for the broker's default partitions and replicas (KIP-464); 5 flexible, what was created comes
 * back (KIP-525); 6 THROTTLING_QUOTA_EXCEEDED (KIP-599); 7 topic ids (KIP-516). [ControllerApis.createTopics]
 */
export const createTopics: Handler<'createTopics'> = {
  versions: [2, 7],
  async handle(request, context) {
    const { node } = context;
    const duplicates = repeated(request.topics.map(({ name }) => name));
    const results = new Map<string, TopicResponse>();
    const wanted: TopicRequest[] = [];
    for (const topic of request.topics) {
      const refused = refusalOf(topic, duplicates) ?? unauthorized(topic, context);
      if (refused) results.set(topic.name, refused);
      else wanted.push(topic);
    }
    const made = await create(wanted, request.validateOnly, context).catch((error: unknown) => {
      const name = answerableError(node, 'CreateTopics', error);
      return wanted.map((topic) => failure(topic.name, name, (error as Error).message));
    });
    for (const result of made) results.set(result.name ?? '', result);
    return { topics: [...results.values()] };
  },
};

function refusalOf(
  { name, configs }: TopicRequest,
  duplicates: ReadonlySet<string>,
): TopicResponse | undefined {
  if (duplicates.has(name)) {
    return failure(name, 'INVALID_REQUEST', 'Duplicate topic name.');
  }
  if (name === metadataTopic) {
    return failure(name, 'INVALID_REQUEST', `Creation of internal topic ${name} is prohibited.`);
  }
  const missing = configs.filter(({ value }) => value === null).map((config) => config.name);
  return missing.length > 0
    ? failure(
        name,
        'INVALID_CONFIG',
        `Null value not supported for topic configs: ${missing.join(',')}`,
      )
    : undefined;
}

function unauthorized(
  { name }: TopicRequest,
  { access }: RequestContext,
): TopicResponse | undefined {
  const isAllowed = access.may('create', 'cluster') || access.may('create', 'topic', name);
  return isAllowed
    ? undefined
    : failure(name, 'TOPIC_AUTHORIZATION_FAILED', 'Authorization failed.');
}

async function create(
  topics: readonly TopicRequest[],
  validateOnly: boolean,
  context: RequestContext,
): Promise<TopicResponse[]> {
  const { node } = context;
  const isPermitted = mutationPermits(context, firstVersionWithQuota);
  const { controller, topicRules, config, emulation } = node.cluster;
  const results = await controller.change(function* (image): Steps<Created> {
    let partitions = 0;
    const plans = yield* mapInSteps(topics, (topic) => {
      if (partitions > maxPartitionsPerRequest) return refused(topic.name, excess);
      const wanted = newTopic(topic);
      const violation = emulation && newTopicViolation(emulation, wanted);
      if (violation) return refused(topic.name, violation);
      const plan = planTopic(image, asHere(wanted, context), topicRules());
      const { result } = plan;
      if ('error' in result) return plan;
      if (!isPermitted(result.partitionCount)) return throttled(topic.name);
      partitions += result.partitionCount;
      return plan;
    });
    if (partitions > maxPartitionsPerRequest) {
      return { records: [], result: topics.map(({ name }) => ({ name, ...excess })) };
    }
    return {
      records: validateOnly ? [] : plans.flatMap(({ records }) => records),
      result: plans.map(({ result }) => result),
    };
  });
  const entriesOf = onceEach((configs) => entriesToTell(configEntriesOf(config, configs)));
  return context.inTurns(
    mapInSteps(results, (result) =>
      'error' in result
        ? failure(result.name, result.error, result.message)
        : context.access.may('describeConfigs', 'topic', result.name)
          ? success(result, entriesOf(result.configs))
          : withoutConfigs(result),
    ),
  );
}

type Created = MetadataDecision<readonly (CreatedTopic | TopicFailure)[]>;

function newTopic(topic: TopicRequest): NewTopic {
  const { name, numPartitions, replicationFactor, assignments, configs } = topic;
  return {
    name,
    partitionCount: numPartitions,
    replicationFactor,
    assignments: new Map(
      assignments.map(({ partitionIndex, brokerIds }) => [partitionIndex, brokerIds]),
    ),
    configs: new Map(configs.map((config) => [config.name, config.value ?? ''])),
  };
}

/** What another server would make of it, with the brokers that there are here. */
function asHere(topic: NewTopic, { node }: RequestContext): NewTopic {
  const { emulation, endpoints } = node.cluster;
  if (!emulation) return topic;
  const configs = new Map([...topic.configs].filter(([name]) => isKept(emulation, name)));
  if (topic.replicationFactor === -1) return { ...topic, configs };
  const replicationFactor = replicasHere(emulation, topic.replicationFactor, endpoints().length);
  return { ...topic, configs, replicationFactor };
}

function refused(name: string, violation: Violation): { records: []; result: TopicFailure } {
  return { records: [], result: { name, ...violation } };
}

function throttled(name: string): { records: []; result: TopicFailure } {
  const result = { name, error: 'THROTTLING_QUOTA_EXCEEDED', message: tooManyMutations } as const;
  return { records: [], result };
}

const excess = {
  error: 'POLICY_VIOLATION',
  message: 'Excessively large number of partitions per request.',
} as const;

function success(topic: CreatedTopic, configs: ToldConfigs): TopicResponse {
  return {
    name: topic.name,
    topicId: topic.topicId,
    errorCode: errorCodes.NONE,
    errorMessage: null,
    numPartitions: topic.partitionCount,
    replicationFactor: topic.replicationFactor,
    configs,
  };
}

type ToldConfigs = NonNullable<TopicResponse['configs']>;

function entriesToTell(entries: readonly ConfigEntry[]): ToldConfigs {
  return entries.map(({ name, value, readOnly, configSource, isSensitive }) => ({
    name,
    value,
    readOnly,
    configSource,
    isSensitive,
  }));
}

/** Most topics have no configs of their own, and then those of all others. */
function onceEach(
  entriesOf: (configs: ReadonlyMap<string, string>) => ToldConfigs,
): (configs: ReadonlyMap<string, string>) => ToldConfigs {
  let usual: ToldConfigs | undefined;
  return (configs) => (configs.size > 0 ? entriesOf(configs) : (usual ??= entriesOf(configs)));
}

/** Who may not describe a topic's configs is told neither them nor its size. [ReplicationControlManager] */
function withoutConfigs({ name, topicId }: CreatedTopic): TopicResponse {
  const topicConfigErrorCode = errorCodes.TOPIC_AUTHORIZATION_FAILED;
  return { name, topicId, errorMessage: null, topicConfigErrorCode };
}

function failure(name: string, error: ErrorName, errorMessage: string): TopicResponse {
  return { name, errorCode: errorCodes[error], errorMessage };
}
