import type { Steps } from '../../base/turns.ts';
import type { UnreadableBatch } from '../../protocol/records/unreadableBatch.ts';
import type { RequestOf } from '../handler.ts';
import { PartitionError } from '../partition.ts';
import { ClosingError } from '../requestError.ts';
import { NoCodec, type PartitionBatch, type Sent, sentBy } from './partitionBatch.ts';
import type { WrittenTopic } from './writtenTopics.ts';

/**
 * The topics as they are, or with everything refused where Kafka fails over the whole request. Over null records it
 * then fails again, and has no answer. [ReplicaManager.handleProduceAppend, ProduceRequest.getErrorResponse]
 */
export function* unlessFailed(
  topics: readonly WrittenTopic[],
  { topicData }: RequestOf<'produce'>,
): Steps<readonly WrittenTopic[]> {
  const failure = yield* failureOf(topics);
  if (!failure) return topics;
  if (yield* hasNull(topicData)) throw new ClosingError(`null records, and ${failure.message}`);
  return yield* refused(topics, failure);
}

function* hasNull(topicData: RequestOf<'produce'>['topicData']): Steps<boolean> {
  for (const { partitionData } of topicData)
    for (const { records } of partitionData) {
      yield;
      if (records === null) return true;
    }
  return false;
}

function* refused(
  topics: readonly WrittenTopic[],
  refusal: PartitionError,
): Steps<readonly WrittenTopic[]> {
  const result: WrittenTopic[] = [];
  for (const topic of topics) {
    const batches: PartitionBatch[] = [];
    for (const { topic: name, index } of topic.batches) {
      yield;
      batches.push({ topic: name, index, refusal });
    }
    result.push({ ...topic, batches });
  }
  return result;
}

function* failureOf(topics: readonly WrittenTopic[]): Steps<PartitionError | undefined> {
  let first: Sent | undefined;
  let isOfOne = true;
  for (const { batches } of topics)
    for (const batch of batches) {
      yield;
      if ('refusal' in batch && batch.refusal instanceof NoCodec) return batch.refusal;
      if ('unreadable' in batch && endsEarly(batch.unreadable)) {
        return new PartitionError(
          'UNKNOWN_SERVER_ERROR',
          'a batch ends before its producer is told',
        );
      }
      const sent = sentBy(batch);
      first ??= sent;
      isOfOne &&= !sent || isOfSame(sent, first);
    }
  return isOfOne
    ? undefined
    : new PartitionError(
        'INVALID_PRODUCER_ID_MAPPING',
        'Transactional records contained more than one producer ID',
      );
}

const isOfSame = (sent: Sent, first: Sent | undefined): boolean =>
  sent.producerId === first?.producerId && sent.producerEpoch === first.producerEpoch;

/** Of a batch in a transaction Kafka asks for its sequence too. */
function endsEarly({ producerId, isTransactional, baseSequence }: UnreadableBatch): boolean {
  if (producerId === undefined) return true;
  return isTransactional && producerId >= 0n && baseSequence === undefined;
}
