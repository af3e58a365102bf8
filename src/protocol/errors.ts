/** One of Kafka's wire errors. */
interface KafkaErrorEntry {
  readonly code: number;
  /** The same request may succeed later, or on another broker. [RetriableException] */
  readonly retriable: boolean;
  readonly description: string;
}

/** Every error of Kafka 4.4, by the name it has in Kafka's `Errors`. */
const table = {
  UNKNOWN_SERVER_ERROR: {
    code: -1,
    retriable: false,
    description: 'The broker failed in a way it has no better name for; its log says more.',
  },
  NONE: { code: 0, retriable: false, description: 'No error.' },
  OFFSET_OUT_OF_RANGE: {
    code: 1,
    retriable: false,
    description: 'The offset lies before the start of the log or after its end.',
  },
  CORRUPT_MESSAGE: {
    code: 2,
    retriable: true,
    description: 'A record batch is damaged: its checksum, its size or its form is wrong.',
  },
  UNKNOWN_TOPIC_OR_PARTITION: {
    code: 3,
    retriable: true,
    description: 'The broker has no such topic or partition.',
  },
  INVALID_FETCH_SIZE: {
    code: 4,
    retriable: false,
    description: 'The size asked for in a fetch is not valid.',
  },
  LEADER_NOT_AVAILABLE: {
    code: 5,
    retriable: true,
    description: 'The partition has no leader at the moment.',
  },
  NOT_LEADER_OR_FOLLOWER: {
    code: 6,
    retriable: true,
    description:
      'This broker does not lead the partition, or has no replica of it; refresh the metadata.',
  },
  REQUEST_TIMED_OUT: {
    code: 7,
    retriable: true,
    description: 'The request was not finished within its time limit.',
  },
  BROKER_NOT_AVAILABLE: { code: 8, retriable: false, description: 'The broker is not there.' },
  REPLICA_NOT_AVAILABLE: {
    code: 9,
    retriable: true,
    description: 'The replica that was asked for is not there.',
  },
  MESSAGE_TOO_LARGE: {
    code: 10,
    retriable: false,
    description: 'A record batch is larger than max.message.bytes allows.',
  },
  STALE_CONTROLLER_EPOCH: {
    code: 11,
    retriable: false,
    description: 'The request comes from a controller that has been replaced.',
  },
  OFFSET_METADATA_TOO_LARGE: {
    code: 12,
    retriable: false,
    description: 'The text committed with an offset is longer than offset.metadata.max.bytes.',
  },
  NETWORK_EXCEPTION: {
    code: 13,
    retriable: true,
    description: 'The connection ended before an answer came.',
  },
  COORDINATOR_LOAD_IN_PROGRESS: {
    code: 14,
    retriable: true,
    description: 'The coordinator is still reading its state.',
  },
  COORDINATOR_NOT_AVAILABLE: {
    code: 15,
    retriable: true,
    description: 'There is no coordinator at the moment.',
  },
  NOT_COORDINATOR: {
    code: 16,
    retriable: true,
    description: 'This broker is not the coordinator; look it up again.',
  },
  INVALID_TOPIC_EXCEPTION: {
    code: 17,
    retriable: false,
    description: 'The topic name is not allowed, or the topic may not be written to.',
  },
  RECORD_LIST_TOO_LARGE: {
    code: 18,
    retriable: false,
    description: 'A record batch is larger than a whole segment of the log.',
  },
  NOT_ENOUGH_REPLICAS: {
    code: 19,
    retriable: true,
    description:
      'Fewer replicas are in sync than min.insync.replicas demands; nothing was written.',
  },
  NOT_ENOUGH_REPLICAS_AFTER_APPEND: {
    code: 20,
    retriable: true,
    description: 'The records were written, and then too few replicas were in sync.',
  },
  INVALID_REQUIRED_ACKS: { code: 21, retriable: false, description: 'acks must be -1, 0 or 1.' },
  ILLEGAL_GENERATION: {
    code: 22,
    retriable: false,
    description: 'The generation of the group is not the current one.',
  },
  INCONSISTENT_GROUP_PROTOCOL: {
    code: 23,
    retriable: false,
    description: 'The member has no protocol or assignor in common with the rest of the group.',
  },
  INVALID_GROUP_ID: {
    code: 24,
    retriable: false,
    description: 'The group id is empty or not allowed.',
  },
  UNKNOWN_MEMBER_ID: { code: 25, retriable: false, description: 'The group has no such member.' },
  INVALID_SESSION_TIMEOUT: {
    code: 26,
    retriable: false,
    description: 'The session timeout lies outside the limits that the broker sets.',
  },
  REBALANCE_IN_PROGRESS: {
    code: 27,
    retriable: false,
    description: 'The group is rebalancing; the member has to join again.',
  },
  INVALID_COMMIT_OFFSET_SIZE: {
    code: 28,
    retriable: false,
    description: 'The commit is too large to be stored.',
  },
  TOPIC_AUTHORIZATION_FAILED: {
    code: 29,
    retriable: false,
    description: 'Access to the topic is not allowed.',
  },
  GROUP_AUTHORIZATION_FAILED: {
    code: 30,
    retriable: false,
    description: 'Access to the group is not allowed.',
  },
  CLUSTER_AUTHORIZATION_FAILED: {
    code: 31,
    retriable: false,
    description: 'This is not allowed on the cluster.',
  },
  INVALID_TIMESTAMP: {
    code: 32,
    retriable: false,
    description: "A record's timestamp is too far from the broker's time.",
  },
  UNSUPPORTED_SASL_MECHANISM: {
    code: 33,
    retriable: false,
    description: 'The broker does not offer this SASL mechanism.',
  },
  ILLEGAL_SASL_STATE: {
    code: 34,
    retriable: false,
    description: 'The request does not fit the state of the authentication.',
  },
  UNSUPPORTED_VERSION: {
    code: 35,
    retriable: false,
    description: 'The broker does not have this version of the request.',
  },
  TOPIC_ALREADY_EXISTS: {
    code: 36,
    retriable: false,
    description: 'A topic with this name exists.',
  },
  INVALID_PARTITIONS: {
    code: 37,
    retriable: false,
    description: 'The number of partitions is not valid.',
  },
  INVALID_REPLICATION_FACTOR: {
    code: 38,
    retriable: false,
    description: 'The replication factor is below 1 or above the number of brokers.',
  },
  INVALID_REPLICA_ASSIGNMENT: {
    code: 39,
    retriable: false,
    description: 'The assignment of replicas to brokers is not valid.',
  },
  INVALID_CONFIG: {
    code: 40,
    retriable: false,
    description: 'A configuration value is not valid.',
  },
  NOT_CONTROLLER: { code: 41, retriable: true, description: 'This broker is not the controller.' },
  INVALID_REQUEST: {
    code: 42,
    retriable: false,
    description: 'The request contradicts itself, or the broker cannot make sense of it.',
  },
  UNSUPPORTED_FOR_MESSAGE_FORMAT: {
    code: 43,
    retriable: false,
    description: "The topic's message format is too old for this.",
  },
  POLICY_VIOLATION: {
    code: 44,
    retriable: false,
    description: 'A policy of the cluster forbids this.',
  },
  OUT_OF_ORDER_SEQUENCE_NUMBER: {
    code: 45,
    retriable: false,
    description: "The producer's sequence number does not follow the last one.",
  },
  DUPLICATE_SEQUENCE_NUMBER: {
    code: 46,
    retriable: false,
    description: 'The producer sent this batch before.',
  },
  INVALID_PRODUCER_EPOCH: {
    code: 47,
    retriable: false,
    description: "The producer's epoch is older than the current one.",
  },
  INVALID_TXN_STATE: {
    code: 48,
    retriable: false,
    description: 'The transaction is not in a state that allows this.',
  },
  INVALID_PRODUCER_ID_MAPPING: {
    code: 49,
    retriable: false,
    description: 'The producer id does not belong to this transactional id.',
  },
  INVALID_TRANSACTION_TIMEOUT: {
    code: 50,
    retriable: false,
    description: 'The transaction timeout is above transaction.max.timeout.ms.',
  },
  CONCURRENT_TRANSACTIONS: {
    code: 51,
    retriable: true,
    description: 'Another operation on this transactional id is still under way.',
  },
  TRANSACTION_COORDINATOR_FENCED: {
    code: 52,
    retriable: false,
    description: 'The markers come from a transaction coordinator that has been replaced.',
  },
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED: {
    code: 53,
    retriable: false,
    description: 'Use of the transactional id is not allowed.',
  },
  SECURITY_DISABLED: {
    code: 54,
    retriable: false,
    description: 'The broker has security turned off.',
  },
  OPERATION_NOT_ATTEMPTED: {
    code: 55,
    retriable: false,
    description: 'Not tried, because another part of the same request failed.',
  },
  KAFKA_STORAGE_ERROR: {
    code: 56,
    retriable: true,
    description: 'The broker could not read or write its disk.',
  },
  LOG_DIR_NOT_FOUND: {
    code: 57,
    retriable: false,
    description: 'The broker has no such log directory.',
  },
  SASL_AUTHENTICATION_FAILED: {
    code: 58,
    retriable: false,
    description: 'The user name or the password is wrong, or the mechanism refused them.',
  },
  UNKNOWN_PRODUCER_ID: {
    code: 59,
    retriable: false,
    description: 'The broker remembers nothing of this producer id.',
  },
  REASSIGNMENT_IN_PROGRESS: {
    code: 60,
    retriable: false,
    description: "The partition's replicas are being moved already.",
  },
  DELEGATION_TOKEN_AUTH_DISABLED: {
    code: 61,
    retriable: false,
    description: 'The broker does not offer delegation tokens.',
  },
  DELEGATION_TOKEN_NOT_FOUND: {
    code: 62,
    retriable: false,
    description: 'There is no such delegation token.',
  },
  DELEGATION_TOKEN_OWNER_MISMATCH: {
    code: 63,
    retriable: false,
    description: 'The token belongs to another principal.',
  },
  DELEGATION_TOKEN_REQUEST_NOT_ALLOWED: {
    code: 64,
    retriable: false,
    description: 'Delegation tokens cannot be asked for over this kind of connection.',
  },
  DELEGATION_TOKEN_AUTHORIZATION_FAILED: {
    code: 65,
    retriable: false,
    description: 'Use of this delegation token is not allowed.',
  },
  DELEGATION_TOKEN_EXPIRED: {
    code: 66,
    retriable: false,
    description: 'The delegation token has expired.',
  },
  INVALID_PRINCIPAL_TYPE: {
    code: 67,
    retriable: false,
    description: 'This type of principal is not supported.',
  },
  NON_EMPTY_GROUP: { code: 68, retriable: false, description: 'The group still has members.' },
  GROUP_ID_NOT_FOUND: { code: 69, retriable: false, description: 'There is no such group.' },
  FETCH_SESSION_ID_NOT_FOUND: {
    code: 70,
    retriable: true,
    description: 'The broker does not know the fetch session.',
  },
  INVALID_FETCH_SESSION_EPOCH: {
    code: 71,
    retriable: true,
    description: 'The epoch of the fetch session is not the expected one.',
  },
  LISTENER_NOT_FOUND: {
    code: 72,
    retriable: true,
    description: 'The leader has no listener of the name that the client used.',
  },
  TOPIC_DELETION_DISABLED: {
    code: 73,
    retriable: false,
    description: 'delete.topic.enable is off.',
  },
  FENCED_LEADER_EPOCH: {
    code: 74,
    retriable: true,
    description: "The leader epoch in the request is older than the broker's.",
  },
  UNKNOWN_LEADER_EPOCH: {
    code: 75,
    retriable: true,
    description: "The leader epoch in the request is newer than the broker's.",
  },
  UNSUPPORTED_COMPRESSION_TYPE: {
    code: 76,
    retriable: false,
    description: 'The compression is not allowed for this version of the request.',
  },
  STALE_BROKER_EPOCH: {
    code: 77,
    retriable: false,
    description: 'The broker has registered again since.',
  },
  OFFSET_NOT_AVAILABLE: {
    code: 78,
    retriable: true,
    description: 'A new leader does not yet know how far its log is committed.',
  },
  MEMBER_ID_REQUIRED: {
    code: 79,
    retriable: false,
    description: 'The member has to join again with the id that came with this answer.',
  },
  PREFERRED_LEADER_NOT_AVAILABLE: {
    code: 80,
    retriable: true,
    description: 'The preferred leader is not in a state to lead.',
  },
  GROUP_MAX_SIZE_REACHED: {
    code: 81,
    retriable: false,
    description: 'The group has as many members as group.max.size allows.',
  },
  FENCED_INSTANCE_ID: {
    code: 82,
    retriable: false,
    description: 'Another member has taken over this group.instance.id.',
  },
  ELIGIBLE_LEADERS_NOT_AVAILABLE: {
    code: 83,
    retriable: true,
    description: 'No replica may become leader.',
  },
  ELECTION_NOT_NEEDED: {
    code: 84,
    retriable: true,
    description: 'The partition already has the leader that was wanted.',
  },
  NO_REASSIGNMENT_IN_PROGRESS: {
    code: 85,
    retriable: false,
    description: "The partition's replicas are not being moved.",
  },
  GROUP_SUBSCRIBED_TO_TOPIC: {
    code: 86,
    retriable: false,
    description: 'The group is using the topic, so its offsets cannot be deleted.',
  },
  INVALID_RECORD: {
    code: 87,
    retriable: false,
    description: "The broker's checks refused a record.",
  },
  UNSTABLE_OFFSET_COMMIT: {
    code: 88,
    retriable: true,
    description: 'An open transaction has still to decide over these offsets.',
  },
  THROTTLING_QUOTA_EXCEEDED: { code: 89, retriable: true, description: 'A quota is used up.' },
  PRODUCER_FENCED: {
    code: 90,
    retriable: false,
    description: 'A newer producer with the same transactional id has taken over.',
  },
  RESOURCE_NOT_FOUND: { code: 91, retriable: false, description: 'There is no such resource.' },
  DUPLICATE_RESOURCE: {
    code: 92,
    retriable: false,
    description: 'The request names the same resource twice.',
  },
  UNACCEPTABLE_CREDENTIAL: {
    code: 93,
    retriable: false,
    description: "The new credential does not meet the broker's demands.",
  },
  INCONSISTENT_VOTER_SET: {
    code: 94,
    retriable: false,
    description: "Sender or receiver is not one of the quorum's voters.",
  },
  INVALID_UPDATE_VERSION: {
    code: 95,
    retriable: false,
    description: 'The version in the update is not valid.',
  },
  FEATURE_UPDATE_FAILED: {
    code: 96,
    retriable: false,
    description: 'The features could not be updated.',
  },
  PRINCIPAL_DESERIALIZATION_FAILURE: {
    code: 97,
    retriable: false,
    description: 'A forwarded request names a principal that cannot be read.',
  },
  SNAPSHOT_NOT_FOUND: { code: 98, retriable: false, description: 'There is no such snapshot.' },
  POSITION_OUT_OF_RANGE: {
    code: 99,
    retriable: false,
    description: 'The position lies outside the snapshot.',
  },
  UNKNOWN_TOPIC_ID: {
    code: 100,
    retriable: true,
    description: 'The broker has no topic with this id.',
  },
  DUPLICATE_BROKER_REGISTRATION: {
    code: 101,
    retriable: false,
    description: 'Another broker runs with this id.',
  },
  BROKER_ID_NOT_REGISTERED: {
    code: 102,
    retriable: false,
    description: 'No broker with this id has registered.',
  },
  INCONSISTENT_TOPIC_ID: {
    code: 103,
    retriable: true,
    description: 'The topic has another id; it may have been deleted and created again.',
  },
  INCONSISTENT_CLUSTER_ID: {
    code: 104,
    retriable: false,
    description: 'The request is meant for another cluster.',
  },
  TRANSACTIONAL_ID_NOT_FOUND: {
    code: 105,
    retriable: false,
    description: 'There is no such transactional id.',
  },
  FETCH_SESSION_TOPIC_ID_ERROR: {
    code: 106,
    retriable: true,
    description: 'The fetch session mixes topic names and topic ids.',
  },
  INELIGIBLE_REPLICA: {
    code: 107,
    retriable: false,
    description: 'A replica that may not be in sync was proposed as in sync.',
  },
  NEW_LEADER_ELECTED: {
    code: 108,
    retriable: false,
    description: 'The change was made, and the partition has a new leader.',
  },
  OFFSET_MOVED_TO_TIERED_STORAGE: {
    code: 109,
    retriable: false,
    description: 'The offset is now in tiered storage only.',
  },
  FENCED_MEMBER_EPOCH: {
    code: 110,
    retriable: false,
    description: "The member's epoch is fenced: it has to give up its partitions and join again.",
  },
  UNRELEASED_INSTANCE_ID: {
    code: 111,
    retriable: false,
    description: 'Another member still uses this instance id.',
  },
  UNSUPPORTED_ASSIGNOR: {
    code: 112,
    retriable: false,
    description: 'The group does not support this assignor.',
  },
  STALE_MEMBER_EPOCH: {
    code: 113,
    retriable: false,
    description: "The member's epoch is old; the next heartbeat brings the new one.",
  },
  MISMATCHED_ENDPOINT_TYPE: {
    code: 114,
    retriable: false,
    description: 'The request went to the wrong kind of endpoint.',
  },
  UNSUPPORTED_ENDPOINT_TYPE: {
    code: 115,
    retriable: false,
    description: 'This kind of endpoint is not supported.',
  },
  UNKNOWN_CONTROLLER_ID: {
    code: 116,
    retriable: false,
    description: 'There is no controller with this id.',
  },
  UNKNOWN_SUBSCRIPTION_ID: {
    code: 117,
    retriable: false,
    description: 'The subscription for client metrics is not valid or out of date.',
  },
  TELEMETRY_TOO_LARGE: {
    code: 118,
    retriable: false,
    description: 'The client metrics are larger than the broker takes.',
  },
  INVALID_REGISTRATION: {
    code: 119,
    retriable: false,
    description: "The controller refused the broker's registration.",
  },
  TRANSACTION_ABORTABLE: {
    code: 120,
    retriable: false,
    description: 'The transaction failed; abort it, and the transactional id can be used again.',
  },
  INVALID_RECORD_STATE: {
    code: 121,
    retriable: false,
    description: 'The record is not in a state in which it can be acknowledged.',
  },
  SHARE_SESSION_NOT_FOUND: {
    code: 122,
    retriable: true,
    description: 'The broker does not know the share session.',
  },
  INVALID_SHARE_SESSION_EPOCH: {
    code: 123,
    retriable: true,
    description: 'The epoch of the share session is not the expected one.',
  },
  FENCED_STATE_EPOCH: {
    code: 124,
    retriable: false,
    description: "The state epoch is not the coordinator's.",
  },
  INVALID_VOTER_KEY: {
    code: 125,
    retriable: false,
    description: "The voter's key is not that of the replica that received the request.",
  },
  DUPLICATE_VOTER: { code: 126, retriable: false, description: 'The voter is in the set already.' },
  VOTER_NOT_FOUND: { code: 127, retriable: false, description: 'The set has no such voter.' },
  INVALID_REGULAR_EXPRESSION: {
    code: 128,
    retriable: false,
    description: 'The regular expression is not valid RE2 syntax.',
  },
  REBOOTSTRAP_REQUIRED: {
    code: 129,
    retriable: false,
    description:
      "The client's metadata is too old; it has to start again from its bootstrap servers.",
  },
  STREAMS_INVALID_TOPOLOGY: {
    code: 130,
    retriable: false,
    description: 'The topology is not valid.',
  },
  STREAMS_INVALID_TOPOLOGY_EPOCH: {
    code: 131,
    retriable: false,
    description: "The topology's epoch is not valid.",
  },
  STREAMS_TOPOLOGY_FENCED: {
    code: 132,
    retriable: false,
    description: "The topology's epoch is older than the group's.",
  },
  SHARE_SESSION_LIMIT_REACHED: {
    code: 133,
    retriable: true,
    description: 'The broker has as many share sessions as it takes.',
  },
  GROUP_DELETION_FAILED: {
    code: 134,
    retriable: false,
    description: 'The group was not deleted; the message beside its name says why.',
  },
  STREAMS_TOPOLOGY_DESCRIPTION_UPDATE_FAILED: {
    code: 135,
    retriable: false,
    description: "The topology's description was not taken; the message with it says why.",
  },
  CONTROLLER_ID_NOT_REGISTERED: {
    code: 136,
    retriable: false,
    description: 'No controller with this id has registered.',
  },
} as const satisfies Record<string, KafkaErrorEntry>;

export type ErrorName = keyof typeof table;

/** A wire error with its name. */
export interface ErrorDescription extends KafkaErrorEntry {
  readonly name: ErrorName;
}

const entries = Object.entries(table) as [ErrorName, KafkaErrorEntry][];

/** Wire codes by name, as in `errorCodes.NOT_LEADER_OR_FOLLOWER`. */
export const errorCodes = Object.fromEntries(entries.map(([name, { code }]) => [name, code])) as {
  readonly [N in ErrorName]: (typeof table)[N]['code'];
};

const byCode = new Map<number, ErrorDescription>(
  entries.map(([name, entry]) => [entry.code, { name, ...entry }]),
);

/**
 * What a wire code means. A code that Kafka 4.4 does not have reads as UNKNOWN_SERVER_ERROR, with the
 * code kept, as Kafka's clients do.
 */
export function errorByCode(code: number): ErrorDescription {
  return (
    byCode.get(code) ?? {
      name: 'UNKNOWN_SERVER_ERROR',
      code,
      retriable: false,
      description: `The broker sent error ${code}, which Kafka 4.4 does not have.`,
    }
  );
}
