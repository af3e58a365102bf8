import type { Handler } from '../handler.ts';

/**
 * Versions 0-9: 1 rebalance timeout; 2 throttle time; 4 MEMBER_ID_REQUIRED for new dynamic members (KIP-394);
 * 5 group instance ids (KIP-345); 6 flexible; 7 protocol type, nullable protocol; 8 reason (KIP-800);
 * 9 SkipAssignment (KIP-814).
 */
export const joinGroup: Handler<'joinGroup'> = {
  versions: [0, 9],
  handle: (request, context) => context.node.groupCoordinator.joinGroup(request, context),
};
