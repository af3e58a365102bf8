import type { Handler } from '../handler.ts';

export const listGroups: Handler<'listGroups'> = {
  versions: [0, 5],
  handle: (request, context) => context.node.groupCoordinator.listGroups(request, context),
};
