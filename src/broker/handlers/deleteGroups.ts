import type { Handler } from '../handler.ts';

/** Versions 0-3: 2 flexible; 3 error messages. */
export const deleteGroups: Handler<'deleteGroups'> = {
  versions: [0, 3],
  handle: (request, context) => context.node.groupCoordinator.deleteGroups(request, context),
};
