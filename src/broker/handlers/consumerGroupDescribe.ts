import { errorCodes } from '../../protocol/errors.ts';
import type { Handler } from '../handler.ts';
import { groupOperations } from './groupOperations.ts';

/** Groups of the consumer protocol (KIP-848). Versions 0-1: 1 tells which protocol a member uses. */
export const consumerGroupDescribe: Handler<'consumerGroupDescribe'> = {
  versions: [0, 1],
  async handle(request, { node, ...context }) {
    const response = await node.groupCoordinator.consumerGroupDescribe(request, context);
    if (!request.includeAuthorizedOperations) return response;
    const groups = (response.groups ?? []).map((group) =>
      (group.errorCode ?? errorCodes.NONE) === errorCodes.NONE
        ? { ...group, authorizedOperations: groupOperations }
        : group,
    );
    return { ...response, groups };
  },
};
