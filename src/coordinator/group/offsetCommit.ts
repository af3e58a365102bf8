import { type Uuid } from '../../base/uuid.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { zeroUuid } from '../../protocol/schema.ts';
import type { TopicDirectory } from '../ports.ts';
import type { Decision } from '../runtime/decision.ts';
import { offsetCommitRecord } from './groupRecords.ts';
import type { TopicIdPartition } from './group.ts';
import type { Group, GroupState } from './groupState.ts';
import type { OffsetCommitRequest, OffsetCommitResponse } from './messages.ts';
import { expectHeartbeat } from './rebalance.ts';
import type { CommittedOffset } from './offsetTable.ts';

/** From this version on an unknown group is called so. */
const firstVersionWithGroupIdNotFound = 9;

type RequestedTopic = OffsetCommitRequest['topics'][number];
type RequestedPartition = RequestedTopic['partitions'][number];

interface CommitPartition {
  readonly requested: RequestedPartition;
  errorCode: number;
}

/** A topic of the request, found in the directory, with what is wrong with each partition. */
export interface CommitTopic {
  readonly name: string;
  readonly topicId: Uuid;
  readonly partitions: CommitPartition[];
}

/** Looks the topics up, and whether they may be read, as KafkaApis does before it asks the coordinator. */
export function commitTopics(
  topics: readonly RequestedTopic[],
  { usesId, mayRead }: { usesId: boolean; mayRead: (topic: string) => boolean },
  directory: TopicDirectory,
): CommitTopic[] {
  return topics.map((topic) => {
    const name = usesId ? directory.topicName(topic.topicId) : topic.name;
    const topicId = usesId ? topic.topicId : directory.topicId(topic.name);
    const count = name === undefined ? undefined : directory.partitionCount(name);
    const unknownTopic = usesId
      ? errorCodes.UNKNOWN_TOPIC_ID
      : errorCodes.UNKNOWN_TOPIC_OR_PARTITION;
    const isRefused = name !== undefined && !mayRead(name);
    return {
      name: name ?? '',
      topicId: topicId ?? zeroUuid,
      partitions: topic.partitions.map((requested) => ({
        requested,
        errorCode: isRefused
          ? errorCodes.TOPIC_AUTHORIZATION_FAILED
          : count === undefined
            ? unknownTopic
            : partitionError(requested, count),
      })),
    };
  });
}

function partitionError({ partitionIndex }: RequestedPartition, count: number): number {
  const exists = partitionIndex >= 0 && partitionIndex < count;
  return exists ? errorCodes.NONE : errorCodes.UNKNOWN_TOPIC_OR_PARTITION;
}

/** Whether the coordinator has anything to decide. */
export function hasKnownPartition(topics: readonly CommitTopic[]): boolean {
  return topics.some(({ partitions }) =>
    partitions.some(({ errorCode }) => errorCode === errorCodes.NONE),
  );
}

/** The response, where partitions that were good so far get `errorCode`. */
export function commitResponse(
  topics: readonly CommitTopic[],
  errorCode: number = errorCodes.NONE,
): OffsetCommitResponse {
  return {
    topics: topics.map(({ name, topicId, partitions }) => ({
      name,
      topicId,
      partitions: partitions.map((partition) => ({
        partitionIndex: partition.requested.partitionIndex,
        errorCode: partition.errorCode || errorCode,
      })),
    })),
  };
}

interface Commit {
  readonly request: OffsetCommitRequest;
  readonly apiVersion: number;
  readonly topics: readonly CommitTopic[];
}

/** [OffsetMetadataManager.commitOffset] */
export function commitOffsets(
  state: GroupState,
  commit: Commit,
  decision: Decision,
): OffsetCommitResponse {
  const { request, topics } = commit;
  const group = state.groups.get(request.groupId);
  const errorCode = commitError(group, commit);
  if (errorCode !== errorCodes.NONE) return commitResponse(topics, errorCode);
  keepSession(state, group, request.memberId);
  for (const { name, topicId, partitions } of topics) {
    for (const [partition, requested] of toWrite(state, partitions)) {
      const offset = committedOffset(state, request, requested);
      const place = { topic: name, topicId, partition };
      decision.append(offsetCommitRecord(request.groupId, { ...place, ...offset }));
    }
  }
  return commitResponse(topics);
}

/**
 * What is written down of a topic, by partition. Kafka writes each offset; here a partition that is named again and
 * again makes one record, since only its last offset counts.
 */
export function toWrite(
  state: GroupState,
  partitions: readonly CommitPartition[],
): ReadonlyMap<number, RequestedPartition> {
  const latest = new Map<number, RequestedPartition>();
  for (const partition of partitions) {
    const { requested } = partition;
    if (takesMetadata(state, partition)) latest.set(requested.partitionIndex, requested);
  }
  return latest;
}

/** Whether a partition is good so far, and the text with its offset not too long. */
function takesMetadata({ config }: GroupState, partition: CommitPartition): boolean {
  if (partition.errorCode !== errorCodes.NONE) return false;
  const metadata = partition.requested.committedMetadata ?? '';
  if (metadata.length <= config.maxOffsetMetadataBytes) return true;
  partition.errorCode = errorCodes.OFFSET_METADATA_TOO_LARGE;
  return false;
}

function committedOffset(
  state: GroupState,
  { retentionTimeMs }: OffsetCommitRequest,
  requested: RequestedPartition,
): Omit<CommittedOffset, 'topic' | 'topicId' | 'partition'> {
  const nowMs = BigInt(Math.floor(state.clock.nowMs()));
  return {
    offset: requested.committedOffset,
    leaderEpoch: requested.committedLeaderEpoch,
    metadata: requested.committedMetadata ?? '',
    commitTimestampMs: nowMs,
    expireTimestampMs: retentionTimeMs === -1n ? null : nowMs + retentionTimeMs,
  };
}

/** [OffsetMetadataManager.validateOffsetCommit] */
function commitError(group: Group | undefined, commit: Commit): number {
  const { request, apiVersion, topics } = commit;
  const epoch = request.generationIdOrMemberEpoch;
  if (group === undefined) {
    if (epoch < 0) return errorCodes.NONE;
    return apiVersion >= firstVersionWithGroupIdNotFound
      ? errorCodes.GROUP_ID_NOT_FOUND
      : errorCodes.ILLEGAL_GENERATION;
  }
  const { memberId, groupInstanceId } = request;
  const claim = { memberId, groupInstanceId, epoch, isTransactional: false, apiVersion };
  return group.validateOffsetCommit(claim, goodPartitions(topics));
}

/** The partitions that nothing is said against so far. */
export function goodPartitions(topics: readonly CommitTopic[]): TopicIdPartition[] {
  return topics.flatMap(({ topicId, partitions }) =>
    partitions
      .filter(({ errorCode }) => errorCode === errorCodes.NONE)
      .map(({ requested }) => ({ topicId, partition: requested.partitionIndex })),
  );
}

/** A commit is as good as a heartbeat in the classic protocol. */
function keepSession(state: GroupState, group: Group | undefined, memberId: string): void {
  if (group?.type !== 'classic') return;
  const member = group.member(memberId);
  if (member !== undefined) expectHeartbeat(state, group, member);
}
