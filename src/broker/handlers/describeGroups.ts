import type { Handler } from '../handler.ts';

export const describeGroups: Handler<'describeGroups'> = {
  versions: [0, 6],
  handle: (request, context) => context.node.groupCoordinator.describeGroups(request, context),
};
