import { RefusedError } from '../../runtime/decision.ts';
import type { ConsumerGroupHeartbeatRequest } from '../messages.ts';
import { joinEpoch, leaveEpoch, staticLeaveEpoch } from './consumerGroupMember.ts';

/** From this version on members make their ids themselves (KIP-1082). */
const firstVersionWithOwnMemberId = 1;

/** Why a request makes no sense, before any group is looked at; null if it does. */
export function heartbeatRefusal(
  request: ConsumerGroupHeartbeatRequest,
  apiVersion: number,
  assignors: readonly string[],
): RefusedError | null {
  try {
    validate(request, apiVersion, assignors);
    return null;
  } catch (error) {
    if (error instanceof RefusedError) return error;
    throw error;
  }
}

/**
 * Throws if the request makes no sense. The words are Kafka's, as clients log them.
 * [GroupCoordinatorService.throwIfConsumerGroupHeartbeatRequestIsInvalid]
 */
function validate(
  request: ConsumerGroupHeartbeatRequest,
  apiVersion: number,
  assignors: readonly string[],
): void {
  const { memberEpoch, serverAssignor } = request;
  const needsMemberId =
    apiVersion >= firstVersionWithOwnMemberId || memberEpoch > 0 || memberEpoch === leaveEpoch;
  if (needsMemberId) refuseEmpty(request.memberId, "MemberId can't be empty.");
  refuseEmpty(request.groupId, "GroupId can't be empty.");
  refuseEmpty(request.instanceId, "InstanceId can't be empty.");
  refuseEmpty(request.rackId, "RackId can't be empty.");
  if (memberEpoch === joinEpoch) validateJoin(request);
  else if (memberEpoch === staticLeaveEpoch) {
    refuseIf(request.instanceId === null, "InstanceId can't be null.");
  }
  refuseIf(memberEpoch < staticLeaveEpoch, 'MemberEpoch is invalid.');
  if (serverAssignor !== null && !assignors.includes(serverAssignor)) {
    throw new RefusedError(
      'UNSUPPORTED_ASSIGNOR',
      `ServerAssignor ${serverAssignor} is not supported. ` +
        `Supported assignors: ${assignors.join(', ')}.`,
    );
  }
}

/** No names and an empty expression are fine: then the member is there and reads nothing. */
function validateJoin(request: ConsumerGroupHeartbeatRequest): void {
  refuseIf(
    request.rebalanceTimeoutMs === -1,
    'RebalanceTimeoutMs must be provided in first request.',
  );
  refuseIf(
    request.topicPartitions?.length !== 0,
    'TopicPartitions must be empty when (re-)joining.',
  );
  refuseIf(
    request.subscribedTopicNames === null && request.subscribedTopicRegex === null,
    'Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining.',
  );
}

function refuseEmpty(text: string | null, message: string): void {
  refuseIf(text?.trim() === '', message);
}

function refuseIf(isWrong: boolean, message: string): void {
  if (isWrong) throw new RefusedError('INVALID_REQUEST', message);
}
