import {
  groupEpochRecord,
  memberTombstones,
  regexTombstone,
  targetEpochRecord,
} from './consumerRecords.ts';
import type { ConsumerGroupMember } from './consumerGroupMember.ts';
import { downgrade, isDowngrade } from './downgrade.ts';
import { endMemberTimers } from './memberTimers.ts';
import type { Turn } from './turn.ts';

/**
 * Members leave or are thrown out: the group's epoch grows, so that the next heartbeat of another assigns anew. A
 * group without members has nothing to assign. [GroupMetadataManager.consumerGroupFenceMembers]
 */
export function removeMembers(turn: Turn, members: readonly ConsumerGroupMember[]): void {
  const { state, group, decision } = turn;
  const { groupId, subscriptions } = group;
  if (members.length === 0) return;
  if (isDowngrade(turn, members)) {
    downgrade(turn, members, 'members left that used the consumer protocol');
    return;
  }
  for (const { memberId } of members) {
    for (const record of memberTombstones(groupId, memberId)) decision.append(record);
  }
  forgetRegexes(turn, members);
  const epoch = group.epoch.latest.epoch + 1;
  const metadataHash = state.metadataHashes.of(subscriptions.topicNames);
  decision.append(groupEpochRecord(groupId, epoch, metadataHash));
  if (group.isEmpty) decision.append(targetEpochRecord(groupId, epoch, 0));
  for (const { memberId } of members) endMemberTimers(state, groupId, memberId);
}

/** Expressions that nobody has any more. */
function forgetRegexes({ group, decision }: Turn, members: readonly ConsumerGroupMember[]): void {
  for (const regex of new Set(members.map((member) => member.subscribedTopicRegex))) {
    if (regex === '' || group.subscriptions.membersWith(regex) > 0) continue;
    decision.append(regexTombstone(group.groupId, regex));
  }
}
