import { errorCodes } from '../../protocol/errors.ts';
import type { TopicDirectory } from '../ports.ts';
import type { Decision } from '../runtime/decision.ts';
import { offsetTombstone } from './groupRecords.ts';
import type { Group, GroupState } from './groupState.ts';
import type { OffsetDeleteRequest, OffsetDeleteResponse } from './messages.ts';
import type { CommittedOffset } from './offsetTable.ts';
import { endTimers } from './rebalance.ts';

/**
 * Deletes single offsets. A live consumer group keeps those of topics that it subscribes to; a live group
 * of another protocol keeps all, as nobody knows what it reads. [OffsetMetadataManager.deleteOffsets]
 */
export function deleteOffsets(
  state: GroupState,
  { request, mayRead }: { request: OffsetDeleteRequest; mayRead: (topic: string) => boolean },
  directory: TopicDirectory,
  decision: Decision,
): OffsetDeleteResponse {
  const group = state.groups.get(request.groupId);
  if (group === undefined) return { errorCode: errorCodes.GROUP_ID_NOT_FOUND };
  const errorCode = group.validateOffsetDelete();
  if (errorCode !== errorCodes.NONE) return { errorCode };
  const topics = request.topics.map(({ name, partitions }) => ({
    name,
    partitions: partitions.map(({ partitionIndex }) => ({
      partitionIndex,
      errorCode: mayRead(name)
        ? deleteOffset(
            { state, group, partitionCount: directory.partitionCount(name) ?? 0 },
            { topic: name, partition: partitionIndex },
            decision,
          )
        : errorCodes.TOPIC_AUTHORIZATION_FAILED,
    })),
  }));
  return { topics };
}

function deleteOffset(
  { state, group, partitionCount }: { state: GroupState; group: Group; partitionCount: number },
  { topic, partition }: Pick<CommittedOffset, 'topic' | 'partition'>,
  decision: Decision,
): number {
  if (partition < 0 || partition >= partitionCount) return errorCodes.UNKNOWN_TOPIC_OR_PARTITION;
  if (group.isSubscribedTo(topic)) return errorCodes.GROUP_SUBSCRIBED_TO_TOPIC;
  const { groupId } = group;
  const isCommitted = state.offsets.get(groupId, topic, partition) !== undefined;
  if (isCommitted || state.txnOffsets.isOpen(groupId, topic, partition)) {
    decision.append(offsetTombstone(groupId, { topic, partition }));
  }
  return errorCodes.NONE;
}

/** Deletes a group without members, and its offsets; the error code says if not. */
export function deleteGroup(state: GroupState, groupId: string, decision: Decision): number {
  const group = state.groups.get(groupId);
  if (group === undefined) return errorCodes.GROUP_ID_NOT_FOUND;
  const errorCode = group.validateDeleteGroup();
  if (errorCode !== errorCodes.NONE) return errorCode;
  for (const offset of state.offsets.ofGroup(groupId)) {
    decision.append(offsetTombstone(groupId, offset));
  }
  for (const place of state.txnOffsets.ofGroup(groupId)) {
    decision.append(offsetTombstone(groupId, place));
  }
  endGroup(state, group, decision);
  return errorCodes.NONE;
}

function endGroup(state: GroupState, group: Group, decision: Decision): void {
  if (group.type === 'classic') endTimers(state, group, decision);
  for (const record of group.tombstones()) decision.append(record);
}

/** Drops a group's offsets for topics that are gone. */
export function forgetTopics(
  state: GroupState,
  groupId: string,
  topics: ReadonlySet<string>,
  decision: Decision,
): void {
  for (const offset of state.offsets.ofGroup(groupId)) {
    if (topics.has(offset.topic)) decision.append(offsetTombstone(groupId, offset));
  }
}

/**
 * Drops a group's expired offsets, and the group if it has none left and no members.
 * [GroupCoordinatorShard.cleanupGroupMetadata, OffsetMetadataManager.cleanupExpiredOffsets]
 */
export function expireGroup(state: GroupState, group: Group, decision: Decision): void {
  const { groupId } = group;
  let hasOffsetsLeft = state.txnOffsets.ofGroup(groupId).length > 0;
  for (const offset of state.offsets.ofGroup(groupId)) {
    const isPending = state.txnOffsets.isOpen(groupId, offset.topic, offset.partition);
    if (!isPending && isExpired(state, group, offset)) {
      decision.append(offsetTombstone(groupId, offset));
    } else {
      hasOffsetsLeft = true;
    }
  }
  if (!hasOffsetsLeft && group.isEmpty) endGroup(state, group, decision);
}

function isExpired(state: GroupState, group: Group, offset: CommittedOffset): boolean {
  const since = group.retentionStart(offset);
  if (since === null || group.isSubscribedTo(offset.topic)) return false;
  const nowMs = BigInt(Math.floor(state.clock.nowMs()));
  return offset.expireTimestampMs === null
    ? nowMs - since >= BigInt(state.config.offsetsRetentionMs)
    : nowMs >= offset.expireTimestampMs;
}
