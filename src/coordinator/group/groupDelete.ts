import type { Steps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { CoordinatorRecord } from '../ports.ts';
import { type Decision, RefusedError } from '../runtime/decision.ts';
import { endTimers } from './emptyGroup.ts';
import { offsetTombstone } from './groupRecords.ts';
import type { Group, GroupState } from './groupState.ts';
import type { CommittedOffset } from './offsetTable.ts';
import { prepared } from './preparedRecords.ts';

type Place = Pick<CommittedOffset, 'topic' | 'partition'>;

/** What removes a group's offsets, by topic and partition, as far as it was made before the group is decided on. */
type Tombstones = ReadonlyMap<string, ReadonlyMap<number, CoordinatorRecord>>;

export interface GroupDeletePlan {
  /** Groups that there are; the others need no decision. */
  readonly present: readonly string[];
  /** What will remove their offsets, by group, and no more than fits into a batch. */
  readonly tombstones: ReadonlyMap<string, Tombstones>;
}

/** What can be looked up and made before the groups are decided on. */
export function* planGroupDelete(
  { groups, offsets, txnOffsets }: GroupState,
  groupIds: readonly string[],
  maxBytes: number,
): Steps<GroupDeletePlan> {
  const present: string[] = [];
  const tombstones = new Map<string, Tombstones>();
  let restBytes = maxBytes;
  for (const groupId of groupIds) {
    yield;
    if (groups.get(groupId) === undefined) continue;
    present.push(groupId);
    if (restBytes < 0) continue;
    const places = [...offsets.ofGroup(groupId), ...txnOffsets.ofGroup(groupId)];
    const { made, bytes } = yield* tombstonesOf(groupId, places, restBytes);
    tombstones.set(groupId, made);
    restBytes -= bytes;
  }
  return { present, tombstones };
}

function* tombstonesOf(
  groupId: string,
  places: readonly Place[],
  maxBytes: number,
): Steps<{ made: Tombstones; bytes: number }> {
  const made = new Map<string, Map<number, CoordinatorRecord>>();
  let bytes = 0;
  for (const place of places) {
    yield;
    const tombstone = prepared(offsetTombstone(groupId, place));
    const ofTopic = made.get(place.topic) ?? new Map<number, CoordinatorRecord>();
    made.set(place.topic, ofTopic.set(place.partition, tombstone));
    bytes += tombstone.key.byteLength;
    if (bytes > maxBytes) break;
  }
  return { made, bytes };
}

interface GroupDelete {
  readonly groupId: string;
  readonly tombstones: Tombstones | undefined;
  /** Of the batch that it becomes. */
  readonly maxBytes: number;
}

/** Deletes a group without members, and its offsets; the error code says if not. */
export function deleteGroup(
  state: GroupState,
  { groupId, tombstones, maxBytes }: GroupDelete,
  decision: Decision,
): number {
  const group = state.groups.get(groupId);
  if (group === undefined) return errorCodes.GROUP_ID_NOT_FOUND;
  const errorCode = group.validateDeleteGroup();
  if (errorCode !== errorCodes.NONE) return errorCode;
  const remove = (places: readonly Place[]): void => {
    for (const place of places) {
      const made = tombstones?.get(place.topic)?.get(place.partition);
      decision.append(made ?? offsetTombstone(groupId, place));
      refuseOver(maxBytes, decision);
    }
  };
  remove(state.offsets.ofGroup(groupId));
  remove(state.txnOffsets.ofGroup(groupId));
  endGroup(state, group, decision);
  return errorCodes.NONE;
}

export function endGroup(state: GroupState, group: Group, decision: Decision): void {
  if (group.type === 'classic') endTimers(state, group, decision);
  for (const record of group.tombstones()) decision.append(record);
}

/**
 * The log would refuse the batch: the rest need not be decided on. Nor does Kafka write such records in several
 * batches. [GroupCoordinatorShard.deleteGroups, GroupCoordinatorService.handleOperationException]
 */
export function refuseOver(maxBytes: number, decision: Decision): void {
  if (decision.sizeInBytes <= maxBytes) return;
  const message = `more than max.message.bytes, ${maxBytes}, would be written`;
  throw new RefusedError('UNKNOWN_SERVER_ERROR', message);
}
