import type { Handler } from '../handler.ts';

export const deleteGroups: Handler<'deleteGroups'> = {
  versions: [0, 3],
  handle: (request, context) => context.node.groupCoordinator.deleteGroups(request, context),
};
