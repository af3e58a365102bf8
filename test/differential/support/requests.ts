// Requests that many scenarios send, right for whichever version they are sent at.
import {
  type BatchOptions,
  buildRecordBatch,
  type RecordInput,
} from '../../../src/protocol/records/recordBatchBuilder.ts';
import type { RequestInput } from '../../wire/broker/support/rawClient.ts';
import type { Run, Topic } from './run.ts';

/** Away from now, so that it is compared as it is. */
export const longAgo = 1_700_000_000_000n;

export const int32Max = 2 ** 31 - 1;

/** A 22-character id that no topic has. */
export const unknownTopicId = 'dW5rbm93bnVua25vd251bg';

/** A batch of these values, the same bytes on both sides. */
export function batchOf(
  values: readonly (string | RecordInput)[],
  options: BatchOptions = {},
): Buffer {
  const records = values.map((value, i) =>
    typeof value === 'string'
      ? { timestamp: longAgo + BigInt(i), value: Buffer.from(value) }
      : { timestamp: longAgo + BigInt(i), ...value },
  );
  return buildRecordBatch({ records, ...options });
}

export interface ProduceOptions {
  readonly index?: number;
  readonly acks?: number;
  readonly transactionalId?: string | null;
}

export function produceTo(
  { name, id }: { name: string; id: string },
  version: number,
  records: Buffer | null,
  { index = 0, acks = -1, transactionalId = null }: ProduceOptions = {},
): RequestInput<'produce'> {
  const topic = version >= 13 ? { topicId: id } : { name };
  return {
    acks,
    timeoutMs: 10_000,
    transactionalId,
    topicData: [{ ...topic, partitionData: [{ index, records }] }],
  };
}

export async function produce(run: Run, topic: Topic, records: Buffer, index = 0): Promise<void> {
  const { responses } = await run.prepare('produce', 9, produceTo(topic, 9, records, { index }));
  const code = responses[0]?.partitionResponses[0]?.errorCode;
  if (code !== 0) throw new Error(`${topic.name}: not produced, error ${code}`);
}

type FetchPartition = NonNullable<
  NonNullable<RequestInput<'fetch'>['topics']>[number]['partitions']
>[number];

export type FetchOptions = FetchPartition &
  Pick<
    RequestInput<'fetch'>,
    'maxWaitMs' | 'minBytes' | 'maxBytes' | 'isolationLevel' | 'sessionId' | 'sessionEpoch'
  >;

export function fetchFrom(
  { name, id }: { name: string; id: string },
  version: number,
  options: FetchOptions = {},
): RequestInput<'fetch'> {
  const { maxWaitMs = 0, minBytes = 1, maxBytes = int32Max, ...others } = options;
  const { isolationLevel = 0, sessionId = 0, sessionEpoch = -1, ...asked } = others;
  return {
    maxWaitMs,
    minBytes,
    maxBytes,
    isolationLevel,
    sessionId,
    sessionEpoch,
    topics: [
      {
        ...(version >= 13 ? { topicId: id } : { topic: name }),
        partitions: [{ partition: 0, fetchOffset: 0n, partitionMaxBytes: int32Max, ...asked }],
      },
    ],
  };
}

export const createOf = (
  name: string,
  more: NonNullable<RequestInput<'createTopics'>['topics']>[number] = {},
): RequestInput<'createTopics'> => ({
  topics: [{ name, numPartitions: 1, replicationFactor: 1, ...more }],
  timeoutMs: 10_000,
});
