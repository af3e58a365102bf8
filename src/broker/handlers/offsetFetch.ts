import type { Handler } from '../handler.ts';

export const offsetFetch: Handler<'offsetFetch'> = {
  versions: [1, 10],
  handle: (request, context) => context.node.groupCoordinator.offsetFetch(request, context),
};
