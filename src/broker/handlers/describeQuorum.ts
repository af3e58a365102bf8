import { errorCodes } from '../../protocol/errors.ts';
import { controllerNodeId } from '../controller/controller.ts';
import { metadataTopic } from '../controller/topicNames.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';

type Partition = NonNullable<
  NonNullable<NonNullable<ResponseOf<'describeQuorum'>['topics']>[number]>['partitions']
>[number];

/**
 * Versions 0-2: 1 when a replica last fetched (KIP-836); 2 messages, directories and nodes (KIP-853). The controller is
 * the one voter, and has no listener of its own; the brokers follow it at once.
 */
export const describeQuorum: Handler<'describeQuorum'> = {
  versions: [0, 2],
  handle(request, context) {
    context.access.require('describe', 'cluster');
    const isFound = asksOnlyForQuorum(request);
    const topics = request.topics.map(({ topicName, partitions }) => ({
      topicName,
      partitions: partitions.map(({ partitionIndex }) =>
        isFound ? quorum(context) : unknown(partitionIndex),
      ),
    }));
    const nodes = isFound ? [{ nodeId: controllerNodeId, listeners: [] }] : [];
    return { errorMessage: '', topics, nodes };
  },
};

/** Who asks for anything beside it is told of nothing. [RaftUtil.hasValidTopicPartition] */
function asksOnlyForQuorum({ topics }: RequestOf<'describeQuorum'>): boolean {
  const [topic, ...otherTopics] = topics;
  const [partition, ...otherPartitions] = topic?.partitions ?? [];
  const isAlone = otherTopics.length === 0 && otherPartitions.length === 0;
  return isAlone && topic?.topicName === metadataTopic && partition?.partitionIndex === 0;
}

function unknown(partitionIndex: number): Partition {
  return {
    partitionIndex,
    errorCode: errorCodes.UNKNOWN_TOPIC_OR_PARTITION,
    errorMessage: 'This server does not host this topic-partition.',
  };
}

function quorum({ node }: RequestContext): Partition {
  const { controller, clock } = node.cluster;
  const highWatermark = controller.image.offset + 1n;
  const now = BigInt(clock.nowMs());
  const replica = (replicaId: number): NonNullable<Partition['currentVoters']>[number] => ({
    replicaId,
    logEndOffset: highWatermark,
    lastFetchTimestamp: now,
    lastCaughtUpTimestamp: now,
  });
  return {
    partitionIndex: 0,
    errorCode: errorCodes.NONE,
    errorMessage: '',
    leaderId: controllerNodeId,
    leaderEpoch: controller.epoch,
    highWatermark,
    currentVoters: [replica(controllerNodeId)],
    observers: node.cluster.endpoints().map(({ id }) => replica(id)),
  };
}
