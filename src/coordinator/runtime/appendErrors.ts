import { errorCodes } from '../../protocol/errors.ts';
import { AppendError } from '../ports.ts';

const {
  UNKNOWN_TOPIC_OR_PARTITION,
  NOT_ENOUGH_REPLICAS,
  NOT_ENOUGH_REPLICAS_AFTER_APPEND,
  REQUEST_TIMED_OUT,
  NOT_LEADER_OR_FOLLOWER,
  KAFKA_STORAGE_ERROR,
  MESSAGE_TOO_LARGE,
  RECORD_LIST_TOO_LARGE,
  COORDINATOR_NOT_AVAILABLE,
  NOT_COORDINATOR,
  UNKNOWN_SERVER_ERROR,
} = errorCodes;

/** What clients of a coordinator are told of a failed append. [CoordinatorOperationExceptionHelper] */
const responseCodes = new Map<number, number>([
  [UNKNOWN_TOPIC_OR_PARTITION, COORDINATOR_NOT_AVAILABLE],
  [NOT_ENOUGH_REPLICAS, COORDINATOR_NOT_AVAILABLE],
  [NOT_ENOUGH_REPLICAS_AFTER_APPEND, COORDINATOR_NOT_AVAILABLE],
  [REQUEST_TIMED_OUT, COORDINATOR_NOT_AVAILABLE],
  [NOT_LEADER_OR_FOLLOWER, NOT_COORDINATOR],
  [KAFKA_STORAGE_ERROR, NOT_COORDINATOR],
  [MESSAGE_TOO_LARGE, UNKNOWN_SERVER_ERROR],
  [RECORD_LIST_TOO_LARGE, UNKNOWN_SERVER_ERROR],
]);

export function appendErrorCode(error: unknown): number {
  if (!(error instanceof AppendError)) return UNKNOWN_SERVER_ERROR;
  return responseCodes.get(error.errorCode) ?? error.errorCode;
}
