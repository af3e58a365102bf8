import { errorCodes } from '../../protocol/errors.ts';
import type { Handler } from '../handler.ts';

const firstVersionWithNullProtocol = 7;

/**
 * Versions 0-9: 1 rebalance timeout; 2 throttle time; 4 MEMBER_ID_REQUIRED for new dynamic members (KIP-394);
 * 5 group instance ids (KIP-345); 6 flexible; 7 protocol type, nullable protocol; 8 reason (KIP-800);
 * 9 SkipAssignment (KIP-814).
 */
export const joinGroup: Handler<'joinGroup'> = {
  versions: [0, 9],
  handle(request, context) {
    const { node, access, apiVersion } = context;
    if (access.may('read', 'group', request.groupId)) {
      return node.groupCoordinator.joinGroup(request, context);
    }
    const protocolName = apiVersion >= firstVersionWithNullProtocol ? null : '';
    return { errorCode: errorCodes.GROUP_AUTHORIZATION_FAILED, protocolName };
  },
};
