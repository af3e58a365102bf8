import { errorCodes } from '../protocol/errors.ts';
import { KafkaError, throwIfCancelled } from './kafkaError.ts';
import type { KafkaClient } from './kafkaClient.ts';
import type { PartitionMetadata, TopicMetadata } from './metadata.ts';
import { mapBounded, type Outcome } from './outcome.ts';
import { PartitionMap, type TopicPartition } from './partitionMap.ts';
import type { CallOptions } from './request.ts';
import { backoffMs } from './retry.ts';
import { type Deadline, sleep } from './waiting.ts';

/** A partition with where it is. */
export interface LedPartition<P extends TopicPartition> {
  readonly request: P;
  readonly metadata: PartitionMetadata;
}

export type SendToLeader<P extends TopicPartition, T> = (
  leader: number,
  partitions: readonly LedPartition<P>[],
  call: CallOptions,
) => Promise<PartitionMap<Outcome<T>>>;

export interface PerLeaderOptions extends CallOptions {
  /**
   * How often a partition is asked for at most; left out: until the time is up. A view that is read again soon need not
   * wait.
   */
  readonly mostTries?: number | undefined;
}

const concurrentLeaders = 8;

/**
 * Asks each leader about the partitions it leads, all leaders at once. Partitions whose leader moved or
 * is not there are asked for again; each gets an outcome, and one that fails does not fail the others.
 */
export async function perLeader<P extends TopicPartition, T>(
  client: KafkaClient,
  partitions: readonly P[],
  send: SendToLeader<P, T>,
  options: PerLeaderOptions,
): Promise<PartitionMap<Outcome<T>>> {
  const { mostTries = Infinity, signal } = options;
  const deadline = client.deadline(options);
  const outcomes = new PartitionMap<Outcome<T>>();
  let remaining = partitions;
  for (let tries = 1; remaining.length > 0; tries++) {
    outcomes.setAll(await askLeaders(client, remaining, send, { signal, deadline }));
    const delayMs = backoffMs(tries, client.random);
    remaining = remaining.filter(({ topic, partition }) => {
      const outcome = outcomes.get(topic, partition);
      if (!outcome || !('error' in outcome)) return false;
      client.forgetAfter(outcome.error);
      return client.isWorthRetrying(outcome.error, tries);
    });
    const isLast = tries >= mostTries || deadline.remainingMs <= delayMs;
    if (remaining.length === 0 || isLast) break;
    client.forgetTopics(remaining.map(({ topic }) => topic));
    await sleep(client.clock, delayMs, signal);
  }
  return outcomes;
}

/** One asking of all leaders. */
interface Round {
  readonly signal: AbortSignal | undefined;
  readonly deadline: Deadline;
}

async function askLeaders<P extends TopicPartition, T>(
  client: KafkaClient,
  partitions: readonly P[],
  send: SendToLeader<P, T>,
  { signal, deadline }: Round,
): Promise<PartitionMap<Outcome<T>>> {
  const outcomes = new PartitionMap<Outcome<T>>();
  const lookup = { signal, timeoutMs: deadline.remainingMs };
  const leaders = await groupByLeader(client, partitions, { outcomes, call: lookup });
  const call = { signal, within: deadline };
  await mapBounded([...leaders], concurrentLeaders, async ([leader, led]) => {
    try {
      outcomes.setAll(await send(leader, led, call));
    } catch (error) {
      throwIfCancelled(signal);
      for (const { request } of led) {
        outcomes.set(request.topic, request.partition, { error: error as Error });
      }
    }
  });
  return outcomes;
}

interface Grouping<T> {
  /** Takes the errors of partitions that have no leader. */
  readonly outcomes: PartitionMap<Outcome<T>>;
  readonly call: CallOptions;
}

async function groupByLeader<P extends TopicPartition, T>(
  client: KafkaClient,
  partitions: readonly P[],
  { outcomes, call }: Grouping<T>,
): Promise<Map<number, LedPartition<P>[]>> {
  const topics = await client.topics([...new Set(partitions.map(({ topic }) => topic))], call);
  const leaders = new Map<number, LedPartition<P>[]>();
  for (const request of partitions) {
    const { topic, partition } = request;
    const described = topics.get(topic);
    const metadata =
      described && 'value' in described ? partitionOf(described.value, partition) : undefined;
    if (metadata && metadata.leader >= 0) {
      const led = leaders.get(metadata.leader);
      if (led) led.push({ request, metadata });
      else leaders.set(metadata.leader, [{ request, metadata }]);
      continue;
    }
    const code = metadata ? errorCodes.LEADER_NOT_AVAILABLE : errorCodes.UNKNOWN_TOPIC_OR_PARTITION;
    const topicError = described && 'error' in described ? described.error : undefined;
    const error = topicError ?? new KafkaError(code, { api: 'metadata', topic, partition });
    outcomes.set(topic, partition, { error });
  }
  return leaders;
}

/** Partitions are in order, and seldom is one missing among them. */
function partitionOf({ partitions }: TopicMetadata, wanted: number): PartitionMetadata | undefined {
  const inItsPlace = partitions[wanted];
  if (inItsPlace?.partition === wanted) return inItsPlace;
  return partitions.find(({ partition }) => partition === wanted);
}
