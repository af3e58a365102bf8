import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { batches } from '../../protocol/records/recordBatch.ts';
import { RecordBatchError } from '../../protocol/records/recordBatchError.ts';
import { zeroUuid } from '../../protocol/schema.ts';
import type { AppendInfo } from '../../storage/partitionLog.ts';
import { StorageError } from '../../storage/storageError.ts';
import { isInternalTopic } from '../controller/topicNames.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { type Partition, PartitionError } from '../partition.ts';
import {
  answerableError,
  endpointsOf,
  type LeaderHint,
  leaderHint,
  partitionOf,
} from '../partitionLookup.ts';
import { ClosingError } from '../requestError.ts';

type Topic = RequestOf<'produce'>['topicData'][number];
type PartitionData = Topic['partitionData'][number];
type TopicResponse = NonNullable<ResponseOf<'produce'>['responses']>[number];
type PartitionResponse = NonNullable<TopicResponse['partitionResponses']>[number];

const acks = { none: 0, leader: 1, all: -1 } as const;
const firstVersionWithZstd = 7;
const firstVersionWithLeaders = 10;
const firstVersionWithTopicIds = 13;
/** What Kafka's own admin client calls itself when it may write to internal topics. [AdminUtils] */
const adminClientId = '__admin_client';

/**
 * Versions 3-13: 3 v2 batches and transactional ids; 5 log start offset; 7 zstd; 8 record errors (KIP-467);
 * 9 flexible; 10 the leader to turn to (KIP-951); 11 TRANSACTION_ABORTABLE (KIP-890); 12 implicit partitions
 * of transactions; 13 topic ids (KIP-516). Versions 0-2 are advertised, as librdkafka otherwise does without
 * compression (KAFKA-18659), and not served.
 */
export const produce: Handler<'produce'> = {
  versions: [3, 13],
  advertisedFrom: 0,
  async handle(request, context) {
    const responses = await Promise.all(
      request.topicData.map((topic) => appendTopic(topic, request, context)),
    );
    if (request.acks === acks.none) {
      closeOnError(responses);
      return null;
    }
    return context.apiVersion >= firstVersionWithLeaders
      ? withLeaders(responses, context)
      : { responses };
  },
};

async function appendTopic(
  topic: Topic,
  request: RequestOf<'produce'>,
  context: RequestContext,
): Promise<TopicResponse> {
  const { topicId } = topic;
  const name = topicId === zeroUuid ? topic.name : context.node.image.topicById(topicId)?.name;
  const isUnknownId = !name && context.apiVersion >= firstVersionWithTopicIds;
  const partitionResponses = await Promise.all(
    topic.partitionData.map(async (data) =>
      isUnknownId
        ? refusal(data.index, 'UNKNOWN_TOPIC_ID', null)
        : appendPartition(name ?? '', data, request, context),
    ),
  );
  return { name: name ?? '', topicId, partitionResponses };
}

async function appendPartition(
  topic: string,
  data: PartitionData,
  request: RequestOf<'produce'>,
  context: RequestContext,
): Promise<PartitionResponse> {
  const { node } = context;
  try {
    if (!(request.acks in acksByCode)) {
      throw new PartitionError('INVALID_REQUIRED_ACKS', 'acks must be 0, 1 or -1 (all)');
    }
    const partition = partitionOf(node, topic, data.index);
    if (isInternalTopic(topic) && context.clientId !== adminClientId) {
      throw new PartitionError(
        'INVALID_TOPIC_EXCEPTION',
        `Cannot append to internal topic ${topic}`,
      );
    }
    const requiresAll = request.acks === acks.all;
    const batch = onlyBatch(data.records, context.apiVersion);
    const info = await partition.append(batch, { origin: 'client', requiresAll });
    if (requiresAll) await committed(partition, info, request.timeoutMs, context);
    return success(data.index, info);
  } catch (error) {
    const refused = error instanceof RecordBatchError;
    const name = refused ? error.error : answerableError(node, `produce to ${topic}`, error);
    const { message } = error as Error;
    const recordErrors = error instanceof StorageError ? error.recordErrors : [];
    return {
      ...refusal(data.index, name, name === 'UNKNOWN_SERVER_ERROR' ? null : message),
      recordErrors: recordErrors.map(({ batchIndex, message: batchIndexErrorMessage }) => ({
        batchIndex,
        batchIndexErrorMessage,
      })),
    };
  }
}

const acksByCode = { [acks.none]: true, [acks.leader]: true, [acks.all]: true };

/**
 * Exactly one batch goes to a partition, of which a second one's beginning is dropped; zstd came with
 * version 7. [ProduceRequest.validateRecords]
 */
function onlyBatch(records: Uint8Array | null, apiVersion: number): Buffer {
  const bytes = records === null ? Buffer.alloc(0) : asBuffer(records);
  const [batch, another] = batches(bytes);
  if (!batch || another) {
    throw new RecordBatchError(
      'INVALID_RECORD',
      `Produce requests with version ${apiVersion} must have exactly one record batch per partition`,
    );
  }
  if (batch.header.compression === 'zstd' && apiVersion < firstVersionWithZstd) {
    throw new PartitionError(
      'UNSUPPORTED_COMPRESSION_TYPE',
      `Produce requests with version ${apiVersion} cannot carry zstd`,
    );
  }
  return batch.bytes;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** acks=all: every replica in sync has it, and there are still enough of them. [DelayedProduce] */
async function committed(
  partition: Partition,
  { lastOffset }: AppendInfo,
  timeoutMs: number,
  { node }: RequestContext,
): Promise<void> {
  if (partition.log.highWatermark <= lastOffset) {
    await new Promise<void>((resolve, reject) => {
      const deadline = node.cluster.clock.setTimer(timeoutMs, () =>
        reject(new PartitionError('REQUEST_TIMED_OUT', 'the replicas in sync did not follow')),
      );
      partition
        .whenCommitted(lastOffset + 1n)
        .then(resolve, reject)
        .finally(() => deadline.dispose());
    });
  }
  if (!partition.hasEnoughInSync) {
    throw new PartitionError(
      'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
      'the records are written, but fewer replicas are in sync than min.insync.replicas',
    );
  }
}

function success(index: number, info: AppendInfo): PartitionResponse {
  return {
    index,
    errorCode: errorCodes.NONE,
    baseOffset: info.baseOffset,
    logAppendTimeMs: info.logAppendTimeMs,
    logStartOffset: info.logStartOffset,
  };
}

function refusal(index: number, error: ErrorName, errorMessage: string | null): PartitionResponse {
  return { index, errorCode: errorCodes[error], baseOffset: -1n, errorMessage };
}

/** A producer with acks=0 learns of errors by losing its connection. [KafkaApis.handleProduceRequest] */
function closeOnError(responses: readonly TopicResponse[]): void {
  for (const { name, partitionResponses } of responses) {
    const failed = partitionResponses?.find(({ errorCode }) => errorCode !== errorCodes.NONE);
    if (!failed) continue;
    const where = `${name ?? ''}-${failed.index ?? 0}`;
    throw new ClosingError(
      `a write to ${where} without acknowledgement failed: ${failed.errorMessage ?? `error ${failed.errorCode ?? 0}`}`,
    );
  }
}

function withLeaders(
  responses: readonly TopicResponse[],
  { node }: RequestContext,
): ResponseOf<'produce'> {
  const hints: LeaderHint[] = [];
  const hinted = responses.map((topic) => ({
    ...topic,
    partitionResponses: topic.partitionResponses?.map((partition) => {
      if (partition.errorCode !== errorCodes.NOT_LEADER_OR_FOLLOWER) return partition;
      const hint = leaderHint(node, topic.name ?? '', partition.index ?? -1);
      if (!hint) return partition;
      hints.push(hint);
      return { ...partition, currentLeader: hint };
    }),
  }));
  return { responses: hinted as TopicResponse[], nodeEndpoints: endpointsOf(node, hints) };
}
