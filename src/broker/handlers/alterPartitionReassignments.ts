import { mapEachInSteps, mapInSteps, type Steps } from '../../base/turns.ts';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import type { BrokerNode } from '../brokerNode.ts';
import type { Handler, RequestOf, ResponseOf } from '../handler.ts';
import type { TopicRules } from '../controller/createTopics.ts';
import { isLate, lateMessage } from '../isLate.ts';

interface Outcome {
  readonly error: ErrorName;
  readonly message: string | null;
}

interface Asked {
  readonly partitionIndex: number;
  readonly replicas: readonly number[] | null;
}

/**
 * Versions 0-1: 1 whether the replication factor may change (KIP-860). With one broker the only assignment that can
 * be is the present one, and nothing is ever under way. [ReplicationControlManager.alterPartitionReassignments]
 */
export const alterPartitionReassignments: Handler<'alterPartitionReassignments'> = {
  versions: [0, 1],
  *handle({ topics, timeoutMs, allowReplicationFactorChange }, { node, access }) {
    if (!access.may('alter', 'cluster')) return yield* refused(topics, unauthorized);
    // Asked for nothing, Kafka answers before it looks at the request. [QuorumController]
    if (topics.length === 0) return { errorMessage: '' };
    if (isLate({ timeoutMs })) {
      return yield* refused(topics, { error: 'REQUEST_TIMED_OUT', message: lateMessage });
    }
    const responses = yield* mapEachInSteps(topics, function* ({ name, partitions: asked }) {
      const partitions = yield* mapEachInSteps(asked, function* (each) {
        const { error, message } = yield* outcomeOf(node, name, each);
        const { partitionIndex } = each;
        return { partitionIndex, errorCode: errorCodes[error], errorMessage: message };
      });
      return { name, partitions };
    });
    return { allowReplicationFactorChange, errorMessage: null, responses };
  },
};

const unauthorized: Outcome = {
  error: 'CLUSTER_AUTHORIZATION_FAILED',
  message: 'Who moves replicas needs the operation alter on the cluster.',
};

function* refused(
  topics: RequestOf<'alterPartitionReassignments'>['topics'],
  { error, message: errorMessage }: Outcome,
): Steps<ResponseOf<'alterPartitionReassignments'>> {
  const errorCode = errorCodes[error];
  const responses = yield* mapEachInSteps(topics, function* ({ name, partitions: asked }) {
    const refuse = ({ partitionIndex }: Asked) => ({ partitionIndex, errorCode, errorMessage });
    return { name, partitions: yield* mapInSteps(asked, refuse) };
  });
  return { errorCode, errorMessage, responses };
}

function* outcomeOf(
  node: BrokerNode,
  name: string,
  { partitionIndex, replicas }: Asked,
): Steps<Outcome> {
  const topic = node.image.topic(name);
  const unknown = (message: string): Outcome => ({ error: 'UNKNOWN_TOPIC_OR_PARTITION', message });
  if (!topic) return unknown(`Unable to find a topic named ${name}.`);
  if (!topic.partitions[partitionIndex]) {
    return unknown(`Unable to find partition ${name}:${partitionIndex}.`);
  }
  if (!replicas) return { error: 'NO_REASSIGNMENT_IN_PROGRESS', message: null };
  const problem = yield* assignmentProblem(replicas, node.cluster.topicRules());
  return problem === undefined
    ? { error: 'NONE', message: null }
    : { error: 'INVALID_REPLICA_ASSIGNMENT', message: problem };
}

/**
 * What is wrong with replicas that a person chose: the smallest id of those that are.
 * [validateManualPartitionAssignment]
 */
function* assignmentProblem(
  replicas: readonly number[],
  { brokers, cordoned }: TopicRules,
): Steps<string | undefined> {
  const start = 'The manual partition assignment includes';
  if (replicas.length === 0) return `${start} an empty replica list.`;
  const seen = new Set<number>();
  let wrong: number | undefined;
  for (const id of replicas) {
    yield;
    const isFine = brokers.includes(id) && !cordoned.has(id) && !seen.has(id);
    if (isFine) seen.add(id);
    else if (wrong === undefined || id < wrong) wrong = id;
  }
  if (wrong === undefined) return undefined;
  if (cordoned.has(wrong))
    return `${start} broker ${wrong}, but all its log directories are cordoned.`;
  return brokers.includes(wrong)
    ? `${start} the broker ${wrong} more than once.`
    : `${start} broker ${wrong}, but no such broker is registered.`;
}
