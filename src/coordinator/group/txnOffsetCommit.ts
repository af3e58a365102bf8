import { errorCodes } from '../../protocol/errors.ts';
import type { TransactionalWrite } from '../ports.ts';
import type { Decision } from '../runtime/decision.ts';
import type { Group, GroupState } from './groupState.ts';
import type { TxnOffsetCommitRequest } from './messages.ts';
import { type CommitPlan, goodPartitions, tooLargeCode } from './offsetCommit.ts';

/** From this version on an unknown group and an old epoch are called so (KIP-1319). */
const firstVersionWithOwnErrors = 6;

export interface TxnOffsetCommit {
  readonly request: TxnOffsetCommitRequest;
  readonly apiVersion: number;
  readonly plan: CommitPlan;
  readonly transaction: TransactionalWrite;
}

/**
 * Offsets that count once the producer's transaction is committed; the error code for all that was good so far.
 * [OffsetMetadataManager.commitTransactionalOffset]
 */
export function commitTxnOffsets(
  state: GroupState,
  commit: TxnOffsetCommit,
  decision: Decision,
): number {
  const { request, plan, transaction } = commit;
  const errorCode = txnCommitError(state.groups.get(request.groupId), commit);
  if (errorCode !== errorCodes.NONE) return errorCode;
  if (plan.records === 'tooLarge') return tooLargeCode;
  if (plan.records.length > 0) decision.appendTransactional(plan.records, transaction);
  return errorCodes.NONE;
}

/**
 * A producer that says for which member it commits is held to what the group knows of it (KIP-447); one that does
 * not, as before that, is not: its epoch fences it. [OffsetMetadataManager.validateTransactionalOffsetCommit]
 */
function txnCommitError(
  group: Group | undefined,
  { request, apiVersion, plan }: TxnOffsetCommit,
): number {
  const { memberId, groupInstanceId, generationIdOrMemberEpoch: epoch } = request;
  const knowsOwnErrors = apiVersion >= firstVersionWithOwnErrors;
  if (group === undefined) {
    if (epoch < 0) return errorCodes.NONE;
    return knowsOwnErrors ? errorCodes.GROUP_ID_NOT_FOUND : errorCodes.ILLEGAL_GENERATION;
  }
  const claim = { memberId, groupInstanceId, epoch, isTransactional: true, apiVersion };
  const errorCode = group.validateOffsetCommit(claim, goodPartitions(plan));
  const isStale = errorCode === errorCodes.STALE_MEMBER_EPOCH;
  return isStale && !knowsOwnErrors ? errorCodes.ILLEGAL_GENERATION : errorCode;
}
