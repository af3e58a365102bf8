import type { Handler } from '../handler.ts';

export const offsetCommit: Handler<'offsetCommit'> = {
  versions: [2, 10],
  handle: (request, context) => context.node.groupCoordinator.offsetCommit(request, context),
};
