import type { Handler } from '../handler.ts';
import { refusedCommit } from './refusedCommit.ts';

/**
 * Versions 2-10: 2-4 carry a retention time; 3 throttle time; 6 leader epochs (KIP-320); 7 group instance ids
 * (KIP-345); 8 flexible; 9 an unknown group is GROUP_ID_NOT_FOUND (KIP-848); 10 topic ids.
 */
export const offsetCommit: Handler<'offsetCommit'> = {
  versions: [2, 10],
  handle: (request, context) =>
    context.access.may('read', 'group', request.groupId)
      ? context.node.groupCoordinator.offsets.commit(request, context)
      : refusedCommit(request, 'GROUP_AUTHORIZATION_FAILED'),
};
