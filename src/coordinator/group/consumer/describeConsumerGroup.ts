import { errorCodes } from '../../../protocol/errors.ts';
import type { GroupState } from '../groupState.ts';
import type { ConsumerGroupDescribeResponse } from '../messages.ts';
import { inOrderOfTextList } from '../../javaOrder.ts';
import type { TopicDirectory } from '../../ports.ts';
import { type Assignment, emptyAssignment, topicPartitionsOf } from './assignment.ts';
import type { ConsumerGroup } from './consumerGroup.ts';
import type { ConsumerGroupMember } from './consumerGroupMember.ts';

export type DescribedConsumerGroup = NonNullable<ConsumerGroupDescribeResponse['groups']>[number];
type DescribedMember = NonNullable<DescribedConsumerGroup['members']>[number];

const memberTypes = { classic: 0, consumer: 1 };

/** A group as it is committed. [ConsumerGroup.asDescribedGroup] */
export function describeConsumerGroup(state: GroupState, groupId: string): DescribedConsumerGroup {
  const group = state.groups.getCommitted(groupId);
  if (group?.type !== 'consumer') {
    const errorMessage =
      group === undefined
        ? `Group ${groupId} not found.`
        : `Group ${groupId} is not a consumer group.`;
    return { groupId, errorCode: errorCodes.GROUP_ID_NOT_FOUND, errorMessage };
  }
  const members = group.members.committedValues();
  return {
    groupId,
    groupState: group.committedState,
    groupEpoch: group.epoch.committed.epoch,
    assignmentEpoch: group.target.committed.epoch,
    assignorName: group.preferredAssignor(members) ?? state.config.consumer.assignors[0] ?? '',
    members: members.map((member) => describeMember(state, group, member)),
  };
}

function describeMember(
  { topics }: GroupState,
  group: ConsumerGroup,
  member: ConsumerGroupMember,
): DescribedMember {
  const target = group.targets.getCommitted(member.memberId) ?? emptyAssignment;
  return {
    memberId: member.memberId,
    instanceId: member.instanceId,
    rackId: member.rackId,
    memberEpoch: member.memberEpoch,
    clientId: member.clientId,
    clientHost: member.clientHost,
    subscribedTopicNames: inOrderOfTextList(member.subscribedTopicNames),
    subscribedTopicRegex: member.subscribedTopicRegex,
    assignment: { topicPartitions: named(topics, partitionsOf(member)) },
    targetAssignment: { topicPartitions: named(topics, target) },
    memberType: member.classic === null ? memberTypes.consumer : memberTypes.classic,
  };
}

/** What it has to give up still counts as its own. */
function partitionsOf({ assigned, pendingRevocation }: ConsumerGroupMember): Assignment {
  const all = new Map<string, ReadonlySet<number>>();
  for (const [topicId, partitions] of [...assigned, ...pendingRevocation]) {
    all.set(topicId, new Set([...(all.get(topicId) ?? []), ...partitions.keys()]));
  }
  return all;
}

/** Without topics that are gone. */
function named(topics: TopicDirectory, assignment: Assignment) {
  return topicPartitionsOf(assignment).flatMap(({ topicId, partitions }) => {
    const topicName = topics.topicName(topicId);
    return topicName === undefined ? [] : [{ topicId, topicName, partitions }];
  });
}
