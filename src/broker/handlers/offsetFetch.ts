import type { Handler } from '../handler.ts';

/**
 * Versions 1-10: 2 all topics at once and a top-level error; 3 throttle time; 5 leader epochs (KIP-320);
 * 6 flexible; 7 requireStable (KIP-447); 8 many groups at once (KIP-709); 9 member epochs (KIP-848);
 * 10 topic ids.
 */
export const offsetFetch: Handler<'offsetFetch'> = {
  versions: [1, 10],
  isReport: () => true,
  handle: (request, context) => context.node.groupCoordinator.offsets.fetch(request, context),
};
