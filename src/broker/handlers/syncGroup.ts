import type { Handler } from '../handler.ts';

export const syncGroup: Handler<'syncGroup'> = {
  versions: [0, 5],
  handle: (request, context) => context.node.groupCoordinator.syncGroup(request, context),
};
