import type { Steps } from '../../base/turns.ts';
import { zeroUuid } from '../../protocol/schema.ts';
import type { RequestContext, RequestOf } from '../handler.ts';
import { PartitionError } from '../partition.ts';
import { ClosingError } from '../requestError.ts';
import { type PartitionBatch, partitionBatch } from './partitionBatch.ts';
import { requestRefusal } from './requestRefusal.ts';

type Topic = RequestOf<'produce'>['topicData'][number];

const firstVersionWithTopicIds = 13;

/** A topic that is written to, with what each partition of it gets, or why it gets nothing. */
export interface WrittenTopic {
  readonly name: string;
  readonly topicId: string;
  readonly batches: readonly PartitionBatch[];
}

/** A topic of the request, as often as it is named, with what each partition of it gets. */
interface AskedTopic {
  readonly name: string;
  readonly topicId: string;
  /** Why nothing may be written to it. */
  readonly unwritable: PartitionError | undefined;
  /** Also what the log refuses and, of null records, why the connection is closed. */
  readonly written: Map<number, PartitionBatch>;
  readonly refused: Map<number, PartitionBatch>;
}

/**
 * Of several batches for a partition the last one is written. One that is refused is what is answered, also where
 * another is written: so refusals come last. A topic without partitions is not answered. In one generator, as those
 * that go on within each other would cost each small request a tenth of its time. [KafkaApis.handleProduceRequest]
 */
export function* writtenTopics(
  request: RequestOf<'produce'>,
  context: RequestContext,
): Steps<WrittenTopic[]> {
  const refusal = yield* requestRefusal(request, context);
  const asked = new Map<string, AskedTopic>();
  let hasNull = false;
  for (const topic of request.topicData) {
    yield;
    if (topic.partitionData.length === 0) continue;
    const key = `${topic.topicId} ${topic.name}`;
    const of = asked.get(key) ?? askedTopic(topic, context);
    asked.set(key, of);
    const refusedAs = refusal ?? of.unwritable;
    for (const { index, records } of topic.partitionData) {
      yield;
      const place = { topic: of.name, index };
      const batch: PartitionBatch = refusedAs
        ? { ...place, refusal: refusedAs }
        : partitionBatch(place, records, context);
      (isRefused(batch) ? of.refused : of.written).set(index, batch);
      hasNull ||= records === null;
    }
  }
  if (hasNull) refuseNull(asked, refusal);
  return Array.from(asked.values(), ({ name, topicId, written, refused }) => ({
    name,
    topicId,
    batches: [...written.values(), ...refused.values()],
  }));
}

/** Before the log is asked, and with an answer. */
function isRefused(batch: PartitionBatch): boolean {
  return 'refusal' in batch && !(batch.refusal instanceof ClosingError);
}

function askedTopic({ topicId, name: givenName }: Topic, context: RequestContext): AskedTopic {
  const byName = topicId === zeroUuid;
  const name = (byName ? givenName : context.node.image.topicById(topicId)?.name) ?? '';
  const isUnknownId = !name && context.apiVersion >= firstVersionWithTopicIds;
  const unwritable = isUnknownId
    ? new PartitionError('UNKNOWN_TOPIC_ID', 'no topic has this id')
    : unauthorized(name, context);
  return { name, topicId, unwritable, written: new Map(), refused: new Map() };
}

function unauthorized(topic: string, { access }: RequestContext): PartitionError | undefined {
  return access.may('write', 'topic', topic)
    ? undefined
    : new PartitionError('TOPIC_AUTHORIZATION_FAILED', `no ACL allows writing to ${topic}`);
}

/**
 * Kafka fails over null records where they are what a partition gets, and where it looks at all sizes to refuse all,
 * and then has no answer. [ReplicaManager.handleProduceAppend, ProduceRequest.getErrorResponse]
 */
function refuseNull(
  asked: ReadonlyMap<string, AskedTopic>,
  ofAll: PartitionError | undefined,
): void {
  if (ofAll) throw new ClosingError(`null records, and ${ofAll.message}`);
  for (const { written } of asked.values())
    for (const batch of written.values())
      if ('refusal' in batch && batch.refusal instanceof ClosingError) throw batch.refusal;
}
