import { type Decision, RefusedError } from '../../runtime/decision.ts';
import { endTimers } from '../emptyGroup.ts';
import type { GroupState } from '../groupState.ts';
import type { ConsumerGroup } from './consumerGroup.ts';
import { upgrade } from './upgrade.ts';

interface Opened {
  readonly group: ConsumerGroup;
  /** To be called when nothing can be refused any more. */
  readonly afterwards: () => void;
}

/**
 * The group that a member beats in. One that joins makes it; a classic group in its place is deleted if it has no
 * members, and else converted. [GroupMetadataManager.getOrMaybeCreateConsumerGroup]
 */
export function openGroup(
  state: GroupState,
  groupId: string,
  isJoining: boolean,
  decision: Decision,
): Opened {
  const present = state.groups.get(groupId);
  const afterwards = (): void => undefined;
  if (present?.type === 'consumer') return { group: present, afterwards };
  if (!isJoining) {
    const message =
      present === undefined
        ? `Consumer group ${groupId} not found.`
        : `Group ${groupId} is not a consumer group.`;
    throw new RefusedError('GROUP_ID_NOT_FOUND', message);
  }
  if (present === undefined) return { group: state.openConsumerGroup(groupId), afterwards };
  if (!present.isEmpty) return upgrade(state, present, decision);
  endTimers(state, present, decision);
  for (const record of present.tombstones()) decision.append(record);
  return { group: state.openConsumerGroup(groupId), afterwards };
}
