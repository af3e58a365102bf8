import type { ConsumerGroupMember } from './consumerGroupMember.ts';
import { sameMetadata, sameNames } from './consumerGroupMember.ts';
import {
  currentRecord,
  memberRecord,
  memberTombstones,
  regexTombstone,
  targetRecord,
} from './consumerRecords.ts';
import { emptyAssignment } from './assignment.ts';
import { type Refresh, refuseInvalidRegex } from './regexes.ts';
import { expectIfUndone } from './sessions.ts';
import type { Turn } from './turn.ts';

/** What a member's request changed about what it reads. */
export interface SubscriptionChange {
  readonly names: boolean;
  readonly regex: boolean;
  /** What the new expression matches is known, or there is none any more. */
  readonly isResolved: boolean;
  readonly refresh: Refresh;
}

/**
 * Records a member as its request has it, if that is new.
 * [GroupMetadataManager.hasMemberSubscriptionChanged, maybeUpdateRegularExpressions]
 */
export function recordMember(
  { group, decision }: Turn,
  before: ConsumerGroupMember,
  after: ConsumerGroupMember,
): SubscriptionChange {
  const { groupId, subscriptions } = group;
  const names = !sameNames(before.subscribedTopicNames, after.subscribedTopicNames);
  const regex = before.subscribedTopicRegex !== after.subscribedTopicRegex;
  const isNewRegex = regex && after.subscribedTopicRegex !== '';
  const isFirstOfNew = isNewRegex && subscriptions.membersWith(after.subscribedTopicRegex) === 0;
  if (isFirstOfNew) refuseInvalidRegex(after.subscribedTopicRegex);
  const resolved = subscriptions.resolvedRegexes.map(([, each]) => each);
  const refresh = { isRequired: isFirstOfNew, last: resolved[0], resolvedCount: resolved.length };
  if (!group.members.has(after.memberId) || !sameMetadata(before, after)) {
    decision.append(memberRecord(groupId, after));
  }
  const isLastOfOld = regex && subscriptions.membersWith(before.subscribedTopicRegex) === 0;
  if (isLastOfOld && before.subscribedTopicRegex !== '') {
    decision.append(regexTombstone(groupId, before.subscribedTopicRegex));
  }
  const isResolved =
    regex && (!isNewRegex || subscriptions.resolved(after.subscribedTopicRegex) !== undefined);
  return { names, regex, isResolved, refresh };
}

/** A static member under its new id: it has what the old one had. [GroupMetadataManager.replaceMember] */
export function replaceStaticMember(
  turn: Turn,
  old: ConsumerGroupMember,
  memberId: string,
): ConsumerGroupMember {
  const { group, decision } = turn;
  const { groupId } = group;
  const member = { ...old, memberId, memberEpoch: 0, previousMemberEpoch: 0 };
  const target = group.targets.get(old.memberId) ?? emptyAssignment;
  expectIfUndone(turn, [old]);
  for (const record of memberTombstones(groupId, old.memberId)) decision.append(record);
  decision.append(memberRecord(groupId, member));
  decision.append(targetRecord(groupId, memberId, target));
  decision.append(currentRecord(groupId, member));
  return member;
}
