import { zeroUuid } from '../protocol/schema.ts';
import type { IsolationLevel } from './admin/listOffsets.ts';
import type { KafkaClient } from './kafkaClient.ts';
import { throwOnError } from './kafkaError.ts';
import type { TopicMetadata } from './metadata.ts';
import type { Requester, RequestOptions, ResponseOf } from './request.ts';

export interface FetchLimits {
  readonly isolation: IsolationLevel;
  /** How long a broker holds a fetch that finds nothing. */
  readonly maxWaitMs: number;
  /** Of each partition in one fetch; a larger batch comes whole all the same. */
  readonly partitionMaxBytes: number;
  /** Of one fetch in all. */
  readonly maxBytes: number;
}

export interface PartitionToFetch {
  readonly partition: number;
  readonly offset: bigint;
  /** Of who leads now; -1: not known. */
  readonly leaderEpoch: number;
  /** Of what was read last; -1: not known. The leader tells where it has something else instead. [KIP-595] */
  readonly lastEpoch: number;
}

export interface FetchToSend {
  readonly topic: TopicMetadata;
  readonly partitions: readonly PartitionToFetch[];
  readonly limits: FetchLimits;
}

type WireAnswer = ResponseOf<'fetch'>['responses'][number]['partitions'][number];

export interface PartitionAnswer extends WireAnswer {
  /** The broker does not lead, and said who does: the client knows by now. [KIP-951] */
  readonly isLeaderKnown?: boolean;
}

/** The last version that names topics; 13 has their ids. [KIP-516] */
const lastVersionWithNames = 12;

/**
 * One fetch without a session, from the leader of all these partitions: what it says of each, errors too. With its size
 * used up by others, it can leave partitions out. Throws the error of the whole.
 */
export async function fetchPartitions(
  client: Requester & Pick<KafkaClient, 'learnLeader'>,
  { topic, partitions, limits }: FetchToSend,
  options: RequestOptions,
): Promise<Map<number, PartitionAnswer>> {
  const { isolation, maxWaitMs, maxBytes, partitionMaxBytes } = limits;
  const { name, topicId } = topic;
  const wanted = partitions.map(({ partition, offset, leaderEpoch, lastEpoch }) => ({
    partition,
    currentLeaderEpoch: leaderEpoch,
    fetchOffset: offset,
    lastFetchedEpoch: lastEpoch,
    partitionMaxBytes,
  }));
  const body = {
    maxWaitMs,
    minBytes: 1,
    maxBytes,
    isolationLevel: isolation === 'read_committed' ? 1 : 0,
    sessionId: 0,
    sessionEpoch: -1,
    topics: [{ topic: name, topicId, partitions: wanted }],
  };
  const { errorCode, responses, nodeEndpoints } = await client.request('fetch', body, {
    ...options,
    ...(topicId === zeroUuid && { maxVersion: lastVersionWithNames }),
  });
  throwOnError(errorCode, { api: 'fetch' });
  const answers = new Map<number, PartitionAnswer>();
  for (const answer of responses.flatMap((answered) => answered.partitions)) {
    const { partitionIndex: partition, currentLeader } = answer;
    const isLeaderKnown = client.learnLeader(
      { topic: name, partition },
      currentLeader,
      nodeEndpoints,
    );
    answers.set(partition, isLeaderKnown ? { ...answer, isLeaderKnown } : answer);
  }
  return answers;
}
