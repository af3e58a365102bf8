import { t } from '../base/l10n.ts';
import { errorCodes } from '../protocol/errors.ts';
import { batchHeaderBytes } from '../protocol/records/recordBatch.ts';
import {
  buildRecordBatch,
  type RecordHeaderInput,
  type RecordInput,
} from '../protocol/records/recordBatchBuilder.ts';
import type { CompressionType } from '../protocol/records/compression.ts';
import type { VersionBounds } from './apiVersions.ts';
import type { KafkaClient } from './kafkaClient.ts';
import { KafkaError } from './kafkaError.ts';
import type { TopicMetadata } from './metadata.ts';
import { mapBounded } from './outcome.ts';
import { partitionForKey } from './partitioner.ts';
import type { TopicPartition } from './partitionMap.ts';
import type { CallOptions, ResponseOf } from './request.ts';

export interface RecordToProduce {
  readonly topic: string;
  /** Null: chosen from the key (murmur2), or at random without a key. */
  readonly partition: number | null;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  /** In order; the same key may come twice, and a value may be null. */
  readonly headers: readonly RecordHeaderInput[];
  /** Milliseconds since the epoch; left out: now. */
  readonly timestamp?: bigint;
}

/** What the batches of an idempotent or a transactional producer carry. */
export interface ProducerStamp {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly baseSequence: number;
  /** Null: idempotent alone. */
  readonly transactionalId: string | null;
  /** Producing to a partition adds it to the transaction; else it was added by a request. [KIP-890] */
  readonly isAddedByProducing?: boolean;
}

export interface ProduceOptions extends CallOptions {
  /** -1 (all): every in-sync replica. Default -1. */
  readonly acks?: -1 | 0 | 1;
  readonly compression?: CompressionType;
  /** Told the partition before the record is sent; what it answers is stamped on the batch. */
  readonly stamp?: (partition: number, call: CallOptions) => Promise<ProducerStamp>;
}

export interface ProducedRecord {
  readonly partition: number;
  /** -1 with acks 0: nothing came back. */
  readonly offset: bigint;
  /** As the broker keeps it: its own time on a LogAppendTime topic. */
  readonly timestamp: bigint;
}

/** How long the leader may wait for its followers. */
const replicationTimeoutMs = 15_000;
/** A batch is closed before it reaches max.message.bytes' default of 1,048,588. */
const targetBatchBytes = 512 * 1024;
const concurrentPartitions = 4;
/** From the next version on a transaction's partitions are added by producing to them. [KIP-890] */
const lastVersionWithAddedPartitions = 11;

function versionsFor({ transactionalId, isAddedByProducing }: ProducerStamp): VersionBounds {
  if (transactionalId === null) return {};
  return isAddedByProducing
    ? { minVersion: lastVersionWithAddedPartitions + 1 }
    : { maxVersion: lastVersionWithAddedPartitions };
}

/**
 * Sends one record and waits for its acknowledgement. A failure after which the record may have been
 * written is not repeated, and says so; with a stamp it is repeated, since the broker knows it again.
 */
export async function produce(
  client: KafkaClient,
  record: RecordToProduce,
  options: ProduceOptions = {},
): Promise<ProducedRecord> {
  const deadline = client.deadline(options);
  const { signal, within } = options;
  const rest = (): CallOptions => ({ signal, within, timeoutMs: deadline.remainingMs });
  const topic = await topicWith(client, record.topic, record.partition ?? 0, options);
  const partition = choosePartition(client, topic, record);
  const timestamp = record.timestamp ?? BigInt(client.clock.nowMs());
  const records = [{ ...record, timestamp }];
  const stamp = await options.stamp?.(partition, rest());
  const batch = { topic, partition, records, stamp };
  const written = await sendBatch(client, batch, { ...options, ...rest() });
  return {
    partition,
    offset: written.baseOffset,
    timestamp: written.logAppendTimeMs < 0n ? timestamp : written.logAppendTimeMs,
  };
}

/** `timeoutMs` is for each batch. */
export interface ProduceManyOptions extends ProduceOptions {
  /** Told how many records have been acknowledged so far. */
  readonly onProgress?: (acknowledged: number) => void;
}

/**
 * Sends records in batches, those of one partition in order. Stops at the first failure, which it throws once the
 * batches that were under way are told of.
 */
export async function produceMany(
  client: KafkaClient,
  topicName: string,
  records: Iterable<Omit<RecordToProduce, 'topic'>>,
  options: ProduceManyOptions = {},
): Promise<void> {
  const list = [...records];
  const last = list.reduce((most, { partition }) => Math.max(most, partition ?? 0), 0);
  const topic = await topicWith(client, topicName, last, options);
  const now = BigInt(client.clock.nowMs());
  const stamped = list.map((record) => ({
    partition: choosePartition(client, topic, { ...record, topic: topicName }),
    record: { ...record, timestamp: record.timestamp ?? now },
  }));
  const byPartition = Map.groupBy(stamped, ({ partition }) => partition);
  let acknowledged = 0;
  let isOver = false;
  await mapBounded([...byPartition], concurrentPartitions, async ([partition, inPartition]) => {
    try {
      for (const batch of batchesOf(inPartition.map(({ record }) => record))) {
        if (isOver) return;
        await sendBatch(client, { topic, partition, records: batch }, options);
        acknowledged += batch.length;
        options.onProgress?.(acknowledged);
      }
    } catch (error) {
      isOver = true;
      throw error;
    }
  });
}

/** The topic; asked for afresh where it may have grown since, by the partition that is to be written to. */
async function topicWith(
  client: KafkaClient,
  name: string,
  partition: number,
  options: CallOptions,
): Promise<TopicMetadata> {
  const topic = await client.topic(name, options);
  if (partition < topic.partitions.length) return topic;
  client.forgetTopics([name]);
  return client.topic(name, options);
}

/** The partition a record goes to. Throws UNKNOWN_TOPIC_OR_PARTITION where it names one that is not there. */
function choosePartition(
  client: KafkaClient,
  topic: TopicMetadata,
  record: RecordToProduce,
): number {
  const { partition, key } = record;
  const count = topic.partitions.length;
  if (partition === null) {
    return key === null ? client.random.below(count) : partitionForKey(key, count);
  }
  if (topic.partitions.some((candidate) => candidate.partition === partition)) return partition;
  throw new KafkaError(errorCodes.UNKNOWN_TOPIC_OR_PARTITION, {
    api: 'produce',
    topic: topic.name,
    partition,
    detail: t('the topic has no partition {0}', partition),
  });
}

/** Cuts records into batches of about `targetBatchBytes`; a larger record gets a batch of its own. */
function* batchesOf(records: readonly RecordInput[]): Generator<RecordInput[]> {
  let batch: RecordInput[] = [];
  let size = batchHeaderBytes;
  for (const record of records) {
    const recordSize = approximateSize(record);
    if (batch.length > 0 && size + recordSize > targetBatchBytes) {
      yield batch;
      batch = [];
      size = batchHeaderBytes;
    }
    batch.push(record);
    size += recordSize;
  }
  if (batch.length > 0) yield batch;
}

function approximateSize({ key, value, headers = [] }: RecordInput): number {
  const overhead = 20;
  const headerBytes = headers.reduce(
    (sum, header) => sum + 10 + header.key.length + (header.value?.length ?? 0),
    0,
  );
  return overhead + (key?.length ?? 0) + (value?.length ?? 0) + headerBytes;
}

interface BatchToSend {
  readonly topic: TopicMetadata;
  readonly partition: number;
  readonly records: readonly RecordInput[];
  readonly stamp?: ProducerStamp | undefined;
}

type WrittenBatch = Pick<
  ResponseOf<'produce'>['responses'][number]['partitionResponses'][number],
  'baseOffset' | 'logAppendTimeMs'
>;

function sendBatch(
  client: KafkaClient,
  { topic, partition, records, stamp }: BatchToSend,
  options: ProduceOptions,
): Promise<WrittenBatch> {
  const { name, topicId } = topic;
  const { acks = -1, compression = 'none', signal, within } = options;
  const transactionalId = stamp?.transactionalId ?? null;
  const isTransactional = transactionalId !== null;
  const isRepeatable = stamp !== undefined;
  const batch = buildRecordBatch({ records, compression, ...stamp, isTransactional });
  const partitionData = [{ index: partition, records: batch }];
  const body = {
    transactionalId,
    acks,
    timeoutMs: replicationTimeoutMs,
    topicData: [{ name, topicId, partitionData }],
  };
  return client.retry(
    async (call) => {
      const response = await client.request('produce', body, {
        to: { leader: { topic: name, partition } },
        isRepeatable,
        expectsResponse: acks !== 0,
        ...(stamp && versionsFor(stamp)),
        ...call,
      });
      if (acks === 0) return { baseOffset: -1n, logAppendTimeMs: -1n };
      return readWritten(client, response, { topic: name, partition });
    },
    { signal, within, timeoutMs: options.timeoutMs, isRepeatable },
  );
}

function readWritten(
  client: KafkaClient,
  response: ResponseOf<'produce'>,
  of: TopicPartition,
): WrittenBatch {
  const written = response.responses[0]?.partitionResponses[0];
  const code = written?.errorCode ?? errorCodes.UNKNOWN_SERVER_ERROR;
  if (written && code === errorCodes.NONE) return written;
  const detail = written?.recordErrors[0]?.batchIndexErrorMessage ?? written?.errorMessage;
  const isLeaderKnown =
    written && client.learnLeader(of, written.currentLeader, response.nodeEndpoints);
  throw new KafkaError(code, { api: 'produce', ...of, detail, isLeaderKnown });
}
