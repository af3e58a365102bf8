import type { Handler } from '../handler.ts';

/** Versions 0-4: 1 throttle time; 3 group instance ids (KIP-345); 4 flexible. */
export const heartbeat: Handler<'heartbeat'> = {
  versions: [0, 4],
  handle(request, context) {
    context.access.require('read', 'group', request.groupId);
    return context.node.groupCoordinator.heartbeat(request, context);
  },
};
