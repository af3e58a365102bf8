import type { Handler } from '../handler.ts';

/**
 * Versions 0-5: 1 throttle time; 3 many members at once, each with its result (KIP-345); 4 flexible; 5 reasons
 * (KIP-800).
 */
export const leaveGroup: Handler<'leaveGroup'> = {
  versions: [0, 5],
  handle(request, context) {
    context.access.require('read', 'group', request.groupId);
    return context.node.groupCoordinator.leaveGroup(request, context);
  },
};
