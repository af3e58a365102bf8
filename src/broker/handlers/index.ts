import type { Emulation } from '../emulation/emulation.ts';
import { emulatedHandlers } from '../emulation/emulatedHandlers.ts';
import type { HandlerTable } from '../handler.ts';
import { addOffsetsToTxn } from './addOffsetsToTxn.ts';
import { addPartitionsToTxn } from './addPartitionsToTxn.ts';
import { alterClientQuotas } from './alterClientQuotas.ts';
import { alterConfigs } from './alterConfigs.ts';
import { alterPartitionReassignments } from './alterPartitionReassignments.ts';
import { alterReplicaLogDirs } from './alterReplicaLogDirs.ts';
import { alterUserScramCredentials } from './alterUserScramCredentials.ts';
import { apiVersionsHandler } from './apiVersions.ts';
import { consumerGroupDescribe } from './consumerGroupDescribe.ts';
import { consumerGroupHeartbeat } from './consumerGroupHeartbeat.ts';
import { createAcls } from './createAcls.ts';
import { createPartitions } from './createPartitions.ts';
import { createTopics } from './createTopics.ts';
import { deleteAcls } from './deleteAcls.ts';
import { deleteGroups } from './deleteGroups.ts';
import { deleteRecords } from './deleteRecords.ts';
import { deleteTopics } from './deleteTopics.ts';
import { describeAcls } from './describeAcls.ts';
import { describeClientQuotas } from './describeClientQuotas.ts';
import { describeCluster } from './describeCluster.ts';
import { describeConfigs } from './describeConfigs.ts';
import { describeGroups } from './describeGroups.ts';
import { describeLogDirs } from './describeLogDirs.ts';
import { describeProducers } from './describeProducers.ts';
import { describeQuorum } from './describeQuorum.ts';
import { describeTopicPartitions } from './describeTopicPartitions.ts';
import { describeUserScramCredentials } from './describeUserScramCredentials.ts';
import { describeTransactions } from './describeTransactions.ts';
import { electLeaders } from './electLeaders.ts';
import { endTxn } from './endTxn.ts';
import { fetch } from './fetch.ts';
import { findCoordinator } from './findCoordinator.ts';
import { getTelemetrySubscriptions } from './getTelemetrySubscriptions.ts';
import { heartbeat } from './heartbeat.ts';
import { incrementalAlterConfigs } from './incrementalAlterConfigs.ts';
import { initProducerId } from './initProducerId.ts';
import { joinGroup } from './joinGroup.ts';
import { leaveGroup } from './leaveGroup.ts';
import { listConfigResources } from './listConfigResources.ts';
import { listGroups } from './listGroups.ts';
import { listOffsets } from './listOffsets.ts';
import { listPartitionReassignments } from './listPartitionReassignments.ts';
import { listTransactions } from './listTransactions.ts';
import { metadata } from './metadata.ts';
import { offsetCommit } from './offsetCommit.ts';
import { offsetDelete } from './offsetDelete.ts';
import { offsetFetch } from './offsetFetch.ts';
import { offsetForLeaderEpoch } from './offsetForLeaderEpoch.ts';
import { produce } from './produce.ts';
import { pushTelemetry } from './pushTelemetry.ts';
import { saslAuthenticate } from './saslAuthenticate.ts';
import { saslHandshake } from './saslHandshake.ts';
import { syncGroup } from './syncGroup.ts';
import { txnOffsetCommit } from './txnOffsetCommit.ts';
import { updateFeatures } from './updateFeatures.ts';
import { writeTxnMarkers } from './writeTxnMarkers.ts';

const table = {
  addOffsetsToTxn,
  addPartitionsToTxn,
  alterClientQuotas,
  alterConfigs,
  alterPartitionReassignments,
  alterReplicaLogDirs,
  alterUserScramCredentials,
  consumerGroupDescribe,
  consumerGroupHeartbeat,
  createAcls,
  createPartitions,
  createTopics,
  deleteAcls,
  deleteGroups,
  deleteRecords,
  deleteTopics,
  describeAcls,
  describeClientQuotas,
  describeCluster,
  describeConfigs,
  describeGroups,
  describeLogDirs,
  describeProducers,
  describeQuorum,
  describeTopicPartitions,
  describeTransactions,
  describeUserScramCredentials,
  electLeaders,
  endTxn,
  fetch,
  findCoordinator,
  getTelemetrySubscriptions,
  heartbeat,
  incrementalAlterConfigs,
  initProducerId,
  joinGroup,
  leaveGroup,
  listConfigResources,
  listGroups,
  listOffsets,
  listPartitionReassignments,
  listTransactions,
  metadata,
  offsetCommit,
  offsetDelete,
  offsetFetch,
  offsetForLeaderEpoch,
  produce,
  pushTelemetry,
  saslAuthenticate,
  saslHandshake,
  syncGroup,
  txnOffsetCommit,
  updateFeatures,
  writeTxnMarkers,
} as const satisfies HandlerTable;

/** Every API that the broker serves, or would as another server. ApiVersions answers from this same table. */
export function servedHandlers(emulation?: Emulation): HandlerTable {
  const served = emulation ? emulatedHandlers(table, emulation) : table;
  const [min, max] = emulation?.versions?.apiVersions ?? [0, 5];
  return { ...served, apiVersions: apiVersionsHandler(served, [min, max]) };
}

/** What is served as Apache Kafka 4.4. */
export const handlers: HandlerTable = servedHandlers();
