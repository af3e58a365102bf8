import { t } from '../base/l10n.ts';
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
const kafkaHints = (): Partial<Record<ErrorName, string>> => ({
  TOPIC_ALREADY_EXISTS: t('Choose another name, or delete the topic first.'),
  INVALID_TOPIC_EXCEPTION: t(
    'Use up to 249 letters, digits, dots, underscores and dashes; a name may not differ from another only in dots and underscores.',
  ),
  INVALID_PARTITIONS: t(
    'Partitions can be added, not removed: give a number above the present one.',
  ),
  INVALID_REPLICATION_FACTOR: t('Give a replication factor of at most the number of brokers.'),
  INVALID_CONFIG: t('Correct the value; Kafka says beside it what it accepts.'),
  POLICY_VIOLATION: t("Ask the cluster's operator which rule this breaks."),
  UNKNOWN_TOPIC_OR_PARTITION: t('Refresh: the topic may have been deleted.'),
  UNKNOWN_TOPIC_ID: t('Refresh: the topic was deleted, and perhaps made anew.'),
  TOPIC_DELETION_DISABLED: t('Set delete.topic.enable on the brokers to allow deletion.'),
  LEADER_NOT_AVAILABLE: t('The partition is offline: see which of its brokers are down.'),
  NOT_LEADER_OR_FOLLOWER: t('Leadership is moving. Try again in a moment.'),
  COORDINATOR_NOT_AVAILABLE: t(
    'The group coordinator is starting or moving. Try again in a moment.',
  ),
  COORDINATOR_LOAD_IN_PROGRESS: t('The group coordinator is loading. Try again in a moment.'),
  NOT_COORDINATOR: t('The group coordinator is moving. Try again in a moment.'),
  GROUP_ID_NOT_FOUND: t('Refresh: the group was deleted or has expired.'),
  NON_EMPTY_GROUP: t("Stop the group's members first."),
  GROUP_SUBSCRIBED_TO_TOPIC: t('Stop the members that subscribe to the topic first.'),
  UNKNOWN_MEMBER_ID: t('The group has members again: stop them first, as only they may commit.'),
  REBALANCE_IN_PROGRESS: t('The group is rebalancing: stop its members first.'),
  OFFSET_OUT_OF_RANGE: t('Choose an offset between the log start and the end.'),
  OFFSET_METADATA_TOO_LARGE: t('Kafka keeps at most 4,096 bytes of metadata with a commit.'),
  MESSAGE_TOO_LARGE: t("Send less at once, or raise the topic's max.message.bytes."),
  RECORD_LIST_TOO_LARGE: t("Send less at once, or raise the topic's segment.bytes."),
  INVALID_TIMESTAMP: t(
    "The timestamp is outside of what the topic's message.timestamp.before.max.ms and message.timestamp.after.max.ms allow.",
  ),
  INVALID_RECORD: t('A compacted topic takes only records with a key.'),
  UNSUPPORTED_COMPRESSION_TYPE: t(
    'Choose another compression: this server does not take this one.',
  ),
  NOT_ENOUGH_REPLICAS: t(
    "Fewer replicas are in sync than the topic's min.insync.replicas asks for: see which brokers are down.",
  ),
  NOT_ENOUGH_REPLICAS_AFTER_APPEND: t(
    'The record was written, but to fewer replicas than min.insync.replicas asks for. Sending again would write it twice.',
  ),
  TOPIC_AUTHORIZATION_FAILED: t('Connect as someone who may use this topic.'),
  GROUP_AUTHORIZATION_FAILED: t('Connect as someone who may use this group.'),
  CLUSTER_AUTHORIZATION_FAILED: t('Connect as someone who may do this on the cluster.'),
  SASL_AUTHENTICATION_FAILED: t('Check the user name and password.'),
  REQUEST_TIMED_OUT: t('The cluster did not finish in time. Refresh to see whether it did later.'),
});

/** What went wrong, in words for people, with what to do next. */
export function toProblem(error: unknown): Problem {
  if (error instanceof KafkaError) {
    return problem(error.message, kafkaHints()[error.kafkaName], error.kafkaName);
  }
  if (error instanceof SecurityError) return problem(error.message, error.hint);
  if (error instanceof ProblemError) return problem(error.message, error.hint);
  if (error instanceof ConnectionError) {
    return problem(error.message, t('Check that the cluster runs and that the address is right.'));
  }
  if (error instanceof DeadlineError) {
    return problem(error.message, t('The broker is reachable but slow or stuck. Try again.'));
  }
  if (error instanceof UnsupportedError) {
    return problem(error.message, t('This server is older than what this needs.'));
  }
  return problem(errorMessage(error));
}

function problem(message: string, hint?: string, kafkaError?: string): Problem {
  return { message, ...(hint && { hint }), ...(kafkaError && { kafkaError }) };
}
