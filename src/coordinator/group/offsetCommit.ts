import type { Clock } from '../../base/clock.ts';
import { mapInSteps, type Steps } from '../../base/turns.ts';
import { type Uuid } from '../../base/uuid.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { zeroUuid } from '../../protocol/schema.ts';
import { AppendError, type CoordinatorRecord, type TopicDirectory } from '../ports.ts';
import { appendErrorCode } from '../runtime/appendErrors.ts';
import type { Decision } from '../runtime/decision.ts';
import { offsetCommitRecord } from './groupRecords.ts';
import type { TopicIdPartition } from './group.ts';
import type { Group, GroupState } from './groupState.ts';
import type { OffsetCommitRequest, OffsetCommitResponse } from './messages.ts';
import { joinTopics, type ToldPartition } from './joinTopics.ts';
import { prepared } from './preparedRecords.ts';
import { expectHeartbeat } from './rebalance.ts';
import type { CommittedOffset } from './offsetTable.ts';

/** From this version on an unknown group is called so. */
const firstVersionWithGroupIdNotFound = 9;

type RequestedTopic = OffsetCommitRequest['topics'][number];
type RequestedPartition = RequestedTopic['partitions'][number];

interface CommitPartition {
  readonly requested: RequestedPartition;
  /** The text with its offset is too long. */
  readonly isTooLong: boolean;
}

interface TopicNames {
  readonly name: string;
  readonly topicId: Uuid;
}

/** A topic of the request, found in the directory, with those of its partitions that nothing is said against so far. */
export interface CommitTopic extends TopicNames {
  readonly partitions: readonly CommitPartition[];
}

/** What is wrong with partitions of a topic whatever the group says. */
interface ToldTopic extends TopicNames {
  readonly partitions: readonly ToldPartition[];
}

/** A commit before the coordinator decides on it. */
export interface CommitPlan {
  readonly refused: readonly ToldTopic[];
  /** What the coordinator has to decide on. */
  readonly topics: readonly CommitTopic[];
  /** Topics are named by their ids. */
  readonly usesId: boolean;
  /** What the group says yes to or no, all of it; nothing where the records take more than they may. */
  readonly records: readonly CoordinatorRecord[] | 'tooLarge';
}

interface PlanOptions {
  readonly groupId: string;
  readonly usesId: boolean;
  readonly mayRead: (topic: string) => boolean;
  readonly maxMetadataLength: number;
  /** What the records may take at most. */
  readonly maxBytes: number;
  readonly recordOf: (place: CommitPlace, requested: RequestedPartition) => CoordinatorRecord;
}

type CommitPlace = Pick<CommittedOffset, 'topic' | 'topicId' | 'partition'>;

/** Of a record with names and a text of no length. */
const leastRecordBytes = 45;

/** Looks the topics up, and whether they may be read, as KafkaApis does before it asks the coordinator. */
export function* planCommit(
  topics: readonly RequestedTopic[],
  options: PlanOptions,
  directory: TopicDirectory,
): Steps<CommitPlan> {
  const { usesId } = options;
  const refused: ToldTopic[] = [];
  const planned: CommitTopic[] = [];
  let leastBytes = 0;
  for (const topic of topics) {
    const { name, topicId, errorCode, partitionCount } = found(topic, options, directory);
    const good: CommitPartition[] = [];
    const told: ToldPartition[] = [];
    for (const requested of topic.partitions) {
      const { partitionIndex, committedMetadata } = requested;
      const partitionError = errorCode || errorOf(partitionIndex, partitionCount);
      if (partitionError === errorCodes.NONE) {
        const length = committedMetadata?.length ?? 0;
        const isTooLong = length > options.maxMetadataLength;
        good.push({ requested, isTooLong });
        leastBytes += isTooLong
          ? 0
          : leastRecordBytes + options.groupId.length + name.length + length;
      } else told.push({ partitionIndex, errorCode: partitionError });
      yield;
    }
    if (good.length > 0) planned.push({ name, topicId, partitions: good });
    if (errorCode !== errorCodes.NONE || told.length > 0)
      refused.push({ name, topicId, partitions: told });
    yield;
  }
  const records =
    leastBytes > options.maxBytes ? 'tooLarge' : yield* recordsOf(planned, options.recordOf);
  return { refused, topics: planned, usesId, records };
}

function recordsOf(
  topics: readonly CommitTopic[],
  recordOf: PlanOptions['recordOf'],
): Steps<CoordinatorRecord[]> {
  return mapInSteps(toWrite(topics), ({ name: topic, topicId, requested }) =>
    prepared(recordOf({ topic, topicId, partition: requested.partitionIndex }, requested)),
  );
}

interface Found extends TopicNames {
  /** What is wrong with all of it. */
  readonly errorCode: number;
  readonly partitionCount: number;
}

function found(
  topic: RequestedTopic,
  { usesId, mayRead }: PlanOptions,
  directory: TopicDirectory,
): Found {
  const name = usesId ? directory.topicName(topic.topicId) : topic.name;
  const topicId = usesId ? topic.topicId : directory.topicId(topic.name);
  const count = name === undefined ? undefined : directory.partitionCount(name);
  const names = { name: name ?? '', topicId: topicId ?? zeroUuid, partitionCount: count ?? 0 };
  if (name !== undefined && !mayRead(name))
    return { ...names, errorCode: errorCodes.TOPIC_AUTHORIZATION_FAILED };
  const unknownTopic = usesId ? errorCodes.UNKNOWN_TOPIC_ID : errorCodes.UNKNOWN_TOPIC_OR_PARTITION;
  return { ...names, errorCode: count === undefined ? unknownTopic : errorCodes.NONE };
}

function errorOf(partition: number, partitionCount: number): number {
  const exists = partition >= 0 && partition < partitionCount;
  return exists ? errorCodes.NONE : errorCodes.UNKNOWN_TOPIC_OR_PARTITION;
}

/** The response, where partitions that were good so far get `decided`, which is what the group says. */
export function* commitResponse(
  { refused, topics, usesId }: CommitPlan,
  decided: number = errorCodes.NONE,
): Steps<OffsetCommitResponse> {
  const answers: ToldTopic[] = [];
  for (const { name, topicId, partitions } of topics) {
    const answered = yield* mapInSteps(partitions, ({ requested, isTooLong }) => ({
      partitionIndex: requested.partitionIndex,
      errorCode: decided || (isTooLong ? errorCodes.OFFSET_METADATA_TOO_LARGE : errorCodes.NONE),
    }));
    answers.push({ name, topicId, partitions: answered });
  }
  const keyOf = ({ name, topicId }: ToldTopic): string => (usesId ? topicId : name);
  return { topics: yield* joinTopics(refused, answers, keyOf) };
}

interface Commit {
  readonly request: OffsetCommitRequest;
  readonly apiVersion: number;
  readonly plan: CommitPlan;
}

/** The error code for all that was good so far. [OffsetMetadataManager.commitOffset] */
export function commitOffsets(state: GroupState, commit: Commit, decision: Decision): number {
  const { request, plan } = commit;
  const group = state.groups.get(request.groupId);
  const errorCode = commitError(group, commit);
  if (errorCode !== errorCodes.NONE) return errorCode;
  keepSession(state, group, request.memberId);
  if (plan.records === 'tooLarge') return tooLargeCode;
  for (const record of plan.records) decision.append(record);
  return errorCodes.NONE;
}

/** As where the log refuses the batch, which it would. */
export const tooLargeCode = appendErrorCode(new AppendError(errorCodes.MESSAGE_TOO_LARGE, ''));

/** What is written down, with its topic. */
function* toWrite(topics: readonly CommitTopic[]) {
  for (const { name, topicId, partitions } of topics) {
    for (const { requested, isTooLong } of partitions)
      if (!isTooLong) yield { name, topicId, requested };
  }
}

/** The records of a commit as of now; it is decided on later. */
export function commitRecords(
  { groupId, retentionTimeMs }: Pick<OffsetCommitRequest, 'groupId' | 'retentionTimeMs'>,
  clock: Clock,
): PlanOptions['recordOf'] {
  const nowMs = BigInt(Math.floor(clock.nowMs()));
  const expireTimestampMs = retentionTimeMs === -1n ? null : nowMs + retentionTimeMs;
  return (place, requested) =>
    offsetCommitRecord(groupId, {
      ...place,
      offset: requested.committedOffset,
      leaderEpoch: requested.committedLeaderEpoch,
      metadata: requested.committedMetadata ?? '',
      commitTimestampMs: nowMs,
      expireTimestampMs,
    });
}

/** [OffsetMetadataManager.validateOffsetCommit] */
function commitError(group: Group | undefined, commit: Commit): number {
  const { request, apiVersion, plan } = commit;
  const epoch = request.generationIdOrMemberEpoch;
  if (group === undefined) {
    if (epoch < 0) return errorCodes.NONE;
    return apiVersion >= firstVersionWithGroupIdNotFound
      ? errorCodes.GROUP_ID_NOT_FOUND
      : errorCodes.ILLEGAL_GENERATION;
  }
  const { memberId, groupInstanceId } = request;
  const claim = { memberId, groupInstanceId, epoch, isTransactional: false, apiVersion };
  return group.validateOffsetCommit(claim, goodPartitions(plan));
}

/** The partitions that nothing is said against so far: a text that is too long is told before an epoch that is old. */
export function* goodPartitions({ topics }: CommitPlan): Generator<TopicIdPartition> {
  for (const { topicId, requested } of toWrite(topics))
    yield { topicId, partition: requested.partitionIndex };
}

/** A commit is as good as a heartbeat in the classic protocol. */
function keepSession(state: GroupState, group: Group | undefined, memberId: string): void {
  if (group?.type !== 'classic') return;
  const member = group.member(memberId);
  if (member !== undefined) expectHeartbeat(state, group, member);
}
