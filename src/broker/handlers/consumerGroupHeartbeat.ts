import type { Handler } from '../handler.ts';

/**
 * Members of groups of the consumer protocol (KIP-848). Versions 0-1: 1 subscribes to topics by a regular
 * expression, and members make their ids themselves (KIP-1082).
 */
export const consumerGroupHeartbeat: Handler<'consumerGroupHeartbeat'> = {
  versions: [0, 1],
  handle: (request, context) =>
    context.node.groupCoordinator.consumerGroupHeartbeat(request, context),
};
