import type { ApiName } from '../../../src/protocol/apis.ts';
import type { Difference } from './compare.ts';
import { toText } from './normalise.ts';

/** Where we answer otherwise than Kafka, and know it. `docs/differential.md` lists them. */
export interface KnownDifference<Api extends string = ApiName> {
  readonly api: Api | 'any';
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
    api: 'describeConfigs',
    path: /configs\[(listeners|listener\.security\.protocol\.map|sasl\.(enabled|jaas)\.[a-z.]+|ssl\.(client|key|keystore|truststore)\.[a-z.]+)\]\.readOnly$/,
    isIt: ({ ours, kafkas }) => ours === true && kafkas === false,
    kind: 'meant',
    reason: 'as they cannot be changed while a broker runs, they are told as read-only',
  },
  {
    api: 'incrementalAlterConfigs',
    path: /^ofListeners\[.+\]\.errorCode$/,
    isIt: ({ ours, kafkas }) => ours === 'INVALID_REQUEST' && kafkas === 'NONE',
    kind: 'meant',
    reason:
      'listeners, their protocols, key stores and SASL, and super users, are read at the start: a change while a broker runs is refused, not kept for later',
  },
  {
    api: 'incrementalAlterConfigs',
    path: /^ofClasses\[.+\]\.errorCode$/,
    isIt: ({ ours, kafkas }) => ours === 'INVALID_REQUEST' && kafkas === 'NONE',
    kind: 'meant',
    reason:
      'classes of Java are not loaded: only those can be named that do what is done here anyway, whereas Kafka takes any class, whether or not it is one for that',
  },
  {
    api: 'describeConfigs',
    path: /^ofBlanks\.value$/,
    isIt: ({ ours, kafkas }) => ours === '7' && kafkas === '1000',
    kind: 'meant',
    reason:
      'an assignment interval of a broker with blanks around it Kafka takes, and then cannot read, so that nothing that the broker is given with it, or later, holds; here it holds',
  },
  {
    api: 'listConfigResources',
    path: /^ofBlanks\.isListed$/,
    isIt: ({ ours, kafkas }) => ours === true && kafkas === false,
    kind: 'meant',
    reason:
      'a number of a group with blanks around it Kafka takes and tells, and then cannot read, so that none of what the group was given with it holds or is listed; here it holds',
  },
  {
    api: 'any',
    path: /errorCode$/,
    isIt: ({ ours, kafkas }) => kafkas === 'UNKNOWN_SERVER_ERROR' && ours !== 'NONE',
    kind: 'meant',
    reason: 'where Kafka fails without a name for what was wrong, we have one',
  },
  {
    api: 'createTopics',
    path: /^$/,
    isIt: ({ ours, kafkas }) => ours === 'closed' && kafkas !== 'closed',
    kind: 'meant',
    reason:
      'where a SASL token should come, APIs that have no error for all that was asked are closed on, except Metadata: no client asks then',
  },
  {
    api: 'describeTopicPartitions',
    path: /topicAuthorizedOperations$/,
    isIt: ({ kafkas }) => kafkas === -(2 ** 31),
    kind: 'meant',
    reason: 'over an empty name among the topics Kafka fails altogether; we answer about each',
  },
  {
    api: 'alterConfigs',
    path: /^$/,
    isIt: ({ ours, kafkas }) => kafkas === 'closed' && toText(ours).includes('INVALID_REQUEST'),
    kind: 'meant',
    reason: 'asked twice for the same resource, Kafka does not answer; we say INVALID_REQUEST',
  },
  {
    api: 'produce',
    path: /batchIndexErrorMessage$/,
    isIt: ({ ours, kafkas }) => ours !== null && kafkas !== null,
    kind: 'meant',
    reason: 'the words are our own',
  },
  {
    api: 'findCoordinator',
    path: /errorCode$/,
    isIt: ({ ours }) => ours === 'UNSUPPORTED_VERSION',
    kind: 'meant',
    reason: 'there are no share groups yet: clients give up on UNSUPPORTED_VERSION at once',
  },
  {
    api: 'findCoordinator',
    path: /^coordinators\[\d+\]\.(errorCode|nodeId|host)$/,
    isIt: ({ ours, kafkas }) =>
      kafkas === 'COORDINATOR_NOT_AVAILABLE' ? ours === 'NONE' : kafkas === -1 || kafkas === '',
    kind: 'meant',
    reason:
      'the first question makes the topic behind the coordinators: Kafka answers COORDINATOR_NOT_AVAILABLE until it is there, we answer once it is, which saves clients a wait',
  },
  {
    api: 'fetch',
    path: /^$/,
    isIt: ({ kafkas }) => kafkas === 'closed',
    kind: 'meant',
    reason:
      'about two partitions of a topic whose id is zero Kafka cannot tell, and does not answer where it has waited for others; we answer at once',
  },
  {
    api: 'listOffsets',
    path: /^ofLarger\.errorCode$/,
    isIt: ({ ours, kafkas }) => ours === 'NONE' && kafkas === 'INVALID_RECORD',
    kind: 'meant',
    reason:
      'by time, among compressed records that are larger than a max.decompressed.message.bytes of later: Kafka refuses to look through what it once took, we look',
  },
  {
    api: 'fetch',
    path: /^ofCutBatch\.lastStableOffset$/,
    isIt: ({ ours, kafkas }) => ours === 2n && kafkas === 0n,
    kind: 'meant',
    reason:
      'while a transaction is open whose first records were deleted, up to the middle of a batch, Kafka tells the start of that batch for the last stable offset, below that of the log; we tell where the log starts',
  },
  {
    api: 'produce',
    path: /^ofLies\[.+\]\.error$/,
    isIt: ({ ours, kafkas }) => ours === 'INVALID_RECORD' && kafkas === 'NONE',
    kind: 'meant',
    reason:
      'of compressed records Kafka reads neither the lengths nor, in gzip and snappy, what follows the last block, and keeps what no consumer can read; we refuse it',
  },
  {
    api: 'consumerGroupHeartbeat',
    path: /^ofTiedAssignors\[/,
    isIt: ({ ours, kafkas }) => Number(ours) < Number(kafkas),
    kind: 'meant',
    reason:
      'where as many members want one assignor as want another, Kafka counts the votes in an order that a heartbeat changes, and rebalances the group again and again; our winner stays',
  },
  {
    api: 'consumerGroupHeartbeat',
    path: /^ofTakenPlace\.assigned$/,
    isIt: ({ ours, kafkas }) => Number(ours) > Number(kafkas),
    kind: 'meant',
    reason:
      'where a member takes the place of a static one that is away, and is in the group under its own id already, Kafka still counts what it read and waits for what it had itself; with us that is over',
  },
  {
    api: 'addPartitionsToTxn',
    path: /^$/,
    isIt: ({ kafkas }) => kafkas === 'closed',
    kind: 'meant',
    reason: 'for no transaction at all Kafka does not answer; we answer about none',
  },
  {
    api: 'writeTxnMarkers',
    path: /^$/,
    isIt: ({ kafkas }) => kafkas === 'closed',
    kind: 'meant',
    reason:
      'markers of which one names a partition twice, or the last has no partition that is there, Kafka writes and does not answer; we answer',
  },
  {
    api: 'listTransactions',
    path: /^errorCode$/,
    isIt: ({ ours, kafkas }) => ours === 'INVALID_REGULAR_EXPRESSION' && kafkas === 'NONE',
    kind: 'meant',
    reason:
      "a pattern of more than 2048 characters, or of more once its repetitions are written out, is refused, as is a group's: compiling takes time and memory with that",
  },
  {
    api: 'updateFeatures',
    path: /^(errorCode|results)$/,
    isIt: ({ ours, kafkas }) =>
      ours === 'INVALID_UPDATE_VERSION'
        ? kafkas === 'NONE'
        : toText(ours) === '[]' && /"(kraft|share|streams)\.version"/.test(toText(kafkas)),
    kind: 'meant',
    reason:
      'what voters of the quorum, share and streams groups stand for is not there: the level of those features is 0, and stays so',
  },
  {
    api: 'electLeaders',
    path: /^errorCode$/,
    isIt: ({ ours, kafkas }) => ours === 'INVALID_REQUEST' && kafkas === 'NONE',
    kind: 'meant',
    reason:
      'a type of election that does not exist is refused also where there is nothing to elect',
  },
];

/** As pages list them. */
export const listOf = <Api extends string>(
  table: readonly KnownDifference<Api>[],
  kind: KnownDifference['kind'],
  title: (api: Api | 'any') => string,
): string =>
  table
    .filter((known) => known.kind === kind)
    .map(({ api, path, reason }) => `- ${title(api)}, \`${path.source}\`: ${reason}`)
    .join('\n') || 'None.';
