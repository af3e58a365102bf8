import type { ClassicGroup } from './classicGroup.ts';
import { noAssignment } from './classicGroupMember.ts';
import type { JoinGroupResponse } from './messages.ts';

/** The answer to a member that may go on with this generation. */
export function joinedResponse(group: ClassicGroup, memberId: string): JoinGroupResponse {
  return {
    memberId,
    generationId: group.generationId,
    protocolType: group.protocolType,
    protocolName: group.protocolName,
    leader: group.leaderId ?? '',
    members: group.leaderId === memberId ? joinedMembers(group) : [],
  };
}

function joinedMembers(group: ClassicGroup): NonNullable<JoinGroupResponse['members']> {
  return group.members.map((member) => ({
    memberId: member.memberId,
    groupInstanceId: member.groupInstanceId,
    metadata: member.metadata(group.protocolName) ?? noAssignment,
  }));
}
