import { errorCodes } from '../../protocol/errors.ts';
import { zeroUuid } from '../../protocol/schema.ts';
import type { CoordinatorRecord, TransactionalWrite } from '../ports.ts';
import type { Decision } from '../runtime/decision.ts';
import { offsetCommitRecord } from './groupRecords.ts';
import type { Group, GroupState } from './groupState.ts';
import type { TxnOffsetCommitRequest, TxnOffsetCommitResponse } from './messages.ts';
import { type CommitTopic, commitResponse, goodPartitions, toWrite } from './offsetCommit.ts';

/** From this version on an unknown group and an old epoch are called so (KIP-1319). */
const firstVersionWithOwnErrors = 6;

export interface TxnOffsetCommit {
  readonly request: TxnOffsetCommitRequest;
  readonly apiVersion: number;
  readonly topics: readonly CommitTopic[];
  readonly transaction: TransactionalWrite;
}

/** Offsets that count once the producer's transaction is committed. [OffsetMetadataManager.commitTransactionalOffset] */
export function commitTxnOffsets(
  state: GroupState,
  { request, apiVersion, topics, transaction }: TxnOffsetCommit,
  decision: Decision,
): TxnOffsetCommitResponse {
  const errorCode = txnCommitError(state.groups.get(request.groupId), {
    request,
    apiVersion,
    topics,
  });
  if (errorCode !== errorCodes.NONE) return commitResponse(topics, errorCode);
  const records: CoordinatorRecord[] = [];
  for (const { name: topic, partitions } of topics) {
    for (const [partition, requested] of toWrite(state, partitions)) {
      records.push(
        offsetCommitRecord(request.groupId, {
          topic,
          partition,
          topicId: zeroUuid,
          offset: requested.committedOffset,
          leaderEpoch: requested.committedLeaderEpoch,
          metadata: requested.committedMetadata ?? '',
          commitTimestampMs: BigInt(Math.floor(state.clock.nowMs())),
          expireTimestampMs: null,
        }),
      );
    }
  }
  if (records.length > 0) decision.appendTransactional(records, transaction);
  return commitResponse(topics);
}

/**
 * A producer that says for which member it commits is held to what the group knows of it (KIP-447); one that does
 * not, as before that, is not: its epoch fences it. [OffsetMetadataManager.validateTransactionalOffsetCommit]
 */
function txnCommitError(
  group: Group | undefined,
  { request, apiVersion, topics }: Omit<TxnOffsetCommit, 'transaction'>,
): number {
  const { memberId, groupInstanceId, generationIdOrMemberEpoch: epoch } = request;
  const knowsOwnErrors = apiVersion >= firstVersionWithOwnErrors;
  if (group === undefined) {
    if (epoch < 0) return errorCodes.NONE;
    return knowsOwnErrors ? errorCodes.GROUP_ID_NOT_FOUND : errorCodes.ILLEGAL_GENERATION;
  }
  const claim = { memberId, groupInstanceId, epoch, isTransactional: true, apiVersion };
  const errorCode = group.validateOffsetCommit(claim, goodPartitions(topics));
  const isStale = errorCode === errorCodes.STALE_MEMBER_EPOCH;
  return isStale && !knowsOwnErrors ? errorCodes.ILLEGAL_GENERATION : errorCode;
}
