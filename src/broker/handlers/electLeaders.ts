import { mapEachInSteps, mapInSteps, type Steps } from '../../base/turns.ts';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import type { MetadataImage, PartitionImage, TopicImage } from '../controller/metadataImage.ts';
import type { Handler, RequestOf, ResponseOf } from '../handler.ts';
import { isLate, lateMessage } from '../isLate.ts';

type Results = NonNullable<ResponseOf<'electLeaders'>['replicaElectionResults']>;
interface Outcome {
  readonly error: ErrorName;
  readonly message: string | null;
}

/** Kafka's kinds of election. [ElectionType] */
const preferred = 0;
const unclean = 1;

const notNeeded: Outcome = {
  error: 'ELECTION_NOT_NEEDED',
  message: 'Leader election not needed for topic partition.',
};
const unavailable: Readonly<Record<number, Outcome>> = {
  [preferred]: {
    error: 'PREFERRED_LEADER_NOT_AVAILABLE',
    message: 'The preferred leader was not available.',
  },
  [unclean]: {
    error: 'ELIGIBLE_LEADERS_NOT_AVAILABLE',
    message: 'Eligible topic partition leaders are not available.',
  },
};

/**
 * Versions 0-2: 1 unclean elections (KIP-460); 2 flexible. Each partition has one replica here, so there is never
 * another one that could lead. [ReplicationControlManager.electLeaders]
 */
export const electLeaders: Handler<'electLeaders'> = {
  versions: [0, 2],
  *handle({ electionType, topicPartitions, timeoutMs }, { node, apiVersion, access }) {
    if (!access.may('alter', 'cluster')) return yield* refused(topicPartitions, unauthorized);
    // Asked for nothing, Kafka answers before it looks at the time. [QuorumController]
    if (topicPartitions?.length !== 0 && isLate({ timeoutMs })) {
      return yield* refused(topicPartitions, { error: 'REQUEST_TIMED_OUT', message: lateMessage });
    }
    const type = apiVersion === 0 ? preferred : electionType;
    if (type === preferred || type === unclean) {
      return { replicaElectionResults: yield* results(node.image, type, topicPartitions) };
    }
    const message = `Unknown election type ${type}`;
    return yield* refused(topicPartitions, { error: 'INVALID_REQUEST', message });
  },
};

const unauthorized: Outcome = {
  error: 'CLUSTER_AUTHORIZATION_FAILED',
  message: 'Who elects leaders needs the operation alter on the cluster.',
};

function* refused(
  topicPartitions: RequestOf<'electLeaders'>['topicPartitions'],
  outcome: Outcome,
): Steps<ResponseOf<'electLeaders'>> {
  const asked = topicPartitions ?? [];
  const replicaElectionResults = yield* mapEachInSteps(asked, function* ({ topic, partitions }) {
    const partitionResult = yield* mapInSteps(partitions, (id) => result(id, outcome));
    return { topic, partitionResult };
  });
  return { errorCode: errorCodes[outcome.error], replicaElectionResults };
}

/** Null asks for every partition, and then those that have the leader they should have are left out. */
function* results(
  image: MetadataImage,
  type: number,
  asked: readonly { readonly topic: string; readonly partitions: readonly number[] }[] | null,
): Steps<Results> {
  if (asked) {
    return yield* mapEachInSteps(asked, function* ({ topic, partitions }) {
      const partitionResult = yield* mapInSteps(partitions, (id) =>
        result(id, outcomeOf(image, type, topic, id)),
      );
      return { topic, partitionResult };
    });
  }
  return yield* mapInSteps([...image.topics.values()], ({ name, partitions }) => ({
    topic: name,
    partitionResult: partitions
      .map(({ partition }) => [partition, outcomeOf(image, type, name, partition)] as const)
      .filter(([, { error }]) => error !== notNeeded.error)
      .map(([id, outcome]) => result(id, outcome)),
  }));
}

function outcomeOf(image: MetadataImage, type: number, name: string, id: number): Outcome {
  const topic = image.topic(name);
  const partition = topic?.partitions[id];
  if (!partition) return unknown(topic, name, id);
  return hasLeader(partition, type) ? notNeeded : (unavailable[type] ?? notNeeded);
}

function unknown(topic: TopicImage | undefined, name: string, id: number): Outcome {
  const message = topic ? `No such partition as ${name}-${id}` : `No such topic as ${name}`;
  return { error: 'UNKNOWN_TOPIC_OR_PARTITION', message };
}

function hasLeader({ leader, replicas }: PartitionImage, type: number): boolean {
  return type === preferred ? leader === replicas[0] : leader >= 0;
}

function result(
  partitionId: number,
  { error, message }: Outcome,
): NonNullable<Results[number]['partitionResult']>[number] {
  return { partitionId, errorCode: errorCodes[error], errorMessage: message };
}
