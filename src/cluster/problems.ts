import { errorMessage } from '../base/logger.ts';
import {
  ConnectionError,
  DeadlineError,
  KafkaError,
  SecurityError,
  UnsupportedError,
} from '../client/kafkaError.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { Problem } from './model.ts';

/** An error that is already in words for people, with what to do next. */
export class ProblemError extends Error {
  override name = 'ProblemError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** What to do next about Kafka's errors that people meet. */
const kafkaHints: Partial<Record<ErrorName, string>> = {
  TOPIC_ALREADY_EXISTS: 'Choose another name, or delete the topic first.',
  INVALID_TOPIC_EXCEPTION:
    'Use up to 249 letters, digits, dots, underscores and dashes; a name may not differ from another only in dots and underscores.',
  INVALID_PARTITIONS: 'Partitions can be added, not removed: give a number above the present one.',
  INVALID_REPLICATION_FACTOR: 'Give a replication factor of at most the number of brokers.',
  INVALID_CONFIG: 'Correct the value; Kafka says beside it what it accepts.',
  POLICY_VIOLATION: "Ask the cluster's operator which rule this breaks.",
  UNKNOWN_TOPIC_OR_PARTITION: 'Refresh: the topic may have been deleted.',
  UNKNOWN_TOPIC_ID: 'Refresh: the topic was deleted, and perhaps made anew.',
  TOPIC_DELETION_DISABLED: 'Set delete.topic.enable on the brokers to allow deletion.',
  LEADER_NOT_AVAILABLE: 'The partition is offline: see which of its brokers are down.',
  NOT_LEADER_OR_FOLLOWER: 'Leadership is moving. Try again in a moment.',
  COORDINATOR_NOT_AVAILABLE: 'The group coordinator is starting or moving. Try again in a moment.',
  COORDINATOR_LOAD_IN_PROGRESS: 'The group coordinator is loading. Try again in a moment.',
  NOT_COORDINATOR: 'The group coordinator is moving. Try again in a moment.',
  GROUP_ID_NOT_FOUND: 'Refresh: the group was deleted or has expired.',
  NON_EMPTY_GROUP: "Stop the group's members first.",
  GROUP_SUBSCRIBED_TO_TOPIC: 'Stop the members that subscribe to the topic first.',
  UNKNOWN_MEMBER_ID: 'The group has members again: stop them first, as only they may commit.',
  REBALANCE_IN_PROGRESS: 'The group is rebalancing: stop its members first.',
  OFFSET_OUT_OF_RANGE: 'Choose an offset between the log start and the end.',
  OFFSET_METADATA_TOO_LARGE: 'Kafka keeps at most 4,096 bytes of metadata with a commit.',
  MESSAGE_TOO_LARGE: "Send less at once, or raise the topic's max.message.bytes.",
  RECORD_LIST_TOO_LARGE: "Send less at once, or raise the topic's segment.bytes.",
  INVALID_TIMESTAMP:
    "The timestamp is outside of what the topic's message.timestamp.before.max.ms and message.timestamp.after.max.ms allow.",
  INVALID_RECORD: 'A compacted topic takes only records with a key.',
  UNSUPPORTED_COMPRESSION_TYPE: 'Choose another compression: this server does not take this one.',
  NOT_ENOUGH_REPLICAS:
    "Fewer replicas are in sync than the topic's min.insync.replicas asks for: see which brokers are down.",
  NOT_ENOUGH_REPLICAS_AFTER_APPEND:
    'The record was written, but to fewer replicas than min.insync.replicas asks for. Sending again would write it twice.',
  TOPIC_AUTHORIZATION_FAILED: 'Connect as someone who may use this topic.',
  GROUP_AUTHORIZATION_FAILED: 'Connect as someone who may use this group.',
  CLUSTER_AUTHORIZATION_FAILED: 'Connect as someone who may do this on the cluster.',
  SASL_AUTHENTICATION_FAILED: 'Check the user name and password.',
  REQUEST_TIMED_OUT: 'The cluster did not finish in time. Refresh to see whether it did later.',
};

/** What went wrong, in words for people, with what to do next. */
export function toProblem(error: unknown): Problem {
  if (error instanceof KafkaError) {
    return problem(error.message, kafkaHints[error.kafkaName], error.kafkaName);
  }
  if (error instanceof SecurityError) return problem(error.message, error.hint);
  if (error instanceof ProblemError) return problem(error.message, error.hint);
  if (error instanceof ConnectionError) {
    return problem(error.message, 'Check that the cluster runs and that the address is right.');
  }
  if (error instanceof DeadlineError) {
    return problem(error.message, 'The broker is reachable but slow or stuck. Try again.');
  }
  if (error instanceof UnsupportedError) {
    return problem(error.message, 'This server is older than what this needs.');
  }
  return problem(errorMessage(error));
}

function problem(message: string, hint?: string, kafkaError?: string): Problem {
  return { message, ...(hint && { hint }), ...(kafkaError && { kafkaError }) };
}
