import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import type { BrokerNode } from '../brokerNode.ts';
import type { Handler, RequestOf, ResponseOf } from '../handler.ts';
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
  handle({ topics, timeoutMs, allowReplicationFactorChange }, { node, access }) {
    if (!access.may('alter', 'cluster')) return refused(topics, unauthorized);
    // Asked for nothing, Kafka answers before it looks at the request. [QuorumController]
    if (topics.length === 0) return { errorMessage: '' };
    if (isLate({ timeoutMs })) {
      return refused(topics, { error: 'REQUEST_TIMED_OUT', message: lateMessage });
    }
    const responses = topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map((asked) => {
        const { error, message } = outcomeOf(node, name, asked);
        const { partitionIndex } = asked;
        return { partitionIndex, errorCode: errorCodes[error], errorMessage: message };
      }),
    }));
    return { allowReplicationFactorChange, errorMessage: null, responses };
  },
};

const unauthorized: Outcome = {
  error: 'CLUSTER_AUTHORIZATION_FAILED',
  message: 'Who moves replicas needs the operation alter on the cluster.',
};

function refused(
  topics: RequestOf<'alterPartitionReassignments'>['topics'],
  { error, message: errorMessage }: Outcome,
): ResponseOf<'alterPartitionReassignments'> {
  const errorCode = errorCodes[error];
  const responses = topics.map(({ name, partitions }) => ({
    name,
    partitions: partitions.map(({ partitionIndex }) => ({
      partitionIndex,
      errorCode,
      errorMessage,
    })),
  }));
  return { errorCode, errorMessage, responses };
}

function outcomeOf(node: BrokerNode, name: string, { partitionIndex, replicas }: Asked): Outcome {
  const topic = node.image.topic(name);
  const unknown = (message: string): Outcome => ({ error: 'UNKNOWN_TOPIC_OR_PARTITION', message });
  if (!topic) return unknown(`Unable to find a topic named ${name}.`);
  if (!topic.partitions[partitionIndex]) {
    return unknown(`Unable to find partition ${name}:${partitionIndex}.`);
  }
  if (!replicas) return { error: 'NO_REASSIGNMENT_IN_PROGRESS', message: null };
  const problem = assignmentProblem(
    replicas,
    node.cluster.endpoints().map(({ id }) => id),
  );
  return problem === undefined
    ? { error: 'NONE', message: null }
    : { error: 'INVALID_REPLICA_ASSIGNMENT', message: problem };
}

/** What is wrong with replicas that a person chose. [validateManualPartitionAssignment] */
function assignmentProblem(
  replicas: readonly number[],
  brokers: readonly number[],
): string | undefined {
  const start = 'The manual partition assignment includes';
  if (replicas.length === 0) return `${start} an empty replica list.`;
  const sorted = replicas.toSorted((left, right) => left - right);
  for (const [index, id] of sorted.entries()) {
    if (!brokers.includes(id)) return `${start} broker ${id}, but no such broker is registered.`;
    if (id === sorted[index - 1]) return `${start} the broker ${id} more than once.`;
  }
  return undefined;
}
