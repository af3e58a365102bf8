import { mapEachInSteps, mapInSteps, type Steps } from '../../base/turns.ts';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { type ConfigEntry, configEntriesOf } from '../config/describe.ts';
import {
  type CreatedTopic,
  maxPartitionsPerRequest,
  maxRecordsPerRequest,
  type NewTopic,
  planTopic,
  type TopicPlan,
  type TopicFailure,
} from '../controller/createTopics.ts';
import type { MetadataDecision, NewMetadataRecord } from '../controller/controller.ts';
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
import { RequestError } from '../requestError.ts';
import { isLate, lateMessage } from '../isLate.ts';
import { repeatedInSteps } from '../repeated.ts';

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
    const { wanted, refused } = await context.inTurns(sorted(request.topics, context));
    if (wanted.length > 0 && isLate(request)) {
      const late = ({ name }: TopicRequest) => failure(name, 'REQUEST_TIMED_OUT', lateMessage);
      return { topics: await context.inTurns(mapInSteps(request.topics, late)) };
    }
    try {
      const made = await create(wanted, request.validateOnly, context);
      return { topics: await context.inTurns(together(refused, made)) };
    } catch (error) {
      // Over all that was asked, what is refused and what comes twice too. [CreateTopicsRequest.getErrorResponse]
      const name = answerableError(node, 'CreateTopics', error);
      const { message } = error as Error;
      const failed = (topic: TopicRequest) => failure(topic.name, name, message);
      return { topics: await context.inTurns(mapInSteps(request.topics, failed)) };
    }
  },
};

interface Sorted {
  readonly wanted: readonly TopicRequest[];
  readonly refused: readonly TopicResponse[];
}

/** What the controller is to make, and what it is not asked for. */
function* sorted(topics: readonly TopicRequest[], context: RequestContext): Steps<Sorted> {
  const names = yield* mapInSteps(topics, ({ name }) => name);
  const duplicates = yield* repeatedInSteps(names);
  const refused: TopicResponse[] = [];
  const wanted: TopicRequest[] = [];
  for (const topic of topics) {
    const refusal = refusalOf(topic, duplicates) ?? unauthorized(topic, context);
    if (refusal) refused.push(refusal);
    else wanted.push(topic);
    yield;
  }
  return { wanted, refused };
}

/** Each name once. */
function* together(
  refused: readonly TopicResponse[],
  made: readonly TopicResponse[],
): Steps<TopicResponse[]> {
  const results = new Map<string, TopicResponse>();
  for (const some of [refused, made]) {
    for (const result of some) {
      results.set(result.name ?? '', result);
      yield;
    }
  }
  return [...results.values()];
}

function refusalOf(
  { name }: TopicRequest,
  duplicates: ReadonlySet<string>,
): TopicResponse | undefined {
  if (duplicates.has(name)) {
    return failure(name, 'INVALID_REQUEST', 'Duplicate topic name.');
  }
  if (name === metadataTopic) {
    return failure(name, 'INVALID_REQUEST', `Creation of internal topic ${name} is prohibited.`);
  }
  return undefined;
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
    const rules = topicRules();
    if (partitionsOf(topics, config.number('num.partitions')) > maxPartitionsPerRequest)
      throw tooManyPartitions();
    const plan = function* (topic: TopicRequest): Steps<TopicPlan> {
      const wanted = yield* newTopic(topic);
      const violation = emulation && newTopicViolation(emulation, wanted);
      if (violation) return refused(topic.name, violation);
      const planned = yield* planTopic(image, asHere(wanted, context), rules);
      const { result } = planned;
      const isAllowed = 'error' in result || isPermitted(result.partitionCount);
      return isAllowed ? planned : throttled(topic.name);
    };
    const records: NewMetadataRecord[] = [];
    const result = yield* mapEachInSteps(topics, function* (topic) {
      const planned = yield* plan(topic);
      for (const record of planned.records) records.push(record);
      return planned.result;
    });
    if (records.length > maxRecordsPerRequest) throw tooManyPartitions();
    return { records: validateOnly ? [] : records, result };
  });
  const entriesOf = onceEach((configs) => entriesToTell(configEntriesOf(config, configs), configs));
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

/** As they are asked for, whatever becomes of them. [ReplicationControlManager.validateTotalNumberOfPartitions] */
function partitionsOf(topics: readonly TopicRequest[], defaultCount: number): number {
  let sum = 0;
  for (const { numPartitions, assignments } of topics) {
    const asked = numPartitions === -1 ? defaultCount : Math.max(0, numPartitions);
    sum += assignments.length > 0 ? assignments.length : asked;
  }
  return sum;
}

function* newTopic(topic: TopicRequest): Steps<NewTopic> {
  const { name, numPartitions, replicationFactor } = topic;
  const assignments = yield* mapInSteps(
    topic.assignments,
    ({ partitionIndex, brokerIds }) => [partitionIndex, brokerIds] as const,
  );
  const configs = new Map<string, string>();
  const configsWithoutValue: string[] = [];
  for (const config of topic.configs) {
    if (config.value === null) configsWithoutValue.push(config.name);
    else configs.set(config.name, config.value);
    yield;
  }
  const partitionCount = numPartitions;
  return { name, partitionCount, replicationFactor, assignments, configs, configsWithoutValue };
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

function refused(name: string, violation: Violation): TopicPlan {
  return { records: [], result: { name, ...violation } };
}

function throttled(name: string): TopicPlan {
  const result = { name, error: 'THROTTLING_QUOTA_EXCEEDED', message: tooManyMutations } as const;
  return { records: [], result };
}

const tooManyPartitions = (): RequestError =>
  new RequestError('POLICY_VIOLATION', 'Excessively large number of partitions per request.');

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

/** What the topic was given is told as it was given. [KafkaConfigSchema.resolveEffectiveTopicConfig] */
function entriesToTell(
  entries: readonly ConfigEntry[],
  given: ReadonlyMap<string, string>,
): ToldConfigs {
  return entries.map(({ name, value, readOnly, configSource, isSensitive }) => ({
    name,
    value: given.get(name) ?? value,
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
