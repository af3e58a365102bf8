import { errorCodes } from '../../protocol/errors.ts';
import { type GroupBatch, type GroupRef, perCoordinator } from '../coordinatorRouting.ts';
import type { KafkaClient } from '../kafkaClient.ts';
import { KafkaError, throwOnError, UnsupportedError } from '../kafkaError.ts';
import { chunked, type Outcome } from '../outcome.ts';
import { byTopic, PartitionMap, type TopicPartition } from '../partitionMap.ts';
import type { CallOptions, ResponseOf } from '../request.ts';
import { backoffMs } from '../retry.ts';
import { sleep } from '../waiting.ts';

/** A commit. A partition without one has no entry at all. */
export interface GroupOffset {
  readonly offset: bigint;
  /** -1: not known. */
  readonly leaderEpoch: number;
  readonly metadata: string;
}

/** The commits of one group; a partition that could not be read is an error in it. */
export type GroupOffsets = PartitionMap<Outcome<GroupOffset>>;

export interface OffsetToCommit extends TopicPartition, GroupOffset {}

/** One response stays small however many groups there are. */
const groupsInOneRequest = 200;
const partitionsInOneRequest = 1000;
/** From version 10 on topics are named by id only; names are what commits are shown by. */
const lastVersionWithNames = 9;

/**
 * The commits of groups, on all partitions they have any on: one request for many groups a
 * coordinator. A group that fails is an error beside the rest. [KIP-709]
 */
export async function fetchGroupOffsets(
  client: KafkaClient,
  groups: readonly string[],
  options: CallOptions = {},
): Promise<Map<string, Outcome<GroupOffsets>>> {
  const deadline = client.deadline(options);
  const outcomes = new Map<string, Outcome<GroupOffsets>>();
  let remaining = groups;
  for (let tries = 1; remaining.length > 0; tries++) {
    const asked = remaining.map((groupId) => ({ groupId }));
    // Only who coordinates them is looked up again here: a coordinator that fails may have been replaced.
    const answers = await client.retry(
      (call) =>
        perCoordinator(client, asked, (batch) => fetchBatch(client, batch, call), {
          ...call,
          groupsInOneRequest,
        }),
      { ...options, timeoutMs: deadline.remainingMs },
    );
    for (const [group, outcome] of answers) outcomes.set(group, outcome);
    const delayMs = backoffMs(tries, client.random);
    remaining = remaining.filter((group) => {
      const outcome = outcomes.get(group);
      return outcome && 'error' in outcome && client.isWorthRetrying(outcome.error, tries);
    });
    if (remaining.length === 0 || deadline.remainingMs <= delayMs) break;
    await sleep(client.clock, delayMs, options.signal);
  }
  return outcomes;
}

async function fetchBatch(
  client: KafkaClient,
  { coordinator: to, batch }: GroupBatch<GroupRef>,
  call: CallOptions,
): Promise<Map<string, Outcome<GroupOffsets>>> {
  const maxVersion = lastVersionWithNames;
  try {
    const body = { groups: batch.map(({ groupId }) => ({ groupId, topics: null })) };
    const options = { to, minVersion: 8, maxVersion, ...call };
    const response = await client.request('offsetFetch', body, options);
    return new Map(response.groups.map((group) => [group.groupId, readGroup(group)]));
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
  }
  const result = new Map<string, Outcome<GroupOffsets>>();
  for (const { groupId } of batch) {
    const options = { to, minVersion: 2, maxVersion: 7, ...call };
    const response = await client.request('offsetFetch', { groupId, topics: null }, options);
    result.set(groupId, readGroup({ groupId, ...response }));
  }
  return result;
}

type WireGroup = Pick<ResponseOf<'offsetFetch'>['groups'][number], 'groupId' | 'errorCode'> & {
  readonly topics: readonly {
    readonly name: string;
    readonly partitions: ResponseOf<'offsetFetch'>['topics'][number]['partitions'];
  }[];
};

function readGroup({ groupId: group, errorCode, topics }: WireGroup): Outcome<GroupOffsets> {
  if (errorCode !== errorCodes.NONE) {
    return { error: new KafkaError(errorCode, { api: 'offsetFetch', group }) };
  }
  const offsets: GroupOffsets = new PartitionMap();
  for (const { name: topic, partitions } of topics) {
    for (const partition of partitions) {
      const { partitionIndex, committedOffset: offset, metadata } = partition;
      if (partition.errorCode !== errorCodes.NONE) {
        const context = { api: 'offsetFetch', group, topic, partition: partitionIndex } as const;
        offsets.set(topic, partitionIndex, { error: new KafkaError(partition.errorCode, context) });
      } else if (offset >= 0n) {
        const leaderEpoch = partition.committedLeaderEpoch;
        offsets.set(topic, partitionIndex, {
          value: { offset, leaderEpoch, metadata: metadata ?? '' },
        });
      }
    }
  }
  return { value: offsets };
}

/**
 * Commits for a group that has no members, as an admin tool does: no member, generation -1. The broker
 * refuses with UNKNOWN_MEMBER_ID where the group has members after all. Each partition has its outcome.
 */
export function commitGroupOffsets(
  client: KafkaClient,
  group: string,
  commits: readonly OffsetToCommit[],
  options: CallOptions = {},
): Promise<PartitionMap<Outcome<undefined>>> {
  const deadline = client.deadline(options);
  return inParts(commits, (part) =>
    commitSome(client, group, part, { ...options, timeoutMs: deadline.remainingMs }),
  );
}

async function commitSome(
  client: KafkaClient,
  group: string,
  commits: readonly OffsetToCommit[],
  options: CallOptions,
): Promise<PartitionMap<Outcome<undefined>>> {
  const body = {
    groupId: group,
    generationIdOrMemberEpoch: -1,
    memberId: '',
    topics: byTopic(commits).map(({ topic: name, partitions }) => ({
      name,
      partitions: partitions.map((commit) => ({
        partitionIndex: commit.partition,
        committedOffset: commit.offset,
        committedLeaderEpoch: commit.leaderEpoch,
        committedMetadata: commit.metadata,
      })),
    })),
  };
  return client.retry(async (call) => {
    const to = await client.coordinators.ofOne(group, call);
    const request = { to, maxVersion: lastVersionWithNames, ...call };
    const { topics } = await client.request('offsetCommit', body, request);
    return partitionOutcomes(topics, { api: 'offsetCommit', group });
  }, options);
}

/** Deletes commits. Throws NON_EMPTY_GROUP and the like; GROUP_SUBSCRIBED_TO_TOPIC is a partition's. */
export function deleteGroupOffsets(
  client: KafkaClient,
  group: string,
  partitions: readonly TopicPartition[],
  options: CallOptions = {},
): Promise<PartitionMap<Outcome<undefined>>> {
  const deadline = client.deadline(options);
  return inParts(partitions, (part) =>
    deleteSome(client, group, part, { ...options, timeoutMs: deadline.remainingMs }),
  );
}

/**
 * A request's commits become one batch of records, which has to fit into `max.message.bytes` of `__consumer_offsets`:
 * with long names, a few thousand do not. [OffsetMetadataManager.commitOffset] Rejects where nothing is done; once a
 * part is, what the next one fails at is the outcome of those that are left.
 */
async function inParts<P extends TopicPartition>(
  partitions: readonly P[],
  change: (part: readonly P[]) => Promise<PartitionMap<Outcome<undefined>>>,
): Promise<PartitionMap<Outcome<undefined>>> {
  const outcomes = new PartitionMap<Outcome<undefined>>();
  const parts = chunked(partitions, partitionsInOneRequest);
  for (const [index, part] of parts.entries()) {
    try {
      outcomes.setAll(await change(part));
    } catch (error) {
      if (index === 0) throw error;
      for (const { topic, partition } of parts.slice(index).flat()) {
        outcomes.set(topic, partition, { error: error as Error });
      }
      break;
    }
  }
  return outcomes;
}

async function deleteSome(
  client: KafkaClient,
  group: string,
  partitions: readonly TopicPartition[],
  options: CallOptions,
): Promise<PartitionMap<Outcome<undefined>>> {
  const body = {
    groupId: group,
    topics: byTopic(partitions).map(({ topic: name, partitions: inTopic }) => ({
      name,
      partitions: inTopic.map(({ partition }) => ({ partitionIndex: partition })),
    })),
  };
  return client.retry(async (call) => {
    const to = await client.coordinators.ofOne(group, call);
    const { errorCode, topics } = await client.request('offsetDelete', body, { to, ...call });
    throwOnError(errorCode, { api: 'offsetDelete', group });
    return partitionOutcomes(topics, { api: 'offsetDelete', group });
  }, options);
}

interface AnsweredTopic {
  readonly name: string;
  readonly partitions: readonly { readonly partitionIndex: number; readonly errorCode: number }[];
}

/**
 * The outcomes of partitions. A coordinator that moved says so for every partition: that one is thrown, to be retried.
 */
function partitionOutcomes(
  topics: readonly AnsweredTopic[],
  context: { readonly api: 'offsetCommit' | 'offsetDelete'; readonly group: string },
): PartitionMap<Outcome<undefined>> {
  const outcomes = new PartitionMap<Outcome<undefined>>();
  for (const { name: topic, partitions } of topics) {
    for (const { partitionIndex: partition, errorCode } of partitions) {
      if (isCoordinatorError(errorCode)) throw new KafkaError(errorCode, context);
      const error = new KafkaError(errorCode, { ...context, topic, partition });
      outcomes.set(
        topic,
        partition,
        errorCode === errorCodes.NONE ? { value: undefined } : { error },
      );
    }
  }
  return outcomes;
}

function isCoordinatorError(code: number): boolean {
  return (
    code === errorCodes.NOT_COORDINATOR ||
    code === errorCodes.COORDINATOR_NOT_AVAILABLE ||
    code === errorCodes.COORDINATOR_LOAD_IN_PROGRESS
  );
}
