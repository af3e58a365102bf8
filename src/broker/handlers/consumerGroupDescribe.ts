import { mapInSteps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { describableGroups } from '../describableGroups.ts';
import type { Handler, RequestContext, ResponseOf } from '../handler.ts';

type Group = NonNullable<ResponseOf<'consumerGroupDescribe'>['groups']>[number];

/** Groups of the consumer protocol (KIP-848). Versions 0-1: 1 tells which protocol a member uses. */
export const consumerGroupDescribe: Handler<'consumerGroupDescribe'> = {
  versions: [0, 1],
  isReport: () => true,
  async handle(request, context) {
    const { node, access, inTurns } = context;
    const { groupIds, refused } = await inTurns(describableGroups(request.groupIds, access));
    const asked = { ...request, groupIds };
    const response = await node.groupCoordinator.reports.consumerGroupDescribe(asked, context);
    const described = response.groups ?? [];
    const groups = await inTurns(mapInSteps(described, (group) => shown(group, request, context)));
    return { ...response, groups: [...refused, ...groups] };
  },
};

/** A group that reads topics which the client may not see is not shown. */
function shown(
  group: Group,
  { includeAuthorizedOperations }: { readonly includeAuthorizedOperations: boolean },
  { access }: RequestContext,
): Group {
  if ((group.errorCode ?? errorCodes.NONE) !== errorCodes.NONE) return group;
  if (!access.isOpen && !topicsOf(group).every(access.filter('describe', 'topic'))) {
    return {
      groupId: group.groupId ?? '',
      errorCode: errorCodes.TOPIC_AUTHORIZATION_FAILED,
      errorMessage: 'The group reads topics that the client may not describe.',
    };
  }
  if (!includeAuthorizedOperations) return group;
  return { ...group, authorizedOperations: access.operations('group', group.groupId ?? '') };
}

function topicsOf({ members = [] }: Group): string[] {
  return members
    .flatMap(({ assignment, targetAssignment }) => [assignment, targetAssignment])
    .flatMap((assignment) => assignment?.topicPartitions ?? [])
    .map(({ topicName = '' }) => topicName);
}
