import { filterInSteps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { Handler } from '../handler.ts';

/**
 * Members of groups of the consumer protocol (KIP-848). Versions 0-1: 1 subscribes to topics by a regular
 * expression, and members make their ids themselves (KIP-1082).
 */
export const consumerGroupHeartbeat: Handler<'consumerGroupHeartbeat'> = {
  versions: [0, 1],
  async handle(request, context) {
    const { access, node, inTurns } = context;
    if (!access.may('read', 'group', request.groupId)) {
      return { errorCode: errorCodes.GROUP_AUTHORIZATION_FAILED };
    }
    const names = request.subscribedTopicNames ?? [];
    if (names.length > 0) {
      const mayDescribe = access.filter('describe', 'topic');
      const hidden = await inTurns(filterInSteps(names, (name) => !mayDescribe(name)));
      if (hidden.length > 0) return { errorCode: errorCodes.TOPIC_AUTHORIZATION_FAILED };
    }
    return node.groupCoordinator.consumerGroupHeartbeat(request, context);
  },
};
