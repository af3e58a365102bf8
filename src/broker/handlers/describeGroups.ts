import { errorCodes } from '../../protocol/errors.ts';
import type { Handler, RequestContext, ResponseOf } from '../handler.ts';

const firstVersionWithOperations = 3;

/**
 * Versions 0-6: 1 throttle time; 3 authorized operations; 4 group instance ids; 5 flexible; 6 an unknown
 * group is GROUP_ID_NOT_FOUND instead of Dead.
 */
export const describeGroups: Handler<'describeGroups'> = {
  versions: [0, 6],
  isReport: () => true,
  async handle(request, context) {
    const { access, apiVersion, node } = context;
    const mayDescribe = access.filter('describe', 'group');
    const groups = request.groups.filter(mayDescribe);
    const response = await node.groupCoordinator.describeGroups({ ...request, groups }, context);
    const wantsOperations =
      request.includeAuthorizedOperations && apiVersion >= firstVersionWithOperations;
    const described = wantsOperations ? withOperations(response, access) : response;
    const errorCode = errorCodes.GROUP_AUTHORIZATION_FAILED;
    const refused = request.groups
      .filter((groupId) => !mayDescribe(groupId))
      .map((groupId) => ({ groupId, errorCode }));
    return { groups: [...refused, ...(described.groups ?? [])] };
  },
};

function withOperations(
  response: ResponseOf<'describeGroups'>,
  access: RequestContext['access'],
): ResponseOf<'describeGroups'> {
  const groups = response.groups?.map((group) =>
    (group.errorCode ?? errorCodes.NONE) === errorCodes.NONE
      ? { ...group, authorizedOperations: access.operations('group', group.groupId ?? '') }
      : group,
  );
  return { groups: groups ?? [] };
}
