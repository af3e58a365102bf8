import type { ApiName } from '../../../src/protocol/apis.ts';
import type { ErrorName } from '../../../src/protocol/errors.ts';

const groupMember: readonly ErrorName[] = ['UNKNOWN_MEMBER_ID', 'FENCED_INSTANCE_ID'];
const group: readonly ErrorName[] = ['INVALID_GROUP_ID', ...groupMember];
const generation: readonly ErrorName[] = ['ILLEGAL_GENERATION', 'REBALANCE_IN_PROGRESS'];
const epochs: readonly ErrorName[] = ['FENCED_LEADER_EPOCH', 'UNKNOWN_LEADER_EPOCH'];
const transaction: readonly ErrorName[] = [
  'INVALID_PRODUCER_ID_MAPPING',
  'INVALID_PRODUCER_EPOCH',
  'PRODUCER_FENCED',
  'CONCURRENT_TRANSACTIONS',
];

/** The errors that one Kafka node can be brought to answer with, as far as we know them. */
export const reachableErrors: Partial<Record<ApiName, readonly (ErrorName | 'closed')[]>> = {
  produce: [
    'UNKNOWN_TOPIC_OR_PARTITION',
    'UNKNOWN_TOPIC_ID',
    'INVALID_REQUIRED_ACKS',
    'INVALID_RECORD',
    'CORRUPT_MESSAGE',
    'MESSAGE_TOO_LARGE',
    'RECORD_LIST_TOO_LARGE',
    'INVALID_TIMESTAMP',
    'UNSUPPORTED_COMPRESSION_TYPE',
    'INVALID_TOPIC_EXCEPTION',
    'OUT_OF_ORDER_SEQUENCE_NUMBER',
    'INVALID_PRODUCER_EPOCH',
    'INVALID_TXN_STATE',
    'INVALID_PRODUCER_ID_MAPPING',
    'closed',
  ],
  fetch: [
    'UNKNOWN_TOPIC_OR_PARTITION',
    'UNKNOWN_TOPIC_ID',
    'OFFSET_OUT_OF_RANGE',
    'FETCH_SESSION_ID_NOT_FOUND',
    'INVALID_FETCH_SESSION_EPOCH',
    'FETCH_SESSION_TOPIC_ID_ERROR',
    ...epochs,
  ],
  listOffsets: ['UNKNOWN_TOPIC_OR_PARTITION', 'UNSUPPORTED_VERSION', 'INVALID_REQUEST', ...epochs],
  metadata: [
    'UNKNOWN_TOPIC_OR_PARTITION',
    'UNKNOWN_TOPIC_ID',
    'INVALID_TOPIC_EXCEPTION',
    // LEADER_NOT_AVAILABLE takes a leader that is down: who would ask it?
  ],
  offsetCommit: [
    // Groups without a name are as good as any. [GroupCoordinatorService.isGroupIdNotEmpty]
    ...groupMember,
    ...generation,
    'GROUP_ID_NOT_FOUND',
    'STALE_MEMBER_EPOCH',
    'UNKNOWN_TOPIC_OR_PARTITION',
    'UNKNOWN_TOPIC_ID',
    'OFFSET_METADATA_TOO_LARGE',
  ],
  offsetFetch: [
    'UNKNOWN_MEMBER_ID',
    'STALE_MEMBER_EPOCH',
    'UNSTABLE_OFFSET_COMMIT',
    'UNKNOWN_TOPIC_ID',
  ],
  findCoordinator: ['INVALID_REQUEST', 'COORDINATOR_NOT_AVAILABLE'],
  joinGroup: [
    ...group,
    'MEMBER_ID_REQUIRED',
    'INVALID_SESSION_TIMEOUT',
    'INCONSISTENT_GROUP_PROTOCOL',
    'GROUP_MAX_SIZE_REACHED',
  ],
  heartbeat: [...group, ...generation],
  leaveGroup: group,
  syncGroup: [...group, ...generation, 'INCONSISTENT_GROUP_PROTOCOL'],
  describeGroups: ['GROUP_ID_NOT_FOUND'],
  saslHandshake: ['ILLEGAL_SASL_STATE'],
  saslAuthenticate: ['ILLEGAL_SASL_STATE'],
  apiVersions: ['INVALID_REQUEST', 'UNSUPPORTED_VERSION', 'REBOOTSTRAP_REQUIRED'],
  createTopics: [
    'TOPIC_ALREADY_EXISTS',
    'INVALID_TOPIC_EXCEPTION',
    'INVALID_PARTITIONS',
    'INVALID_REPLICATION_FACTOR',
    'INVALID_REPLICA_ASSIGNMENT',
    'INVALID_CONFIG',
    'INVALID_REQUEST',
  ],
  deleteTopics: ['UNKNOWN_TOPIC_OR_PARTITION', 'UNKNOWN_TOPIC_ID', 'INVALID_REQUEST'],
  deleteRecords: ['UNKNOWN_TOPIC_OR_PARTITION', 'OFFSET_OUT_OF_RANGE', 'POLICY_VIOLATION'],
  initProducerId: [
    'INVALID_REQUEST',
    'INVALID_TRANSACTION_TIMEOUT',
    // Of another producer id it says PRODUCER_FENCED. [TransactionCoordinator.prepareInitProducerIdTransit]
    ...transaction.filter((name) => name !== 'INVALID_PRODUCER_ID_MAPPING'),
  ],
  offsetForLeaderEpoch: ['UNKNOWN_TOPIC_OR_PARTITION', ...epochs],
  addPartitionsToTxn: [
    ...transaction,
    'UNKNOWN_TOPIC_OR_PARTITION',
    'OPERATION_NOT_ATTEMPTED',
    'INVALID_REQUEST',
    'TRANSACTION_ABORTABLE',
  ],
  // No state of a transaction refuses more partitions or groups, but those in which it is being ended.
  addOffsetsToTxn: [...transaction, 'INVALID_REQUEST'],
  endTxn: [...transaction, 'INVALID_TXN_STATE', 'INVALID_REQUEST'],
  writeTxnMarkers: [
    'UNKNOWN_TOPIC_OR_PARTITION',
    'INVALID_PRODUCER_EPOCH',
    'TRANSACTION_COORDINATOR_FENCED',
  ],
  txnOffsetCommit: [
    // PRODUCER_FENCED becomes INVALID_PRODUCER_EPOCH on the way. [AddPartitionsToTxnManager]
    ...transaction.filter((name) => name !== 'PRODUCER_FENCED'),
    'INVALID_TXN_STATE',
    ...group,
    'ILLEGAL_GENERATION',
    'UNKNOWN_TOPIC_OR_PARTITION',
    'OFFSET_METADATA_TOO_LARGE',
  ],
  // A filter that means nothing closes the connection: it cannot be read.
  describeAcls: ['SECURITY_DISABLED'],
  createAcls: ['SECURITY_DISABLED', 'INVALID_REQUEST'],
  deleteAcls: ['SECURITY_DISABLED', 'INVALID_REQUEST'],
  describeConfigs: ['UNKNOWN_TOPIC_OR_PARTITION', 'INVALID_REQUEST', 'INVALID_TOPIC_EXCEPTION'],
  alterConfigs: ['UNKNOWN_TOPIC_OR_PARTITION', 'INVALID_CONFIG', 'INVALID_REQUEST'],
  alterReplicaLogDirs: [
    'LOG_DIR_NOT_FOUND',
    'INVALID_TOPIC_EXCEPTION',
    'UNKNOWN_TOPIC_OR_PARTITION',
  ],
  describeLogDirs: [],
  createPartitions: [
    'UNKNOWN_TOPIC_OR_PARTITION',
    'INVALID_PARTITIONS',
    'INVALID_REPLICA_ASSIGNMENT',
    'INVALID_REQUEST',
  ],
  // INVALID_GROUP_ID is for a name that is null, which cannot be sent.
  deleteGroups: ['NON_EMPTY_GROUP', 'GROUP_ID_NOT_FOUND'],
  electLeaders: ['ELECTION_NOT_NEEDED', 'UNKNOWN_TOPIC_OR_PARTITION'],
  incrementalAlterConfigs: ['UNKNOWN_TOPIC_OR_PARTITION', 'INVALID_CONFIG', 'INVALID_REQUEST'],
  alterPartitionReassignments: [
    'UNKNOWN_TOPIC_OR_PARTITION',
    'INVALID_REPLICA_ASSIGNMENT',
    'NO_REASSIGNMENT_IN_PROGRESS',
    // INVALID_REPLICATION_FACTOR takes more replicas than one node has, or none, which is no assignment.
  ],
  offsetDelete: [
    'GROUP_ID_NOT_FOUND',
    'GROUP_SUBSCRIBED_TO_TOPIC',
    'UNKNOWN_TOPIC_OR_PARTITION',
    'INVALID_GROUP_ID',
    'NON_EMPTY_GROUP',
  ],
  describeClientQuotas: ['INVALID_REQUEST', 'UNSUPPORTED_VERSION'],
  alterClientQuotas: ['INVALID_REQUEST'],
  describeUserScramCredentials: ['RESOURCE_NOT_FOUND', 'DUPLICATE_RESOURCE'],
  alterUserScramCredentials: [
    'UNACCEPTABLE_CREDENTIAL',
    'UNSUPPORTED_SASL_MECHANISM',
    'RESOURCE_NOT_FOUND',
    'DUPLICATE_RESOURCE',
  ],
  describeQuorum: ['UNKNOWN_TOPIC_OR_PARTITION'],
  // FEATURE_UPDATE_FAILED was ZooKeeper's controller's.
  updateFeatures: ['INVALID_UPDATE_VERSION'],
  describeCluster: ['UNSUPPORTED_ENDPOINT_TYPE', 'MISMATCHED_ENDPOINT_TYPE'],
  describeProducers: ['UNKNOWN_TOPIC_OR_PARTITION', 'INVALID_TOPIC_EXCEPTION'],
  describeTransactions: ['TRANSACTIONAL_ID_NOT_FOUND', 'INVALID_REQUEST'],
  listTransactions: ['INVALID_REGULAR_EXPRESSION'],
  consumerGroupHeartbeat: [
    'INVALID_REQUEST',
    'UNKNOWN_MEMBER_ID',
    'GROUP_ID_NOT_FOUND',
    'FENCED_MEMBER_EPOCH',
    'UNSUPPORTED_ASSIGNOR',
    'UNRELEASED_INSTANCE_ID',
    'FENCED_INSTANCE_ID',
    'GROUP_MAX_SIZE_REACHED',
    'INVALID_REGULAR_EXPRESSION',
  ],
  consumerGroupDescribe: ['GROUP_ID_NOT_FOUND', 'INVALID_GROUP_ID'],
  // An exception of the broker's own would become INVALID_REQUEST; nobody says UNSUPPORTED_VERSION of telemetry.
  getTelemetrySubscriptions: [],
  pushTelemetry: [
    'UNKNOWN_SUBSCRIPTION_ID',
    'UNSUPPORTED_COMPRESSION_TYPE',
    'TELEMETRY_TOO_LARGE',
    'INVALID_REQUEST',
  ],
  listConfigResources: ['UNSUPPORTED_VERSION'],
  describeTopicPartitions: [
    'UNKNOWN_TOPIC_OR_PARTITION',
    'INVALID_TOPIC_EXCEPTION',
    'INVALID_REQUEST',
  ],
};
