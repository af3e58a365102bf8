import type { Steps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { Handler, ResponseOf } from '../handler.ts';

/** Versions 0-3: 2 flexible; 3 error messages. */
export const deleteGroups: Handler<'deleteGroups'> = {
  versions: [0, 3],
  async handle(request, context) {
    const { access, node, inTurns } = context;
    const mayDelete = access.filter('delete', 'group');
    const { groupsNames, refused } = await inTurns(sorted(request.groupsNames, mayDelete));
    const answer = await node.groupCoordinator.deleteGroups({ groupsNames }, context);
    if (refused.length === 0) return answer;
    return { ...answer, results: [...(answer.results ?? []), ...refused] };
  },
};

interface Sorted {
  readonly groupsNames: string[];
  readonly refused: NonNullable<ResponseOf<'deleteGroups'>['results']>;
}

/** Each group that may not be deleted is answered once. */
function* sorted(names: readonly string[], mayDelete: (groupId: string) => boolean): Steps<Sorted> {
  const groupsNames: string[] = [];
  const refused = new Map<string, { readonly groupId: string; readonly errorCode: number }>();
  const errorCode = errorCodes.GROUP_AUTHORIZATION_FAILED;
  for (const groupId of names) {
    if (mayDelete(groupId)) groupsNames.push(groupId);
    else refused.set(groupId, { groupId, errorCode });
    yield;
  }
  return { groupsNames, refused: [...refused.values()] };
}
