import { lacksProtocol } from '../../coordinator/group/syncGroup.ts';
import type { Handler } from '../handler.ts';

/**
 * Versions 0-5: 1 throttle time; 3 group instance ids (KIP-345); 4 flexible; 5 protocol type and name, which
 * must be there (KIP-559).
 */
export const syncGroup: Handler<'syncGroup'> = {
  versions: [0, 5],
  handle(request, context) {
    // What every member has to say is looked at first.
    if (!lacksProtocol(request, context.apiVersion)) {
      context.access.require('read', 'group', request.groupId);
    }
    return context.node.groupCoordinator.syncGroup(request, context);
  },
};
