import type { Handler } from '../handler.ts';

export const joinGroup: Handler<'joinGroup'> = {
  versions: [0, 9],
  handle: (request, context) => context.node.groupCoordinator.joinGroup(request, context),
};
