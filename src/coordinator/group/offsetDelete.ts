import type { Steps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { CoordinatorRecord, TopicDirectory } from '../ports.ts';
import type { Decision } from '../runtime/decision.ts';
import { endGroup, refuseOver } from './groupDelete.ts';
import { offsetTombstone } from './groupRecords.ts';
import type { Group, GroupState } from './groupState.ts';
import { joinTopics, type ToldPartition } from './joinTopics.ts';
import type { OffsetDeleteRequest, OffsetDeleteResponse } from './messages.ts';
import type { CommittedOffset } from './offsetTable.ts';
import { prepared } from './preparedRecords.ts';

/** A partition whose offset is to go. */
interface Going {
  readonly topic: string;
  readonly partition: number;
  /** Undefined: to be made where there is an offset by then. */
  readonly tombstone: CoordinatorRecord | undefined;
}

export interface DeletePlan {
  /** The partitions that are there, of topics that are there and that who asks may read. */
  readonly present: ReadonlyMap<string, ReadonlySet<number>>;
  /** In the order of the request. */
  readonly going: readonly Going[];
}

interface DeleteOptions {
  /** Undefined: not to be had now. */
  readonly state: GroupState | undefined;
  /** Of the batch that it becomes: what is beyond need not be prepared. */
  readonly maxBytes: number;
  readonly mayRead: (topic: string) => boolean;
  readonly directory: TopicDirectory;
}

export function* planDelete(
  { groupId, topics }: OffsetDeleteRequest,
  { state, maxBytes, mayRead, directory }: DeleteOptions,
): Steps<DeletePlan> {
  const present = new Map<string, Set<number>>();
  const going: Going[] = [];
  let bytes = 0;
  for (const { name: topic, partitions } of topics) {
    yield;
    if (!mayRead(topic)) continue;
    const count = directory.partitionCount(topic);
    if (count === undefined) continue;
    const ofTopic = present.get(topic) ?? new Set<number>();
    present.set(topic, ofTopic);
    for (const { partitionIndex: partition } of partitions) {
      yield;
      if (partition < 0 || partition >= count) continue;
      const isPrepared = bytes <= maxBytes && state && hasOffset(state, groupId, topic, partition);
      const tombstone = isPrepared
        ? prepared(offsetTombstone(groupId, { topic, partition }))
        : undefined;
      bytes += tombstone?.key.byteLength ?? 0;
      // Of one named twice there are two tombstones, as long as a batch takes them.
      if (ofTopic.has(partition) && tombstone === undefined) continue;
      ofTopic.add(partition);
      going.push({ topic, partition, tombstone });
    }
  }
  return { present, going };
}

/** One that counts, or will when its transaction does. */
function hasOffset(state: GroupState, groupId: string, topic: string, partition: number): boolean {
  return (
    state.offsets.get(groupId, topic, partition) !== undefined ||
    state.txnOffsets.isOpen(groupId, topic, partition)
  );
}

export interface Deleted {
  readonly errorCode: number;
  /** Topics whose offsets stay, since the group reads them. */
  readonly subscribed: ReadonlySet<string>;
}

interface OffsetDelete {
  readonly groupId: string;
  readonly plan: DeletePlan;
  /** Of the batch that it becomes. */
  readonly maxBytes: number;
}

/**
 * Deletes single offsets. A live consumer group keeps those of topics that it subscribes to; a live group
 * of another protocol keeps all, as nobody knows what it reads. [OffsetMetadataManager.deleteOffsets]
 */
export function deleteOffsets(
  state: GroupState,
  { groupId, plan, maxBytes }: OffsetDelete,
  decision: Decision,
): Deleted {
  const subscribed = new Set<string>();
  const group = state.groups.get(groupId);
  if (group === undefined) return { errorCode: errorCodes.GROUP_ID_NOT_FOUND, subscribed };
  const errorCode = group.validateOffsetDelete();
  if (errorCode !== errorCodes.NONE) return { errorCode, subscribed };
  for (const topic of plan.present.keys()) if (group.isSubscribedTo(topic)) subscribed.add(topic);
  // First of all: what is appended counts at once, and Kafka removes the offset of a partition named twice twice.
  const there = plan.going.filter(
    ({ topic, partition }) => !subscribed.has(topic) && hasOffset(state, groupId, topic, partition),
  );
  for (const { topic, partition, tombstone } of there) {
    // It may have come in since the plan was made.
    decision.append(tombstone ?? offsetTombstone(groupId, { topic, partition }));
    refuseOver(maxBytes, decision);
  }
  return { errorCode, subscribed };
}

interface ToldTopic {
  readonly name: string;
  readonly partitions: readonly ToldPartition[];
}

interface Answering {
  readonly mayRead: (topic: string) => boolean;
  readonly plan: DeletePlan;
  readonly deleted: Deleted;
}

export function* deleteResponse(
  { topics }: OffsetDeleteRequest,
  { mayRead, plan, deleted }: Answering,
): Steps<OffsetDeleteResponse> {
  const { errorCode, subscribed } = deleted;
  if (errorCode !== errorCodes.NONE) return { errorCode };
  const refused: ToldTopic[] = [];
  const answers: ToldTopic[] = [];
  for (const { name, partitions } of topics) {
    const present = plan.present.get(name);
    const common = subscribed.has(name) ? errorCodes.GROUP_SUBSCRIBED_TO_TOPIC : errorCodes.NONE;
    const absent = mayRead(name)
      ? errorCodes.UNKNOWN_TOPIC_OR_PARTITION
      : errorCodes.TOPIC_AUTHORIZATION_FAILED;
    const told: ToldPartition[] = [];
    const answered: ToldPartition[] = [];
    for (const { partitionIndex } of partitions) {
      yield;
      const isPresent = present?.has(partitionIndex) === true;
      if (isPresent) answered.push({ partitionIndex, errorCode: common });
      else told.push({ partitionIndex, errorCode: absent });
    }
    if (present === undefined || told.length > 0) refused.push({ name, partitions: told });
    if (answered.length > 0) answers.push({ name, partitions: answered });
  }
  return { topics: yield* joinTopics(refused, answers, ({ name }) => name) };
}

/**
 * What one decision drops at most of what nobody asked to go together; Kafka writes such records in as many batches as
 * they take. [CoordinatorResult.isAtomic]
 */
const droppedAtOnce = 2000;

/** Drops a group's offsets for topics that are gone; whether that was all of them. */
export function forgetTopics(
  state: GroupState,
  groupId: string,
  topics: ReadonlySet<string>,
  decision: Decision,
): boolean {
  const gone = state.offsets.ofGroup(groupId).filter(({ topic }) => topics.has(topic));
  for (const offset of gone.slice(0, droppedAtOnce)) {
    decision.append(offsetTombstone(groupId, offset));
  }
  return gone.length <= droppedAtOnce;
}

/**
 * Drops a group's expired offsets, and the group if it has none left and no members; whether that was all.
 * [GroupCoordinatorShard.cleanupGroupMetadata, OffsetMetadataManager.cleanupExpiredOffsets]
 */
export function expireGroup(state: GroupState, group: Group, decision: Decision): boolean {
  const { groupId } = group;
  let hasOffsetsLeft = state.txnOffsets.ofGroup(groupId).length > 0;
  let dropped = 0;
  for (const offset of state.offsets.ofGroup(groupId)) {
    const isPending = state.txnOffsets.isOpen(groupId, offset.topic, offset.partition);
    if (!isPending && isExpired(state, group, offset)) {
      if (dropped++ === droppedAtOnce) return false;
      decision.append(offsetTombstone(groupId, offset));
    } else {
      hasOffsetsLeft = true;
    }
  }
  if (!hasOffsetsLeft && group.isEmpty) endGroup(state, group, decision);
  return true;
}

function isExpired(state: GroupState, group: Group, offset: CommittedOffset): boolean {
  const since = group.retentionStart(offset);
  if (since === null || group.isSubscribedTo(offset.topic)) return false;
  const nowMs = BigInt(Math.floor(state.clock.nowMs()));
  return offset.expireTimestampMs === null
    ? nowMs - since >= BigInt(state.config.offsetsRetentionMs)
    : nowMs >= offset.expireTimestampMs;
}
