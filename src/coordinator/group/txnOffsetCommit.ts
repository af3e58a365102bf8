import { errorCodes } from '../../protocol/errors.ts';
import { zeroUuid } from '../../protocol/schema.ts';
import type { CoordinatorRecord, TransactionalWrite } from '../ports.ts';
import type { Decision } from '../runtime/decision.ts';
import { offsetCommitRecord } from './groupRecords.ts';
import type { Group, GroupState } from './groupState.ts';
import type { TxnOffsetCommitRequest, TxnOffsetCommitResponse } from './messages.ts';
import { type CommitTopic, commitResponse, takesMetadata } from './offsetCommit.ts';

/** From this version on an unknown group is called so (KIP-1319). */
const firstVersionWithGroupIdNotFound = 6;

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
  const errorCode = txnCommitError(state.groups.get(request.groupId), request, apiVersion);
  if (errorCode !== errorCodes.NONE) return commitResponse(topics, errorCode);
  const records: CoordinatorRecord[] = [];
  for (const { name: topic, partitions } of topics) {
    for (const partition of partitions) {
      const { requested } = partition;
      if (!takesMetadata(state, partition)) continue;
      records.push(
        offsetCommitRecord(request.groupId, {
          topic,
          partition: requested.partitionIndex,
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
 * A producer that says for which member it commits is held to the group's present generation (KIP-447); one that
 * does not, as before that, is not: its epoch fences it. [ClassicGroup.validateOffsetCommit]
 */
function txnCommitError(
  group: Group | undefined,
  { generationIdOrMemberEpoch: generationId, memberId, groupInstanceId }: TxnOffsetCommitRequest,
  apiVersion: number,
): number {
  if (group === undefined) {
    if (generationId < 0) return errorCodes.NONE;
    return apiVersion >= firstVersionWithGroupIdNotFound
      ? errorCodes.GROUP_ID_NOT_FOUND
      : errorCodes.ILLEGAL_GENERATION;
  }
  if (generationId < 0 && group.state === 'Empty') return errorCodes.NONE;
  if (generationId < 0 && memberId === '' && groupInstanceId === null) return errorCodes.NONE;
  const memberError = group.memberError(memberId, groupInstanceId);
  if (memberError !== errorCodes.NONE) return memberError;
  return generationId === group.generationId ? errorCodes.NONE : errorCodes.ILLEGAL_GENERATION;
}
