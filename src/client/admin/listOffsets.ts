import { errorCodes } from '../../protocol/errors.ts';
import type { KafkaClient } from '../kafkaClient.ts';
import { KafkaError } from '../kafkaError.ts';
import { type LedPartition, perLeader, type PerLeaderOptions } from '../leaderRouting.ts';
import type { Outcome } from '../outcome.ts';
import { byTopic, PartitionMap, type TopicPartition } from '../partitionMap.ts';
import type { ResponseOf } from '../request.ts';

/** Places that have a number of their own on the wire; any other is milliseconds since the epoch. */
export const offsetSpec = { latest: -1n, earliest: -2n, maxTimestamp: -3n } as const;

export type IsolationLevel = 'read_uncommitted' | 'read_committed';

export interface OffsetQuery extends TopicPartition {
  /** One of `offsetSpec`, or milliseconds since the epoch: the first record at or after them. */
  readonly timestamp: bigint;
}

export interface ListedOffset {
  /** Null: no record is that late. */
  readonly offset: bigint | null;
  readonly timestamp: bigint;
  readonly leaderEpoch: number;
}

export interface ListOffsetsOptions extends PerLeaderOptions {
  /** What `latest` means: the high watermark (uncommitted, the default) or the last stable offset. */
  readonly isolation?: IsolationLevel | undefined;
}

/** Looks up offsets, with one request a leader. Each partition has its own outcome. */
export function listOffsets(
  client: KafkaClient,
  queries: readonly OffsetQuery[],
  options: ListOffsetsOptions = {},
): Promise<PartitionMap<Outcome<ListedOffset>>> {
  const isolationLevel = options.isolation === 'read_committed' ? 1 : 0;
  return perLeader(
    client,
    queries,
    async (leader, partitions, call) => {
      const request = { replicaId: -1, isolationLevel, topics: requestTopics(partitions) };
      const response = await client.request('listOffsets', request, { to: leader, ...call });
      return readOffsets(response);
    },
    options,
  );
}

interface RequestTopic {
  readonly name: string;
  readonly partitions: readonly {
    readonly partitionIndex: number;
    readonly currentLeaderEpoch: number;
    readonly timestamp: bigint;
  }[];
}

function requestTopics(partitions: readonly LedPartition<OffsetQuery>[]): RequestTopic[] {
  const flat = partitions.map(({ request, metadata }) => ({ ...request, metadata }));
  return byTopic(flat).map(({ topic, partitions: inTopic }) => ({
    name: topic,
    partitions: inTopic.map(({ partition, timestamp, metadata }) => ({
      partitionIndex: partition,
      currentLeaderEpoch: metadata.leaderEpoch,
      timestamp,
    })),
  }));
}

function readOffsets(response: ResponseOf<'listOffsets'>): PartitionMap<Outcome<ListedOffset>> {
  const outcomes = new PartitionMap<Outcome<ListedOffset>>();
  for (const { name: topic, partitions } of response.topics) {
    for (const { partitionIndex: partition, errorCode, ...found } of partitions) {
      const { offset, timestamp, leaderEpoch } = found;
      const outcome: Outcome<ListedOffset> =
        errorCode === errorCodes.NONE
          ? { value: { offset: offset < 0n ? null : offset, timestamp, leaderEpoch } }
          : { error: new KafkaError(errorCode, { api: 'listOffsets', topic, partition }) };
      outcomes.set(topic, partition, outcome);
    }
  }
  return outcomes;
}
