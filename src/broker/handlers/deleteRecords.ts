import { type Steps, workOnEach } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { noLeaderEpoch } from '../../protocol/records/recordBatch.ts';
import { isInternalTopic } from '../controller/topicNames.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { PartitionError } from '../partition.ts';
import { answerableError, leaderOf } from '../partitionLookup.ts';

type TopicResponse = NonNullable<ResponseOf<'deleteRecords'>['topics']>[number];
type PartitionResponse = NonNullable<TopicResponse['partitions']>[number];

/** Stands for the high watermark. [DeleteRecordsRequest.HIGH_WATERMARK] */
const upToHighWatermark = -1n;

/** Versions 0-2: 2 flexible. [KIP-107, ReplicaManager.deleteRecords] */
export const deleteRecords: Handler<'deleteRecords'> = {
  versions: [0, 2],
  async handle(request, context) {
    const { inTurns } = context;
    const asked = await inTurns(askedOffsets(request));
    const deleteIn = async ([name, offsets]: readonly [string, ReadonlyMap<number, bigint>]) => {
      const deletion = ([partitionIndex, offset]: readonly [number, bigint]) =>
        deleteUpTo({ topic: name, partitionIndex, offset }, context);
      return { name, partitions: await workOnEach(offsets, deletion, inTurns) };
    };
    return { topics: await workOnEach(asked, deleteIn, inTurns) };
  },
};

/** Of a partition that is named again the last offset counts. [KafkaApis.handleDeleteRecordsRequest] */
function* askedOffsets({
  topics,
}: RequestOf<'deleteRecords'>): Steps<ReadonlyMap<string, ReadonlyMap<number, bigint>>> {
  const asked = new Map<string, Map<number, bigint>>();
  for (const { name, partitions } of topics) {
    const ofTopic = asked.get(name) ?? new Map<number, bigint>();
    if (partitions.length > 0) asked.set(name, ofTopic);
    for (const { partitionIndex, offset } of partitions) {
      ofTopic.set(partitionIndex, offset);
      yield;
    }
    yield;
  }
  return asked;
}

async function deleteUpTo(
  asked: { topic: string; partitionIndex: number; offset: bigint },
  { node, access }: RequestContext,
): Promise<PartitionResponse> {
  const { topic, partitionIndex, offset } = asked;
  try {
    if (!access.may('delete', 'topic', topic)) {
      throw new PartitionError('TOPIC_AUTHORIZATION_FAILED', `${topic} may not be deleted from`);
    }
    const { log } = leaderOf(node, topic, partitionIndex, noLeaderEpoch);
    if (isInternalTopic(topic)) {
      throw new PartitionError('INVALID_TOPIC_EXCEPTION', `${topic} is an internal topic`);
    }
    const { cleanupPolicy } = log.config;
    if (cleanupPolicy.has('compact') && !cleanupPolicy.has('delete')) {
      throw new PartitionError('POLICY_VIOLATION', `${topic} is compacted and nothing else`);
    }
    const end = offset === upToHighWatermark ? log.highWatermark : offset;
    if (end < 0n) throw new PartitionError('OFFSET_OUT_OF_RANGE', `${end} is not an offset`);
    await log.deleteRecordsBefore(end);
    return { partitionIndex, errorCode: errorCodes.NONE, lowWatermark: log.logStartOffset };
  } catch (error) {
    const name = answerableError(node, `DeleteRecords of ${topic}-${partitionIndex}`, error);
    return { partitionIndex, errorCode: errorCodes[name], lowWatermark: -1n };
  }
}
