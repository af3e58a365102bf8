import { filterInSteps, inOneGo, mapInSteps, type Steps } from '../../base/turns.ts';
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
  /** All of a group that is unstable. */
  unstableOf(groupId: string): Pick<CommittedOffset, 'topic' | 'partition'>[];
}

export function committedView({ offsets }: GroupState): OffsetView {
  return {
    get: (groupId, topic, partition) => offsets.getCommitted(groupId, topic, partition),
    ofGroup: (groupId) => offsets.committedOfGroup(groupId),
    isUnstable: () => false,
    unstableOf: () => [],
  };
}

/** For consumers that must not read again what a transaction has consumed (KIP-447). */
export function stableView({ offsets, txnOffsets }: GroupState): OffsetView {
  return {
    get: (groupId, topic, partition) => offsets.get(groupId, topic, partition),
    ofGroup: (groupId) => offsets.ofGroup(groupId),
    isUnstable: (groupId, topic, partition) => txnOffsets.isOpen(groupId, topic, partition),
    unstableOf: (groupId) => txnOffsets.ofGroup(groupId),
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

/** Partitions that are looked up in one go. */
const fewPartitions = 1000;

export interface FetchOptions {
  readonly apiVersion: number;
  readonly directory: TopicDirectory;
}

/** A group's offsets as they are now: where they are many, work on what they are now. */
export function fetchGroup(
  view: OffsetView,
  fetch: GroupFetch,
  options: FetchOptions,
): GroupAnswer | Steps<GroupAnswer> {
  const { groupId, topics } = fetch;
  const count =
    topics === null
      ? view.ofGroup(groupId).length
      : topics.reduce((sum, { partitionIndexes }) => sum + 1 + partitionIndexes.length, 0);
  return count > fewPartitions
    ? answerGroup(copyOf(view, groupId), fetch, options)
    : inOneGo(answerGroup(view, fetch, options));
}

/** The group's offsets as they are now, whatever comes later. */
function copyOf(view: OffsetView, groupId: string): OffsetView {
  const keyOf = (topic: string, partition: number): string => `${partition} ${topic}`;
  const offsets = view.ofGroup(groupId);
  let byKey: Map<string, CommittedOffset> | undefined;
  const unstable = view.unstableOf(groupId);
  const unstableKeys = new Set(unstable.map(({ topic, partition }) => keyOf(topic, partition)));
  return {
    get(_groupId, topic, partition) {
      byKey ??= new Map(offsets.map((each) => [keyOf(each.topic, each.partition), each]));
      return byKey.get(keyOf(topic, partition));
    },
    ofGroup: () => offsets,
    isUnstable: (_groupId, topic, partition) =>
      unstableKeys.size > 0 && unstableKeys.has(keyOf(topic, partition)),
    unstableOf: () => unstable,
  };
}

/**
 * One without commit, or of an unknown group, is -1 with NONE.
 * [OffsetMetadataManager.fetchOffsets, fetchAllOffsets; KafkaApis.fetchOffsetsForGroup]
 */
function* answerGroup(
  view: OffsetView,
  fetch: GroupFetch,
  { apiVersion, directory }: FetchOptions,
): Steps<GroupAnswer> {
  const usesIds = apiVersion >= firstVersionWithTopicIds;
  const { groupId, mayDescribe } = fetch;
  if (fetch.topics === null) {
    const offsets = yield* filterInSteps(view.ofGroup(groupId), ({ topic }) => mayDescribe(topic));
    const answers = yield* allTopics(offsets, usesIds ? directory : null, (offset) =>
      view.isUnstable(groupId, offset.topic, offset.partition)
        ? missing(offset.partition, errorCodes.UNSTABLE_OFFSET_COMMIT)
        : found(offset),
    );
    return { groupId, topics: answers };
  }
  const topics: TopicAnswer[] = [];
  for (const { name, topicId, partitionIndexes } of fetch.topics) {
    const topic = usesIds ? directory.topicName(topicId) : name;
    const partitions = yield* mapInSteps(partitionIndexes, (partitionIndex) => {
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
    });
    topics.push({ name: topic ?? '', topicId, partitions });
    yield;
  }
  return { groupId, topics };
}

/** With a directory, topics get their ids, and those that have none any more are left out. */
function* allTopics(
  offsets: readonly CommittedOffset[],
  directory: TopicDirectory | null,
  answerOf: (offset: CommittedOffset) => PartitionAnswer,
): Steps<TopicAnswers> {
  const byTopic = Map.groupBy(offsets, ({ topic }) => topic);
  const answers: TopicAnswer[] = [];
  for (const [name, committed] of byTopic) {
    const topicId = directory === null ? zeroUuid : directory.topicId(name);
    if (topicId === undefined) continue;
    answers.push({ name, topicId, partitions: yield* mapInSteps(committed, answerOf) });
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
