import type { Steps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { ClassicGroupMember } from './classicGroupMember.ts';
import type { Group, GroupState } from './groupState.ts';
import type { DescribeGroupsResponse, ListGroupsRequest, ListGroupsResponse } from './messages.ts';

/** From this version on an unknown group is an error (KIP-1043); before, it is a Dead one. */
const firstVersionWithGroupIdNotFound = 6;

export type DescribedGroup = NonNullable<DescribeGroupsResponse['groups']>[number];
type ListedGroup = NonNullable<ListGroupsResponse['groups']>[number];

/** [GroupMetadataManager.describeGroups] */
export function describeGroup(
  state: GroupState,
  groupId: string,
  apiVersion: number,
): DescribedGroup {
  const group = state.groups.getCommitted(groupId);
  if (group === undefined) return unknownGroup(groupId, apiVersion, `Group ${groupId} not found.`);
  if (group.type !== 'classic') {
    return unknownGroup(groupId, apiVersion, `Group ${groupId} is not a classic group.`);
  }
  const protocolName = group.state === 'Stable' ? group.protocolName : null;
  return {
    groupId,
    groupState: group.state,
    protocolType: group.protocolType ?? '',
    protocolData: protocolName ?? '',
    members: group.members.map((member) => describeMember(member, protocolName)),
  };
}

function describeMember(member: ClassicGroupMember, protocolName: string | null) {
  const metadata = member.metadata(protocolName);
  return {
    memberId: member.memberId,
    groupInstanceId: member.groupInstanceId,
    clientId: member.clientId,
    clientHost: member.clientHost,
    ...(metadata !== undefined && { memberMetadata: metadata }),
    memberAssignment: member.assignment,
  };
}

function unknownGroup(groupId: string, apiVersion: number, errorMessage: string): DescribedGroup {
  const dead = { groupId, groupState: 'Dead' };
  if (apiVersion < firstVersionWithGroupIdNotFound) return dead;
  return { ...dead, errorCode: errorCodes.GROUP_ID_NOT_FOUND, errorMessage };
}

/** Filters are compared without regard to case; an unknown one matches nothing. */
export function* listGroups(
  state: GroupState,
  { statesFilter, typesFilter }: ListGroupsRequest,
): Steps<ListedGroup[]> {
  const states = statesFilter.map((name) => name.trim().toLowerCase());
  const types = typesFilter.map((name) => name.trim().toLowerCase());
  const listed: ListedGroup[] = [];
  for (const group of state.groups.committedValues()) {
    const groupState = stateOf(group);
    const isAsked =
      (states.length === 0 || states.includes(groupState.toLowerCase())) &&
      (types.length === 0 || types.includes(group.type));
    if (isAsked) {
      const { groupId, protocolType, type: groupType } = group;
      listed.push({ groupId, protocolType: protocolType ?? '', groupState, groupType });
    }
    yield;
  }
  return listed;
}

function stateOf(group: Group): string {
  return group.type === 'classic' ? group.state : group.committedState;
}
