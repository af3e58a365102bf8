import { errorCodes } from '../../protocol/errors.ts';
import type { Decision } from '../runtime/decision.ts';
import type { ClassicGroup } from './classicGroup.ts';
import { groupMetadataRecord } from './groupRecords.ts';
import type { GroupState } from './groupState.ts';
import { heartbeatKey } from './sessionTimer.ts';

/** A classic group that has lost its last member: its record, and its end. */

const emptyRetryMs = 1000;

const emptyKey = (group: ClassicGroup): string => `empty ${group.groupId}`;

/**
 * Until it is written, another coordinator would find the last generation stable. Kafka leaves it at that;
 * we try again.
 */
export function recordEmpty(state: GroupState, group: ClassicGroup, decision: Decision): void {
  decision.persist(groupMetadataRecord(group, new Map()));
  decision.afterwards((errorCode) => {
    if (errorCode !== errorCodes.NONE) recordEmptyLater(state, group);
  });
}

function recordEmptyLater(state: GroupState, group: ClassicGroup): void {
  const { groupId, generationId } = group;
  const isStillEmpty = (): boolean =>
    state.classicGroup(groupId) === group &&
    group.state === 'Empty' &&
    group.generationId === generationId;
  if (!isStillEmpty()) return;
  state.timers.schedule(emptyKey(group), emptyRetryMs, (decision) => {
    if (isStillEmpty()) recordEmpty(state, group, decision);
  });
}

/**
 * A group without members is deleted, and its timers end. Should that be undone, whoever was given an id
 * must ask anew, as nothing would end the wait for them, and the group is recorded once more.
 */
export function endTimers(state: GroupState, group: ClassicGroup, decision: Decision): void {
  state.timers.cancel(emptyKey(group));
  for (const memberId of group.pendingJoinIds) state.timers.cancel(heartbeatKey(group, memberId));
  decision.ifUndone(() => {
    group.pendingJoinIds.clear();
    if (group.protocolType !== null) recordEmptyLater(state, group);
  });
}
