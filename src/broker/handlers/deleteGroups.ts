import { errorCodes } from '../../protocol/errors.ts';
import type { Handler } from '../handler.ts';

/** Versions 0-3: 2 flexible; 3 error messages. */
export const deleteGroups: Handler<'deleteGroups'> = {
  versions: [0, 3],
  async handle(request, context) {
    const mayDelete = context.access.filter('delete', 'group');
    const groupsNames = request.groupsNames.filter(mayDelete);
    const answer = await context.node.groupCoordinator.deleteGroups({ groupsNames }, context);
    const refused = new Set(request.groupsNames.filter((groupId) => !mayDelete(groupId)));
    const errorCode = errorCodes.GROUP_AUTHORIZATION_FAILED;
    const refusals = [...refused].map((groupId) => ({ groupId, errorCode }));
    return { ...answer, results: [...(answer.results ?? []), ...refusals] };
  },
};
