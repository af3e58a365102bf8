import { mapInSteps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { describableGroups } from '../describableGroups.ts';
import type { Handler, RequestContext, ResponseOf } from '../handler.ts';

type Group = NonNullable<ResponseOf<'describeGroups'>['groups']>[number];

const firstVersionWithOperations = 3;

/**
 * Versions 0-6: 1 throttle time; 3 authorized operations; 4 group instance ids; 5 flexible; 6 an unknown
 * group is GROUP_ID_NOT_FOUND instead of Dead.
 */
export const describeGroups: Handler<'describeGroups'> = {
  versions: [0, 6],
  isReport: () => true,
  async handle(request, context) {
    const { access, apiVersion, node, inTurns } = context;
    const { groupIds: groups, refused } = await inTurns(describableGroups(request.groups, access));
    const response = await node.groupCoordinator.reports.describeGroups(
      { ...request, groups },
      context,
    );
    const wantsOperations =
      request.includeAuthorizedOperations && apiVersion >= firstVersionWithOperations;
    const described = response.groups ?? [];
    const told = wantsOperations
      ? await inTurns(mapInSteps(described, (group) => withOperations(group, access)))
      : described;
    return { groups: [...refused, ...told] };
  },
};

function withOperations(group: Group, access: RequestContext['access']): Group {
  return (group.errorCode ?? errorCodes.NONE) === errorCodes.NONE
    ? { ...group, authorizedOperations: access.operations('group', group.groupId ?? '') }
    : group;
}
