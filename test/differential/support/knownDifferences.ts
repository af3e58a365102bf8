import type { ApiName } from '../../../src/protocol/apis.ts';
import type { Difference } from './compare.ts';
import { toText } from './normalise.ts';

/** Where we answer otherwise than Kafka, and know it. `docs/differential.md` lists them. */
export interface KnownDifference {
  readonly api: ApiName | 'any';
  /** Of the differing field. */
  readonly path: RegExp;
  readonly isIt?: (difference: Difference) => boolean;
  /** `meant`: it stays so, and why; `open`: it is a fault of ours that is not mended yet. */
  readonly kind: 'meant' | 'open';
  readonly reason: string;
}

const onlyKafkas = ({ ours }: Difference): boolean => ours === undefined;

export const knownDifferences: readonly KnownDifference[] = [
  {
    api: 'any',
    path: /errorMessage$/i,
    isIt: ({ ours, kafkas }) => ours === '<words>' && (kafkas === null || kafkas === ''),
    kind: 'meant',
    reason: 'where Kafka gives a bare code, we say in words what was wrong',
  },
  {
    api: 'apiVersions',
    path: /^apiKeys\[/,
    isIt: onlyKafkas,
    kind: 'meant',
    reason: 'only what is there is advertised',
  },
  {
    api: 'apiVersions',
    path: /^(finalized|supported)Features\[/,
    isIt: onlyKafkas,
    kind: 'meant',
    reason: 'a feature is reported once the APIs that it stands for are there',
  },
  {
    api: 'any',
    path: /configs\[(remote|local|errors)\.[a-z.]+\]$/,
    isIt: onlyKafkas,
    kind: 'meant',
    reason:
      'configs of tiered storage and of dead letter queues, which we do not have, are not listed',
  },
  {
    api: 'any',
    path: /errorCode$/,
    isIt: ({ kafkas }) => kafkas === 'UNKNOWN_SERVER_ERROR',
    kind: 'meant',
    reason: 'where Kafka fails without a name for what was wrong, we have one',
  },
  {
    api: 'alterConfigs',
    path: /^$/,
    isIt: ({ ours, kafkas }) => kafkas === 'closed' && toText(ours).includes('INVALID_REQUEST'),
    kind: 'meant',
    reason:
      'asked twice for the same resource, Kafka closes the connection; we say INVALID_REQUEST',
  },
  {
    api: 'any',
    path: /configs\[max\.decompressed\.message\.bytes\]$/,
    isIt: onlyKafkas,
    kind: 'open',
    reason: 'we do not have max.decompressed.message.bytes',
  },
  {
    api: 'produce',
    path: /batchIndexErrorMessage$/,
    isIt: ({ ours, kafkas }) => ours !== null && kafkas !== null,
    kind: 'meant',
    reason: 'the words are our own',
  },
  {
    api: 'produce',
    path: /logStartOffset$/,
    isIt: ({ ours }) => ours === -1n,
    kind: 'open',
    reason: 'Kafka tells the start of the log also with most errors of an append',
  },
  {
    api: 'apiVersions',
    path: /^(errorCode|apiKeys\[\d+\]|(finalized|supported)Features\[[a-z.]+\])$/,
    isIt: ({ ours, kafkas }) =>
      kafkas === undefined || (kafkas === 'INVALID_REQUEST' && ours !== 'INVALID_REQUEST'),
    kind: 'open',
    reason: 'only a cluster id without a node id, or the other way round, is INVALID_REQUEST',
  },
  {
    api: 'metadata',
    path: /^(brokers|controllerId)/,
    isIt: ({ kafkas }) => kafkas === -1 || kafkas === undefined || toText(kafkas) === '[]',
    kind: 'open',
    reason: 'asked for ids in versions 10 and 11, Kafka answers without brokers',
  },
  {
    api: 'describeCluster',
    path: /^errorCode$/,
    isIt: ({ kafkas }) => kafkas === 'UNSUPPORTED_ENDPOINT_TYPE',
    kind: 'open',
    reason: 'an endpoint type that does not exist is UNSUPPORTED_ENDPOINT_TYPE',
  },
  {
    api: 'findCoordinator',
    path: /errorMessage$/,
    isIt: ({ ours }) => ours === null,
    kind: 'open',
    reason: 'without an error Kafka says NONE up to version 3, and nothing in an empty text later',
  },
  {
    api: 'findCoordinator',
    path: /errorCode$/,
    isIt: ({ ours }) => ours === 'UNSUPPORTED_VERSION',
    kind: 'meant',
    reason: 'there are no share groups yet: clients give up on UNSUPPORTED_VERSION at once',
  },
  {
    api: 'any',
    path: /configs\[min\.insync\.replicas\]\.(configSource|synonyms)$/,
    kind: 'open',
    reason:
      'with eligible leader replicas Kafka keeps min.insync.replicas as a default of the cluster',
  },
  {
    api: 'describeConfigs',
    path: /synonyms\[log\.[a-z.]+\.ms\]$/,
    isIt: ({ kafkas }) => kafkas === undefined,
    kind: 'open',
    reason: 'a synonym of the broker that has no value of its own is not listed',
  },
  {
    api: 'deleteTopics',
    path: /^responses$/,
    isIt: ({ kafkas }) => toText(kafkas).includes('INVALID_REQUEST'),
    kind: 'open',
    reason: 'a topic that is asked for twice is answered once',
  },
  {
    api: 'describeTopicPartitions',
    path: /topicAuthorizedOperations$/,
    kind: 'open',
    reason: 'Kafka tells the authorized operations of an unknown topic too',
  },
  {
    api: 'incrementalAlterConfigs',
    path: /errorCode$/,
    isIt: ({ ours, kafkas }) =>
      ours === 'UNKNOWN_TOPIC_OR_PARTITION' &&
      (kafkas === 'INVALID_REQUEST' || kafkas === 'INVALID_TOPIC_EXCEPTION'),
    kind: 'open',
    reason: 'an empty name is INVALID_REQUEST, an impossible one INVALID_TOPIC_EXCEPTION',
  },
  {
    api: 'produce',
    path: /^responses\[.*\]$/,
    isIt: ({ ours, kafkas }) =>
      kafkas === undefined && toText(ours).includes('"partitionResponses":[]'),
    kind: 'open',
    reason: 'a topic without partitions is left out of the answer',
  },
  {
    api: 'fetch',
    path: /abortedTransactions$/,
    isIt: ({ ours, kafkas }) => ours === null && toText(kafkas) === '[]',
    kind: 'open',
    reason: 'with an error Kafka has an empty list of aborted transactions, not null',
  },
  {
    api: 'describeConfigs',
    path: /configs\[[a-z0-9.]+\]$/,
    isIt: onlyKafkas,
    kind: 'open',
    reason: 'an empty list of keys asks for all of them',
  },
  {
    api: 'listOffsets',
    path: /partitions\[0\]\.(timestamp|offset|leaderEpoch)$/,
    isIt: ({ ours }) => ours === -1n || ours === -1,
    kind: 'open',
    reason:
      'the largest timestamp is found in its batch also where the start of the log has passed it',
  },
  {
    api: 'listOffsets',
    path: /partitions$/,
    isIt: ({ kafkas }) => toText(kafkas).includes('INVALID_REQUEST'),
    kind: 'open',
    reason: 'a partition that is asked for twice is answered once',
  },
  {
    api: 'addPartitionsToTxn',
    path: /^$/,
    isIt: ({ kafkas }) => kafkas === 'closed',
    kind: 'meant',
    reason: 'for no transaction at all Kafka closes the connection; we answer about none',
  },
  {
    api: 'electLeaders',
    path: /^errorCode$/,
    isIt: ({ ours, kafkas }) => ours === 'INVALID_REQUEST' && kafkas === 'NONE',
    kind: 'meant',
    reason:
      'a type of election that does not exist is refused also where there is nothing to elect',
  },
  {
    api: 'alterPartitionReassignments',
    path: /^errorMessage$/,
    isIt: ({ ours, kafkas }) => ours === null && kafkas === '',
    kind: 'open',
    reason: 'without an error Kafka has an empty text, not null',
  },
];
