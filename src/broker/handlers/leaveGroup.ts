import type { Handler } from '../handler.ts';

export const leaveGroup: Handler<'leaveGroup'> = {
  versions: [0, 5],
  handle: (request, context) => context.node.groupCoordinator.leaveGroup(request, context),
};
