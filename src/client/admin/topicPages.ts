import { t } from '../../base/l10n.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { KafkaClient } from '../kafkaClient.ts';
import { UnsupportedError } from '../kafkaError.ts';
import { readPartition, type TopicMetadata } from '../metadata.ts';
import type { CallOptions, ResponseOf } from '../request.ts';

type Cursor = NonNullable<ResponseOf<'describeTopicPartitions'>['nextCursor']>;
type WireTopic = ResponseOf<'describeTopicPartitions'>['topics'][number];

/** Kafka's own limit. A page takes a few milliseconds to read. [max.request.partition.size.limit] */
const partitionsInPage = 2000;

/**
 * Every topic that may be seen, internal ones too, a page at a time: the metadata of ten thousand topics in one
 * response would stop everything else while it is read. Servers before KIP-966 give one page with all. What could not
 * be described is left out.
 */
export async function* topicPages(
  client: KafkaClient,
  options: CallOptions = {},
): AsyncGenerator<readonly TopicMetadata[]> {
  let cursor: Cursor | null = null;
  /** Of a topic that goes on in the next page. */
  let begun: TopicMetadata | undefined;
  do {
    const page = await readPage(client, cursor, options);
    if (!page) {
      const { topics } = await client.metadata(null, options);
      yield [...topics.values()];
      return;
    }
    if (!goesOn(cursor, page.nextCursor))
      throw new Error(t('the broker tells of the same topics again, and of no others'));
    cursor = page.nextCursor;
    const topics = joined(begun, page.topics.filter(isDescribed).map(readTopic));
    begun = cursor && topics.at(-1)?.name === cursor.topicName ? topics.pop() : undefined;
    yield topics;
  } while (cursor);
}

/** A server that gave the same page again would be asked for ever. */
function goesOn(before: Cursor | null, after: Cursor | null): boolean {
  if (!before || !after) return true;
  if (before.topicName !== after.topicName) return before.topicName < after.topicName;
  return before.partitionIndex < after.partitionIndex;
}

/** Undefined: the server has no such API. */
async function readPage(
  client: KafkaClient,
  cursor: Cursor | null,
  options: CallOptions,
): Promise<ResponseOf<'describeTopicPartitions'> | undefined> {
  const body = { topics: [], responsePartitionLimit: partitionsInPage, cursor };
  try {
    return await client.request('describeTopicPartitions', body, { to: 'any', ...options });
  } catch (error) {
    if (error instanceof UnsupportedError && cursor === null) return undefined;
    throw error;
  }
}

function isDescribed({ errorCode, name }: WireTopic): boolean {
  return errorCode === errorCodes.NONE && name !== null;
}

function readTopic({ name, topicId, isInternal, partitions }: WireTopic): TopicMetadata {
  return {
    name: name ?? '',
    topicId,
    isInternal,
    partitions: partitions.map(readPartition).sort((a, b) => a.partition - b.partition),
  };
}

function joined(begun: TopicMetadata | undefined, topics: TopicMetadata[]): TopicMetadata[] {
  const [first, ...rest] = topics;
  if (!begun) return topics;
  if (first?.name !== begun.name) return [begun, ...topics];
  return [{ ...first, partitions: [...begun.partitions, ...first.partitions] }, ...rest];
}
