import type { Handler } from '../handler.ts';

export const heartbeat: Handler<'heartbeat'> = {
  versions: [0, 4],
  handle: (request, context) => context.node.groupCoordinator.heartbeat(request, context),
};
