import type { Emulation } from './emulation.ts';

const longMax = '9223372036854775807';

/** Apache Kafka 3.9 with KRaft, as a broker of 3.9.2 says and does. */
export const kafka39: Emulation = {
  server: 'Apache Kafka 3.9',
  versions: {
    produce: [0, 11],
    fetch: [0, 17],
    listOffsets: [0, 9],
    metadata: [0, 12],
    offsetCommit: [0, 9],
    offsetFetch: [0, 9],
    describeGroups: [0, 5],
    apiVersions: [0, 4],
    endTxn: [0, 4],
    writeTxnMarkers: [0, 1],
    txnOffsetCommit: [0, 4],
    describeLogDirs: [0, 4],
    deleteGroups: [0, 2],
    alterPartitionReassignments: [0, 0],
    updateFeatures: [0, 1],
    describeCluster: [0, 1],
    listTransactions: [0, 1],
    consumerGroupHeartbeat: [0, 0],
    consumerGroupDescribe: [0, 0],
    listConfigResources: [0, 0],
  },
  // The protocol of KIP-848 is there, and off until group.coordinator.rebalance.protocols names it.
  refused: {
    consumerGroupHeartbeat: 'UNSUPPORTED_VERSION',
    consumerGroupDescribe: 'UNSUPPORTED_VERSION',
  },
  features: [
    { name: 'kraft.version', min: 0, max: 1 },
    { name: 'metadata.version', min: 1, max: 21 },
  ],
  levels: { 'metadata.version': 21 },
  // KIP-1030 changed it with 4.0.
  defaults: { 'log.message.timestamp.after.max.ms': longMax },
};
