import { errorCodes } from '../../protocol/errors.ts';
import { zeroUuid } from '../../protocol/schema.ts';
import type { TopicDirectory } from '../ports.ts';
import type { FetchClaim } from './group.ts';
import type { GroupState } from './groupState.ts';
import type { OffsetFetchRequest, OffsetFetchResponse } from './messages.ts';
import type { CommittedOffset } from './offsetTable.ts';

/** From this version on many groups may be asked for at once (KIP-709). */
const firstVersionWithGroups = 8;
const firstVersionWithTopLevelError = 2;
/** From this version on topics are named by id (KIP-848). */
const firstVersionWithTopicIds = 10;

type GroupAnswers = NonNullable<OffsetFetchResponse['groups']>;
export type GroupAnswer = GroupAnswers[number];
type TopicAnswers = NonNullable<GroupAnswer['topics']>;
type TopicAnswer = TopicAnswers[number];

/** One group's part of an OffsetFetch, the same for all versions. */
export interface GroupFetch extends FetchClaim {
  readonly groupId: string;
  /** Null: all that the group has committed. */
  readonly topics: OffsetFetchRequest['groups'][number]['topics'];
  /** Which topics who asks may see. */
  readonly mayDescribe: (topic: string) => boolean;
}

/** What to look offsets up in: as committed, or with what is being written too (requireStable). */
export interface OffsetView {
  get(groupId: string, topic: string, partition: number): CommittedOffset | undefined;
  ofGroup(groupId: string): CommittedOffset[];
  /** An open transaction may be about to move the offset. */
  isUnstable(groupId: string, topic: string, partition: number): boolean;
}

export function committedView({ offsets }: GroupState): OffsetView {
  return {
    get: (groupId, topic, partition) => offsets.getCommitted(groupId, topic, partition),
    ofGroup: (groupId) => offsets.committedOfGroup(groupId),
    isUnstable: () => false,
  };
}

/** For consumers that must not read again what a transaction has consumed (KIP-447). */
export function stableView({ offsets, txnOffsets }: GroupState): OffsetView {
  return {
    get: (groupId, topic, partition) => offsets.get(groupId, topic, partition),
    ofGroup: (groupId) => offsets.ofGroup(groupId),
    isUnstable: (groupId, topic, partition) => txnOffsets.isOpen(groupId, topic, partition),
  };
}

export function groupFetches(
  request: OffsetFetchRequest,
  apiVersion: number,
  mayDescribe: (topic: string) => boolean,
): GroupFetch[] {
  if (apiVersion >= firstVersionWithGroups) {
    return request.groups.map((group) => ({ ...group, mayDescribe }));
  }
  const topics = request.topics?.map(({ name, partitionIndexes }) => ({
    name,
    topicId: zeroUuid,
    partitionIndexes,
  }));
  const { groupId } = request;
  return [{ groupId, memberId: null, memberEpoch: -1, topics: topics ?? null, mayDescribe }];
}

/** NONE, or why the group does not tell. */
export function fetchError(
  { groups }: GroupState,
  fetch: GroupFetch,
  side: 'committed' | 'latest',
): number {
  const { groupId } = fetch;
  const group = side === 'latest' ? groups.get(groupId) : groups.getCommitted(groupId);
  return group?.validateOffsetFetch(fetch, side) ?? errorCodes.NONE;
}

/**
 * A group's offsets; one without commit, or of an unknown group, is -1 with NONE.
 * [OffsetMetadataManager.fetchOffsets, fetchAllOffsets; KafkaApis.fetchOffsetsForGroup]
 */
export function fetchGroup(
  view: OffsetView,
  fetch: GroupFetch,
  apiVersion: number,
  directory: TopicDirectory,
): GroupAnswer {
  const usesIds = apiVersion >= firstVersionWithTopicIds;
  const { groupId, mayDescribe } = fetch;
  if (fetch.topics === null) {
    const offsets = view.ofGroup(groupId).filter(({ topic }) => mayDescribe(topic));
    const answers = allTopics(offsets, usesIds ? directory : null, (offset) =>
      view.isUnstable(groupId, offset.topic, offset.partition)
        ? missing(offset.partition, errorCodes.UNSTABLE_OFFSET_COMMIT)
        : found(offset),
    );
    return { groupId, topics: answers };
  }
  const topics = fetch.topics.map(({ name, topicId, partitionIndexes }): TopicAnswer => {
    const topic = usesIds ? directory.topicName(topicId) : name;
    return {
      name: topic ?? '',
      topicId,
      partitions: partitionIndexes.map((partitionIndex) => {
        if (topic === undefined) return missing(partitionIndex, errorCodes.UNKNOWN_TOPIC_ID);
        if (!mayDescribe(topic)) {
          return missing(partitionIndex, errorCodes.TOPIC_AUTHORIZATION_FAILED);
        }
        if (view.isUnstable(groupId, topic, partitionIndex)) {
          return missing(partitionIndex, errorCodes.UNSTABLE_OFFSET_COMMIT);
        }
        const offset = view.get(groupId, topic, partitionIndex);
        return offset === undefined || isOfOtherTopic(offset, topicId)
          ? missing(partitionIndex)
          : found(offset);
      }),
    };
  });
  return { groupId, topics };
}

/** With a directory, topics get their ids, and those that have none any more are left out. */
function allTopics(
  offsets: readonly CommittedOffset[],
  directory: TopicDirectory | null,
  answerOf: (offset: CommittedOffset) => PartitionAnswer,
): TopicAnswers {
  const byTopic = Map.groupBy(offsets, ({ topic }) => topic);
  const answers: TopicAnswer[] = [];
  for (const [name, committed] of byTopic) {
    const topicId = directory === null ? zeroUuid : directory.topicId(name);
    if (topicId === undefined) continue;
    answers.push({ name, topicId, partitions: committed.map(answerOf) });
  }
  return answers;
}

/** Committed for a topic of the same name that was deleted since. */
function isOfOtherTopic({ topicId }: CommittedOffset, requested: string): boolean {
  return topicId !== zeroUuid && requested !== zeroUuid && topicId !== requested;
}

type PartitionAnswer = NonNullable<TopicAnswer['partitions']>[number];

function found({ partition, offset, leaderEpoch, metadata }: CommittedOffset): PartitionAnswer {
  return {
    partitionIndex: partition,
    committedOffset: offset,
    committedLeaderEpoch: leaderEpoch,
    metadata,
    errorCode: errorCodes.NONE,
  };
}

function missing(partitionIndex: number, errorCode: number = errorCodes.NONE): PartitionAnswer {
  return {
    partitionIndex,
    committedOffset: -1n,
    committedLeaderEpoch: -1,
    metadata: '',
    errorCode,
  };
}

/** A group that could not be looked up; version 1 can only say so per partition. */
export function groupError(fetch: GroupFetch, errorCode: number, apiVersion: number): GroupAnswer {
  const { groupId } = fetch;
  if (apiVersion >= firstVersionWithTopLevelError) return { groupId, errorCode };
  return {
    groupId,
    topics: (fetch.topics ?? []).map(({ name, partitionIndexes }) => ({
      name,
      partitions: partitionIndexes.map((index) => missing(index, errorCode)),
    })),
  };
}

export function fetchResponse(groups: GroupAnswers, apiVersion: number): OffsetFetchResponse {
  if (apiVersion >= firstVersionWithGroups) return { groups };
  const [group] = groups;
  return {
    errorCode: group?.errorCode ?? errorCodes.NONE,
    topics: (group?.topics ?? []).map(({ name, partitions }) => ({
      ...(name !== undefined && { name }),
      partitions: partitions ?? [],
    })),
  };
}
