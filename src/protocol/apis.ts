import type { MessageSchema } from './schema.ts';
import { addOffsetsToTxnRequest, addOffsetsToTxnResponse } from './messages/addOffsetsToTxn.ts';
import {
  addPartitionsToTxnRequest,
  addPartitionsToTxnResponse,
} from './messages/addPartitionsToTxn.ts';
import {
  alterClientQuotasRequest,
  alterClientQuotasResponse,
} from './messages/alterClientQuotas.ts';
import { alterConfigsRequest, alterConfigsResponse } from './messages/alterConfigs.ts';
import {
  alterPartitionReassignmentsRequest,
  alterPartitionReassignmentsResponse,
} from './messages/alterPartitionReassignments.ts';
import {
  alterReplicaLogDirsRequest,
  alterReplicaLogDirsResponse,
} from './messages/alterReplicaLogDirs.ts';
import {
  alterUserScramCredentialsRequest,
  alterUserScramCredentialsResponse,
} from './messages/alterUserScramCredentials.ts';
import { apiVersionsRequest, apiVersionsResponse } from './messages/apiVersions.ts';
import {
  consumerGroupDescribeRequest,
  consumerGroupDescribeResponse,
} from './messages/consumerGroupDescribe.ts';
import {
  consumerGroupHeartbeatRequest,
  consumerGroupHeartbeatResponse,
} from './messages/consumerGroupHeartbeat.ts';
import { createAclsRequest, createAclsResponse } from './messages/createAcls.ts';
import { createPartitionsRequest, createPartitionsResponse } from './messages/createPartitions.ts';
import { createTopicsRequest, createTopicsResponse } from './messages/createTopics.ts';
import { deleteAclsRequest, deleteAclsResponse } from './messages/deleteAcls.ts';
import { deleteGroupsRequest, deleteGroupsResponse } from './messages/deleteGroups.ts';
import { deleteRecordsRequest, deleteRecordsResponse } from './messages/deleteRecords.ts';
import { deleteTopicsRequest, deleteTopicsResponse } from './messages/deleteTopics.ts';
import { describeAclsRequest, describeAclsResponse } from './messages/describeAcls.ts';
import {
  describeClientQuotasRequest,
  describeClientQuotasResponse,
} from './messages/describeClientQuotas.ts';
import { describeClusterRequest, describeClusterResponse } from './messages/describeCluster.ts';
import { describeConfigsRequest, describeConfigsResponse } from './messages/describeConfigs.ts';
import { describeGroupsRequest, describeGroupsResponse } from './messages/describeGroups.ts';
import { describeLogDirsRequest, describeLogDirsResponse } from './messages/describeLogDirs.ts';
import {
  describeProducersRequest,
  describeProducersResponse,
} from './messages/describeProducers.ts';
import { describeQuorumRequest, describeQuorumResponse } from './messages/describeQuorum.ts';
import {
  describeTopicPartitionsRequest,
  describeTopicPartitionsResponse,
} from './messages/describeTopicPartitions.ts';
import {
  describeTransactionsRequest,
  describeTransactionsResponse,
} from './messages/describeTransactions.ts';
import {
  describeUserScramCredentialsRequest,
  describeUserScramCredentialsResponse,
} from './messages/describeUserScramCredentials.ts';
import { electLeadersRequest, electLeadersResponse } from './messages/electLeaders.ts';
import { endTxnRequest, endTxnResponse } from './messages/endTxn.ts';
import { fetchRequest, fetchResponse } from './messages/fetch.ts';
import { findCoordinatorRequest, findCoordinatorResponse } from './messages/findCoordinator.ts';
import {
  getTelemetrySubscriptionsRequest,
  getTelemetrySubscriptionsResponse,
} from './messages/getTelemetrySubscriptions.ts';
import { heartbeatRequest, heartbeatResponse } from './messages/heartbeat.ts';
import {
  incrementalAlterConfigsRequest,
  incrementalAlterConfigsResponse,
} from './messages/incrementalAlterConfigs.ts';
import { initProducerIdRequest, initProducerIdResponse } from './messages/initProducerId.ts';
import { joinGroupRequest, joinGroupResponse } from './messages/joinGroup.ts';
import { leaveGroupRequest, leaveGroupResponse } from './messages/leaveGroup.ts';
import {
  listConfigResourcesRequest,
  listConfigResourcesResponse,
} from './messages/listConfigResources.ts';
import { listGroupsRequest, listGroupsResponse } from './messages/listGroups.ts';
import { listOffsetsRequest, listOffsetsResponse } from './messages/listOffsets.ts';
import {
  listPartitionReassignmentsRequest,
  listPartitionReassignmentsResponse,
} from './messages/listPartitionReassignments.ts';
import { listTransactionsRequest, listTransactionsResponse } from './messages/listTransactions.ts';
import { metadataRequest, metadataResponse } from './messages/metadata.ts';
import { offsetCommitRequest, offsetCommitResponse } from './messages/offsetCommit.ts';
import { offsetDeleteRequest, offsetDeleteResponse } from './messages/offsetDelete.ts';
import { offsetFetchRequest, offsetFetchResponse } from './messages/offsetFetch.ts';
import {
  offsetForLeaderEpochRequest,
  offsetForLeaderEpochResponse,
} from './messages/offsetForLeaderEpoch.ts';
import { produceRequest, produceResponse } from './messages/produce.ts';
import { pushTelemetryRequest, pushTelemetryResponse } from './messages/pushTelemetry.ts';
import { saslAuthenticateRequest, saslAuthenticateResponse } from './messages/saslAuthenticate.ts';
import { saslHandshakeRequest, saslHandshakeResponse } from './messages/saslHandshake.ts';
import { syncGroupRequest, syncGroupResponse } from './messages/syncGroup.ts';
import { txnOffsetCommitRequest, txnOffsetCommitResponse } from './messages/txnOffsetCommit.ts';
import { updateFeaturesRequest, updateFeaturesResponse } from './messages/updateFeatures.ts';
import { writeTxnMarkersRequest, writeTxnMarkersResponse } from './messages/writeTxnMarkers.ts';

/** One of Kafka's APIs: its key and both of its messages. */
export interface Api<
  Request extends MessageSchema = MessageSchema,
  Response extends MessageSchema = MessageSchema,
> {
  readonly key: number;
  readonly request: Request;
  readonly response: Response;
}

const api = <Q extends MessageSchema, S extends MessageSchema>(
  key: number,
  request: Q,
  response: S,
): Api<Q, S> => ({ key, request, response });

/** The APIs whose messages we know, by their names in Kafka's `ApiKeys`. */
export const apis = {
  produce: api(0, produceRequest, produceResponse),
  fetch: api(1, fetchRequest, fetchResponse),
  listOffsets: api(2, listOffsetsRequest, listOffsetsResponse),
  metadata: api(3, metadataRequest, metadataResponse),
  offsetCommit: api(8, offsetCommitRequest, offsetCommitResponse),
  offsetFetch: api(9, offsetFetchRequest, offsetFetchResponse),
  findCoordinator: api(10, findCoordinatorRequest, findCoordinatorResponse),
  joinGroup: api(11, joinGroupRequest, joinGroupResponse),
  heartbeat: api(12, heartbeatRequest, heartbeatResponse),
  leaveGroup: api(13, leaveGroupRequest, leaveGroupResponse),
  syncGroup: api(14, syncGroupRequest, syncGroupResponse),
  describeGroups: api(15, describeGroupsRequest, describeGroupsResponse),
  listGroups: api(16, listGroupsRequest, listGroupsResponse),
  saslHandshake: api(17, saslHandshakeRequest, saslHandshakeResponse),
  apiVersions: api(18, apiVersionsRequest, apiVersionsResponse),
  createTopics: api(19, createTopicsRequest, createTopicsResponse),
  deleteTopics: api(20, deleteTopicsRequest, deleteTopicsResponse),
  deleteRecords: api(21, deleteRecordsRequest, deleteRecordsResponse),
  initProducerId: api(22, initProducerIdRequest, initProducerIdResponse),
  offsetForLeaderEpoch: api(23, offsetForLeaderEpochRequest, offsetForLeaderEpochResponse),
  addPartitionsToTxn: api(24, addPartitionsToTxnRequest, addPartitionsToTxnResponse),
  addOffsetsToTxn: api(25, addOffsetsToTxnRequest, addOffsetsToTxnResponse),
  endTxn: api(26, endTxnRequest, endTxnResponse),
  writeTxnMarkers: api(27, writeTxnMarkersRequest, writeTxnMarkersResponse),
  txnOffsetCommit: api(28, txnOffsetCommitRequest, txnOffsetCommitResponse),
  describeAcls: api(29, describeAclsRequest, describeAclsResponse),
  createAcls: api(30, createAclsRequest, createAclsResponse),
  deleteAcls: api(31, deleteAclsRequest, deleteAclsResponse),
  describeConfigs: api(32, describeConfigsRequest, describeConfigsResponse),
  alterConfigs: api(33, alterConfigsRequest, alterConfigsResponse),
  alterReplicaLogDirs: api(34, alterReplicaLogDirsRequest, alterReplicaLogDirsResponse),
  describeLogDirs: api(35, describeLogDirsRequest, describeLogDirsResponse),
  saslAuthenticate: api(36, saslAuthenticateRequest, saslAuthenticateResponse),
  createPartitions: api(37, createPartitionsRequest, createPartitionsResponse),
  deleteGroups: api(42, deleteGroupsRequest, deleteGroupsResponse),
  electLeaders: api(43, electLeadersRequest, electLeadersResponse),
  incrementalAlterConfigs: api(44, incrementalAlterConfigsRequest, incrementalAlterConfigsResponse),
  alterPartitionReassignments: api(
    45,
    alterPartitionReassignmentsRequest,
    alterPartitionReassignmentsResponse,
  ),
  listPartitionReassignments: api(
    46,
    listPartitionReassignmentsRequest,
    listPartitionReassignmentsResponse,
  ),
  offsetDelete: api(47, offsetDeleteRequest, offsetDeleteResponse),
  describeClientQuotas: api(48, describeClientQuotasRequest, describeClientQuotasResponse),
  alterClientQuotas: api(49, alterClientQuotasRequest, alterClientQuotasResponse),
  describeUserScramCredentials: api(
    50,
    describeUserScramCredentialsRequest,
    describeUserScramCredentialsResponse,
  ),
  alterUserScramCredentials: api(
    51,
    alterUserScramCredentialsRequest,
    alterUserScramCredentialsResponse,
  ),
  describeQuorum: api(55, describeQuorumRequest, describeQuorumResponse),
  updateFeatures: api(57, updateFeaturesRequest, updateFeaturesResponse),
  describeCluster: api(60, describeClusterRequest, describeClusterResponse),
  describeProducers: api(61, describeProducersRequest, describeProducersResponse),
  describeTransactions: api(65, describeTransactionsRequest, describeTransactionsResponse),
  listTransactions: api(66, listTransactionsRequest, listTransactionsResponse),
  consumerGroupHeartbeat: api(68, consumerGroupHeartbeatRequest, consumerGroupHeartbeatResponse),
  consumerGroupDescribe: api(69, consumerGroupDescribeRequest, consumerGroupDescribeResponse),
  getTelemetrySubscriptions: api(
    71,
    getTelemetrySubscriptionsRequest,
    getTelemetrySubscriptionsResponse,
  ),
  pushTelemetry: api(72, pushTelemetryRequest, pushTelemetryResponse),
  listConfigResources: api(74, listConfigResourcesRequest, listConfigResourcesResponse),
  describeTopicPartitions: api(75, describeTopicPartitionsRequest, describeTopicPartitionsResponse),
};

export type ApiName = keyof typeof apis;
