import { atOnce, type InTurns, type Steps, workOnEach } from '../../base/turns.ts';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { RecordBatchError } from '../../protocol/records/recordBatchError.ts';
import type { AppendInfo } from '../../storage/partitionLog.ts';
import { StorageError } from '../../storage/storageError.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { type Partition, PartitionError } from '../partition.ts';
import { answerableError, endpointsOf, type LeaderHint, leaderHint } from '../partitionLookup.ts';
import { acks, type PartitionBatch, writtenPartition } from '../produce/partitionBatch.ts';
import { unlessFailed } from '../produce/requestFailure.ts';
import { type WrittenTopic, writtenTopics } from '../produce/writtenTopics.ts';
import { ClosingError } from '../requestError.ts';
import {
  type ProduceGuards,
  produceGuards,
  transactionalBatches,
} from '../transactions/produceGuards.ts';

type TopicResponse = NonNullable<ResponseOf<'produce'>['responses']>[number];
type PartitionResponse = NonNullable<TopicResponse['partitionResponses']>[number];

const firstVersionWithLeaders = 10;

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
    const isLong = partitionsOf(request) > fewPartitions;
    const inSteps: InTurns = isLong ? context.inTurns : atOnce;
    const topics = await inSteps(
      unlessFailed(await inSteps(writtenTopics(request, context)), request),
    );
    const transactional = await inSteps(transactionalBatches(topics));
    const guards = await produceGuards(request.transactionalId, transactional, context);
    // One for all, however many are written after others. [DelayedProduce]
    const deadlineMs = context.node.cluster.clock.monotonicMs() + request.timeoutMs;
    const append = async ({ name, topicId, batches: ofTopic }: WrittenTopic) => ({
      name,
      topicId,
      partitionResponses: await appendAll(ofTopic, {
        request,
        context,
        guards,
        inSteps,
        isLong,
        deadlineMs,
      }),
    });
    const responses = isLong
      ? await workOnEach(topics, append, context.inTurns)
      : await Promise.all(topics.map(append));
    const { node, quotaClient, requestBytes } = context;
    context.throttle(node.quotas.use('producer_byte_rate', quotaClient, requestBytes));
    if (request.acks === acks.none) {
      closeOnError(responses);
      return null;
    }
    return context.apiVersion >= firstVersionWithLeaders
      ? withLeaders(responses, context)
      : { responses };
  },
};

/** Partitions that are written to at the same time, as most requests have no more. */
const fewPartitions = 256;

function partitionsOf({ topicData }: RequestOf<'produce'>): number {
  return topicData.reduce((sum, { partitionData }) => sum + 1 + partitionData.length, 0);
}

interface Producing {
  readonly request: RequestOf<'produce'>;
  readonly context: RequestContext;
  readonly guards: ProduceGuards;
  readonly inSteps: InTurns;
  readonly isLong: boolean;
  /** Until when replicas are waited for. */
  readonly deadlineMs: number;
}

async function appendAll(
  batches: readonly PartitionBatch[],
  producing: Producing,
): Promise<PartitionResponse[]> {
  const append = (batch: PartitionBatch) => appendPartition(batch, producing);
  const { inSteps, isLong, context } = producing;
  const answered = isLong
    ? await workOnEach(batches, append, context.inTurns)
    : await Promise.all(batches.map(append));
  return inSteps(lastOfEach(answered));
}

/** A partition that is named again is answered as it was last. */
function* lastOfEach(answered: readonly PartitionResponse[]): Steps<PartitionResponse[]> {
  const last = new Map<number | undefined, PartitionResponse>();
  for (const each of answered) {
    yield;
    last.set(each.index, each);
  }
  return [...last.values()];
}

async function appendPartition(
  written: PartitionBatch,
  { request, context, guards, deadlineMs }: Producing,
): Promise<PartitionResponse> {
  const { topic, index } = written;
  let begun: Partition | undefined;
  let appended: AppendInfo | undefined;
  try {
    if ('refusal' in written) throw written.refusal;
    const requiresAll = request.acks === acks.all;
    const verification = guards(written);
    const partition = writtenPartition(written, request.acks, context);
    const { bytes } = written;
    const options = { origin: 'client', requiresAll } as const;
    begun = partition;
    const info = await partition.append(
      bytes,
      verification ? { ...options, verification } : options,
    );
    appended = info;
    if (requiresAll) await committed(partition, info, deadlineMs, context);
    return success(index, info);
  } catch (error) {
    const refused = error instanceof RecordBatchError;
    const name = refused
      ? error.error
      : answerableError(context.node, `produce to ${topic}`, error);
    const { message } = error as Error;
    // Of more or fewer batches than one the code alone is told. [KafkaApis.handleProduceRequest]
    const isUnseen = 'refusal' in written && refused && name === 'INVALID_RECORD';
    const hasMessage = !isUnseen && !withoutWords.has(name);
    // What is written stays written: the client is told where. [DelayedProduce]
    if (appended)
      return { ...success(index, appended), errorCode: errorCodes[name], errorMessage: message };
    const recordErrors = error instanceof StorageError ? error.recordErrors : [];
    return {
      ...refusal(index, name, hasMessage ? message : null),
      logStartOffset: begun && !withoutLogStart.has(name) ? begun.log.logStartOffset : -1n,
      recordErrors: recordErrors.map(({ batchIndex, message: batchIndexErrorMessage }) => ({
        batchIndex,
        batchIndexErrorMessage,
      })),
    };
  }
}

/** What is told by its code alone. */
const withoutWords: ReadonlySet<ErrorName> = new Set([
  'TOPIC_AUTHORIZATION_FAILED',
  'UNKNOWN_SERVER_ERROR',
  'UNKNOWN_TOPIC_ID',
]);

/** What an append fails with without telling where the log starts. [ReplicaManager.appendToLocalLog] */
const withoutLogStart: ReadonlySet<ErrorName> = new Set([
  'CORRUPT_MESSAGE',
  'KAFKA_STORAGE_ERROR',
  'MESSAGE_TOO_LARGE',
  'NOT_LEADER_OR_FOLLOWER',
  'RECORD_LIST_TOO_LARGE',
]);

/** acks=all: every replica in sync has it, and there are still enough of them. [DelayedProduce] */
async function committed(
  partition: Partition,
  { lastOffset }: AppendInfo,
  deadlineMs: number,
  { node }: RequestContext,
): Promise<void> {
  if (partition.log.highWatermark <= lastOffset) {
    await new Promise<void>((resolve, reject) => {
      const { clock } = node.cluster;
      const leftMs = Math.max(0, deadlineMs - clock.monotonicMs());
      const deadline = clock.setTimer(leftMs, () =>
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
  { node, session }: RequestContext,
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
  const nodeEndpoints = endpointsOf(node, hints, session.listener);
  return { responses: hinted as TopicResponse[], nodeEndpoints };
}
