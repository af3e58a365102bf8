import { defined } from '../../../base/assert.ts';
import { consumerConfigOf } from '../groupConfig.ts';
import type { Uuid } from '../../../base/uuid.ts';
import type { Assignor, MemberSpec } from '../assignor/groupSpec.ts';
import { inOrderOfMembers } from '../../javaOrder.ts';
import { rangeAssignor } from '../assignor/rangeAssignor.ts';
import { uniformAssignor } from '../assignor/uniformAssignor.ts';
import type { GroupState } from '../groupState.ts';
import { emptyAssignment, sameAssignment } from './assignment.ts';
import type { Beforehand } from './beforehand.ts';
import type { ConsumerGroup, TargetEpoch } from './consumerGroup.ts';
import type { ConsumerGroupMember } from './consumerGroupMember.ts';
import {
  groupEpochRecord,
  partitionMetadataTombstone,
  targetEpochRecord,
  targetRecord,
} from './consumerRecords.ts';
import type { Turn } from './turn.ts';

/** By the names that members ask for; the first is the default. [GroupCoordinatorConfig] */
export const assignors: ReadonlyMap<string, Assignor> = new Map([
  ['uniform', uniformAssignor],
  ['range', rangeAssignor],
]);

/** Topics are looked at again after this even if nobody told of a change. */
const metadataRefreshMs = 60 * 60 * 1000;

/** Looks at the topics that the group subscribes to; the group's epoch grows if they changed, or if it is to. */
export function refreshMetadata({ state, group, decision }: Turn, isBump: boolean): void {
  const { groupId } = group;
  const { epoch, metadataHash } = group.epoch.latest;
  const hash = state.metadataHashes.of(group.subscriptions.topicNames);
  if (isBump || hash !== metadataHash) {
    decision.append(groupEpochRecord(groupId, epoch + 1, hash));
    state.logger.info(`group ${groupId}: epoch ${epoch + 1}`);
  }
  group.keepMetadataUntil(state.clock.nowMs() + metadataRefreshMs);
  if (group.hasPartitionMetadata.latest) decision.append(partitionMetadataTombstone(groupId));
}

/**
 * Assigns anew if the group's epoch has grown, but not more often than the interval allows: who joins meanwhile
 * waits. True: it did. [GroupMetadataManager.maybeUpdateTargetAssignment]
 */
export function updateTarget(turn: Turn, { joiningId, isHomogeneous }: Beforehand): boolean {
  const { state, group, decision } = turn;
  const { epoch } = group.epoch.latest;
  if (group.target.latest.epoch >= epoch) return false;
  const nowMs = state.clock.nowMs();
  const { assignmentIntervalMs } = consumerConfigOf(state.config, group.groupId);
  if (!mayAssign(group.target.latest, assignmentIntervalMs, nowMs)) return false;
  const name = group.preferredAssignor() ?? state.config.consumer.assignors[0] ?? 'uniform';
  const assignor = defined(assignors.get(name), `assignor ${name}`);
  const members = inOrderOfMembers(group.members.values(), {
    slots: group.memberSlots,
    joiningId,
  });
  const assignments = assignor({
    members: specsOf(state, group, members),
    isHomogeneous,
    partitionCount: (topicId) => partitionCount(state, topicId),
  });
  for (const { memberId } of members) {
    const assignment = assignments.get(memberId) ?? emptyAssignment;
    const before = group.targets.get(memberId);
    if (before !== undefined && sameAssignment(before, assignment)) continue;
    decision.append(targetRecord(group.groupId, memberId, assignment));
  }
  decision.append(targetEpochRecord(group.groupId, epoch, nowMs));
  state.logger.info(`group ${group.groupId}: assigned epoch ${epoch} (${name})`);
  return true;
}

/** Without interval at once even if the clock was set back. */
function mayAssign({ timestampMs }: TargetEpoch, intervalMs: number, nowMs: number): boolean {
  return timestampMs === 0 || intervalMs === 0 || nowMs >= timestampMs + intervalMs;
}

function specsOf(
  state: GroupState,
  group: ConsumerGroup,
  members: readonly ConsumerGroupMember[],
): Map<string, MemberSpec> {
  const resolve = topicIdResolver(state);
  return new Map(
    members.map((member) => [
      member.memberId,
      {
        instanceId: member.instanceId,
        topicIds: resolve(group.subscriptions.topicsOf(member)),
        assignment: group.targets.get(member.memberId) ?? emptyAssignment,
      },
    ]),
  );
}

/** Members with equal subscriptions mostly share one set. */
function topicIdResolver(state: GroupState) {
  const resolved = new Map<ReadonlySet<string>, ReadonlySet<Uuid>>();
  return (names: ReadonlySet<string>): ReadonlySet<Uuid> => {
    let topicIds = resolved.get(names);
    if (topicIds === undefined) resolved.set(names, (topicIds = topicIdsOf(state, names)));
    return topicIds;
  };
}

/** Of the topics that are there. */
export function topicIdsOf({ topics }: GroupState, names: ReadonlySet<string>): Set<Uuid> {
  const topicIds = new Set<Uuid>();
  for (const name of names) {
    const topicId = topics.topicId(name);
    if (topicId !== undefined) topicIds.add(topicId);
  }
  return topicIds;
}

function partitionCount({ topics }: GroupState, topicId: Uuid): number {
  const name = topics.topicName(topicId);
  return (name === undefined ? undefined : topics.partitionCount(name)) ?? 0;
}
