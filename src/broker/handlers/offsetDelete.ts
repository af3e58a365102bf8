import type { Handler } from '../handler.ts';

/** Version 0 (KIP-496). */
export const offsetDelete: Handler<'offsetDelete'> = {
  versions: [0, 0],
  handle(request, context) {
    context.access.require('delete', 'group', request.groupId);
    return context.node.groupCoordinator.offsets.delete(request, context);
  },
};
