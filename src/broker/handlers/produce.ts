import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { batches } from '../../protocol/records/recordBatch.ts';
import { RecordBatchError } from '../../protocol/records/recordBatchError.ts';
import { StorageError } from '../../storage/storageError.ts';
import { isInternalTopic } from '../controller/topicNames.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { type Partition, PartitionError } from '../partition.ts';
import { ClosingError } from '../requestError.ts';
import { timeLimit } from '../timeLimit.ts';

type TopicData = RequestOf<'produce'>['topicData'][number];
type PartitionData = TopicData['partitionData'][number];
type TopicAnswer = NonNullable<ResponseOf<'produce'>['responses']>[number];
type PartitionAnswer = NonNullable<TopicAnswer['partitionResponses']>[number];

const firstVersionWithZstd = 7;
const firstVersionWithTopicIds = 13;
const acksAll = -1;

/**
 * Versions 3-13: 3 v2 batches only; 4 KAFKA_STORAGE_ERROR; 5 log start offset; 7 zstd (KIP-110); 8 errors of
 * single records (KIP-467); 9 flexible; 10 the current leader (KIP-951); 11 and 12 transactions of KIP-890;
 * 13 topic ids (KIP-516). With acks=0 there is no answer, and an error closes the connection.
 */
export const produce: Handler<'produce'> = {
  versions: [3, 13],
  // librdkafka reads from Produce 0 whether it may compress. [KAFKA-18659]
  advertisedFrom: 0,
  async handle(request, context) {
    const topics = await Promise.all(
      request.topicData.map((topic) => produceToTopic(topic, request, context)),
    );
    if (request.acks !== 0) return { responses: topics };
    const failed = topics
      .flatMap(({ partitionResponses = [] }) => partitionResponses)
      .find(({ errorCode }) => errorCode);
    if (failed) {
      throw new ClosingError(`a Produce with acks=0 failed: ${failed.errorMessage ?? 'error'}`);
    }
    return null;
  },
};

async function produceToTopic(
  { name, topicId, partitionData }: TopicData,
  request: RequestOf<'produce'>,
  context: RequestContext,
): Promise<TopicAnswer> {
  const usesIds = context.apiVersion >= firstVersionWithTopicIds;
  const topic = usesIds ? context.node.image.topicById(topicId)?.name : name;
  const answers = partitionData.map(async (data): Promise<PartitionAnswer> => {
    try {
      if (topic === undefined) throw new PartitionError('UNKNOWN_TOPIC_ID', 'no such topic id');
      return await produceToPartition(topic, data, request, context);
    } catch (error) {
      return failedAnswer(data.index, error);
    }
  });
  return { name, topicId, partitionResponses: await Promise.all(answers) };
}

async function produceToPartition(
  topic: string,
  { index, records }: PartitionData,
  { acks, timeoutMs }: RequestOf<'produce'>,
  context: RequestContext,
): Promise<PartitionAnswer> {
  if (acks < acksAll || acks > 1) throw new PartitionError('INVALID_REQUIRED_ACKS', `acks ${acks}`);
  if (isInternalTopic(topic)) {
    throw new PartitionError('INVALID_TOPIC_EXCEPTION', `Cannot append to internal topic ${topic}`);
  }
  const partition = context.node.partition(topic, index);
  if (!partition) {
    throw new PartitionError('UNKNOWN_TOPIC_OR_PARTITION', `no partition ${topic}-${index} here`);
  }
  const batch = records
    ? Buffer.from(records.buffer, records.byteOffset, records.length)
    : Buffer.alloc(0);
  checkCodec(batch, context.apiVersion);
  const info = await partition.append(batch, { origin: 'client', requiresAll: acks === acksAll });
  if (acks === acksAll) await committed(partition, info.lastOffset + 1n, timeoutMs, context);
  return {
    index,
    baseOffset: info.baseOffset,
    logAppendTimeMs: info.logAppendTimeMs,
    logStartOffset: info.logStartOffset,
  };
}

/** zstd may only be sent by clients that can be answered about it. [ProduceRequest.validateRecords] */
function checkCodec(batch: Buffer, apiVersion: number): void {
  if (apiVersion >= firstVersionWithZstd) return;
  for (const { header } of batches(batch)) {
    if (header.compression === 'zstd') {
      throw new PartitionError(
        'UNSUPPORTED_COMPRESSION_TYPE',
        `zstd needs Produce version ${firstVersionWithZstd} or higher`,
      );
    }
  }
}

async function committed(
  partition: Partition,
  offset: bigint,
  timeoutMs: number,
  { node, signal }: RequestContext,
): Promise<void> {
  const limit = timeLimit(node.cluster.clock, Math.max(0, timeoutMs), signal);
  try {
    const isCommitted = partition.whenCommitted(offset).then(() => true);
    if (await Promise.race([isCommitted, limit.over.then(() => false)])) return;
    throw new PartitionError('REQUEST_TIMED_OUT', 'not replicated within the time given');
  } finally {
    limit.dispose();
  }
}

function failedAnswer(index: number, error: unknown): PartitionAnswer {
  const { name, message, recordErrors } = describe(error);
  return {
    index,
    errorCode: errorCodes[name],
    baseOffset: -1n,
    logAppendTimeMs: -1n,
    logStartOffset: -1n,
    errorMessage: message,
    recordErrors: recordErrors.map((record) => ({
      batchIndex: record.batchIndex,
      batchIndexErrorMessage: record.message,
    })),
  };
}

function describe(error: unknown): {
  name: ErrorName;
  message: string;
  recordErrors: StorageError['recordErrors'];
} {
  if (error instanceof StorageError) {
    return { name: error.error, message: error.message, recordErrors: error.recordErrors };
  }
  if (error instanceof PartitionError || error instanceof RecordBatchError) {
    return { name: error.error, message: error.message, recordErrors: [] };
  }
  throw error;
}
