import { errorCodes } from '../../protocol/errors.ts';
import type { Handler, ResponseOf } from '../handler.ts';
import { groupOperations } from './groupOperations.ts';

const firstVersionWithOperations = 3;

/**
 * Versions 0-6: 1 throttle time; 3 authorized operations; 4 group instance ids; 5 flexible; 6 an unknown
 * group is GROUP_ID_NOT_FOUND instead of Dead.
 */
export const describeGroups: Handler<'describeGroups'> = {
  versions: [0, 6],
  async handle(request, context) {
    const response = await context.node.groupCoordinator.describeGroups(request, context);
    const wantsOperations =
      request.includeAuthorizedOperations && context.apiVersion >= firstVersionWithOperations;
    return wantsOperations ? withOperations(response) : response;
  },
};

function withOperations(response: ResponseOf<'describeGroups'>): ResponseOf<'describeGroups'> {
  const groups = response.groups?.map((group) =>
    (group.errorCode ?? errorCodes.NONE) === errorCodes.NONE
      ? { ...group, authorizedOperations: groupOperations }
      : group,
  );
  return { groups: groups ?? [] };
}
