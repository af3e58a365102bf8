import type { Random } from '../../base/random.ts';
import { mapInSteps, type Steps } from '../../base/turns.ts';
import { randomUuid, type Uuid } from '../../base/uuid.ts';
import { type ErrorName } from '../../protocol/errors.ts';
import { type BrokerConfig } from '../config/brokerConfigs.ts';
import { topicDefault } from '../config/effectiveConfigs.ts';
import { topicConfigProblem } from '../config/topicConfigs.ts';
import { metadataRecord, type NewMetadataRecord } from './controller.ts';
import { type MetadataImage, resourceTypes } from './metadataImage.ts';
import { assignReplicas } from './replicaAssignment.ts';
import { collidingTopic, topicNameProblem } from './topicNames.ts';

/** Kafka's bound on the partitions that one request may make. [ReplicationControlManager] */
export const maxPartitionsPerRequest = 10_000;
/** Its bound on the records of all that one request makes. [QuorumController.MAX_RECORDS_PER_USER_OP] */
export const maxRecordsPerRequest = 10_000;

type Assignment = readonly [partition: number, replicas: readonly number[]];

export interface NewTopic {
  readonly name: string;
  /** -1: the broker's default, or as many as `assignments` has. */
  readonly partitionCount: number;
  /** -1: the broker's default. */
  readonly replicationFactor: number;
  /** Partitions and their replicas, if the client chose them. */
  readonly assignments?: readonly Assignment[];
  readonly configs: ReadonlyMap<string, string>;
  /** Names of configs that were given as null. */
  readonly configsWithoutValue?: readonly string[];
}

/** Why a topic was not made. */
export interface TopicFailure {
  readonly name: string;
  readonly error: ErrorName;
  readonly message: string;
}

export interface CreatedTopic {
  readonly name: string;
  readonly topicId: Uuid;
  readonly partitionCount: number;
  readonly replicationFactor: number;
  readonly configs: ReadonlyMap<string, string>;
}

export interface TopicRules {
  readonly config: BrokerConfig;
  /** Ids of all brokers. */
  readonly brokers: readonly number[];
  /** Those whose log directory is cordoned: they get no new partitions. */
  readonly cordoned: ReadonlySet<number>;
  readonly random: Random;
}

export interface TopicPlan {
  readonly records: readonly NewMetadataRecord[];
  readonly result: CreatedTopic | TopicFailure;
}

/** Decides on one new topic. [ReplicationControlManager.createTopic] */
export function* planTopic(
  image: MetadataImage,
  topic: NewTopic,
  rules: TopicRules,
): Steps<TopicPlan> {
  const fail = (error: ErrorName, message: string): TopicPlan => ({
    records: [],
    result: { name: topic.name, error, message },
  });
  const nameProblem = topicNameProblem(topic.name);
  if (nameProblem) return fail('INVALID_TOPIC_EXCEPTION', `Topic name is invalid: ${nameProblem}`);
  if (image.topic(topic.name)) {
    return fail('TOPIC_ALREADY_EXISTS', `Topic '${topic.name}' already exists.`);
  }
  const collision = collidingTopic(image, topic.name);
  if (collision !== undefined) {
    return fail(
      'INVALID_TOPIC_EXCEPTION',
      `Topic '${topic.name}' collides with existing topic: ${collision}`,
    );
  }
  const { configsWithoutValue: missing = [] } = topic;
  if (missing.length > 0) {
    const names = missing.join(',');
    return fail('INVALID_CONFIG', `Null value not supported for topic configs: ${names}`);
  }
  const configProblem = topicConfigProblem(topic.configs, (name) =>
    topicDefault(rules.config, name),
  );
  if (configProblem) return fail('INVALID_CONFIG', configProblem);
  const replicas = yield* replicasOf(topic, rules);
  if ('error' in replicas) return fail(replicas.error, replicas.message);
  return yield* makeTopic(topic, replicas.assigned, rules);
}

type Replicas =
  | { readonly assigned: readonly (readonly number[])[] }
  | { readonly error: ErrorName; readonly message: string };

function* replicasOf(topic: NewTopic, rules: TopicRules): Steps<Replicas> {
  if (topic.assignments && topic.assignments.length > 0) return yield* chosenReplicas(topic, rules);
  const { config, random } = rules;
  const brokers = openBrokers(rules);
  const count =
    topic.partitionCount === -1 ? config.number('num.partitions') : topic.partitionCount;
  const factor =
    topic.replicationFactor === -1
      ? config.number('default.replication.factor')
      : topic.replicationFactor;
  if (factor < 1) {
    return {
      error: 'INVALID_REPLICATION_FACTOR',
      message: 'Replication factor must be larger than 0, or -1 to use the default value.',
    };
  }
  if (count < 1) {
    return {
      error: 'INVALID_PARTITIONS',
      message: 'Number of partitions was set to an invalid non-positive value.',
    };
  }
  if (count > maxPartitionsPerRequest) {
    return {
      error: 'INVALID_PARTITIONS',
      message: `More than ${maxPartitionsPerRequest} partitions cannot be made at once.`,
    };
  }
  if (factor > brokers.length) {
    return {
      error: 'INVALID_REPLICATION_FACTOR',
      message: `Unable to replicate the partition ${factor} time(s): only ${brokers.length} broker(s) can take replicas.`,
    };
  }
  return { assigned: assignReplicas({ brokers, count, factor, random }) };
}

/** Those that can take new replicas. */
export const openBrokers = ({ brokers, cordoned }: TopicRules): readonly number[] =>
  brokers.filter((id) => !cordoned.has(id));

function* chosenReplicas(topic: NewTopic, { brokers, cordoned }: TopicRules): Steps<Replicas> {
  const invalid = (message: string): Replicas => ({ error: 'INVALID_REPLICA_ASSIGNMENT', message });
  if (topic.partitionCount !== -1 || topic.replicationFactor !== -1) {
    return {
      error: 'INVALID_REQUEST',
      message: 'A manual partition assignment goes with -1 partitions and replicas.',
    };
  }
  const assignments = new Map<number, readonly number[]>();
  for (const [partition, replicas] of topic.assignments ?? []) {
    if (assignments.has(partition))
      return invalid(`Found multiple manual partition assignments for partition ${partition}`);
    assignments.set(partition, replicas);
    yield;
  }
  const assigned: (readonly number[])[] = [];
  for (let partition = 0; partition < assignments.size; partition++) {
    const replicas = assignments.get(partition);
    if (!replicas) return invalid('partitions should be a consecutive 0-based integer sequence');
    if (replicas.length === 0) return invalid('The manual partition assignment is empty.');
    const stranger = replicas.find((id) => !brokers.includes(id));
    if (stranger !== undefined) {
      return invalid(
        `The manual partition assignment includes broker ${stranger}, but no such broker is registered.`,
      );
    }
    const closed = replicas.find((id) => cordoned.has(id));
    if (closed !== undefined) {
      return invalid(
        `The manual partition assignment includes broker ${closed}, but all its log directories are cordoned.`,
      );
    }
    if (new Set(replicas).size !== replicas.length) {
      return invalid('The manual partition assignment has a broker twice.');
    }
    if (assigned[0] && assigned[0].length !== replicas.length) {
      return invalid('The manual partition assignment has replica lists of different lengths.');
    }
    assigned.push(replicas);
    yield;
  }
  return { assigned };
}

function* makeTopic(
  topic: NewTopic,
  assigned: readonly (readonly number[])[],
  rules: TopicRules,
): Steps<TopicPlan> {
  const { name, configs } = topic;
  const topicId = randomUuid(rules.random);
  const resource = { resourceType: resourceTypes.topic, resourceName: name };
  const configRecords = [...configs].map(([config, value]) =>
    metadataRecord('config', { ...resource, name: config, value }),
  );
  const partitionRecords = yield* mapInSteps(assigned.entries(), ([partition, replicas]) =>
    newPartition(topicId, partition, replicas),
  );
  const records = [
    metadataRecord('topic', { name, topicId }, { topic: name }),
    ...configRecords,
    ...partitionRecords,
  ];
  return {
    records,
    result: {
      name,
      topicId,
      partitionCount: assigned.length,
      replicationFactor: assigned[0]?.length ?? 0,
      configs,
    },
  };
}

export function newPartition(
  topicId: Uuid,
  partition: number,
  replicas: readonly number[],
): NewMetadataRecord {
  return metadataRecord('partition', {
    topicId,
    partitionId: partition,
    replicas,
    isr: replicas,
    leader: replicas[0] ?? -1,
    leaderEpoch: 0,
    partitionEpoch: 0,
  });
}
