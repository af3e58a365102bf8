import { errorCodes } from '../../protocol/errors.ts';
import type { Decision, Reply } from '../runtime/decision.ts';
import type { ClassicGroup } from './classicGroup.ts';
import type { ClassicGroupMember, MemberProtocol } from './classicGroupMember.ts';
import { copyOf } from './copyOf.ts';
import { mayOf } from './groupAccess.ts';
import type { GroupConfig } from './groupConfig.ts';
import type { GroupState } from './groupState.ts';
import type { GroupRequestContext, JoinGroupRequest, JoinGroupResponse } from './messages.ts';

/** Protocols of a member: its group keeps them, and Kafka has no bound. Clients have a handful. */
const maxProtocols = 1000;

/** A JoinGroup on its way through the coordinator. */
export interface Join {
  readonly groupId: string;
  readonly memberId: string;
  readonly groupInstanceId: string | null;
  readonly protocolType: string;
  readonly protocols: readonly MemberProtocol[];
  readonly sessionTimeoutMs: number;
  readonly rebalanceTimeoutMs: number;
  readonly reason: string;
  readonly apiVersion: number;
  readonly clientId: string;
  readonly clientHost: string;
  /** Which topics the client may see. */
  readonly mayDescribe: (topic: string) => boolean;
  readonly reply: Reply<JoinGroupResponse>;
}

/** NONE, or why a JoinGroup is refused whatever its group. */
export function joinError(
  { groupId, sessionTimeoutMs, protocols }: JoinGroupRequest,
  { minSessionTimeoutMs, maxSessionTimeoutMs }: GroupConfig,
): number {
  if (groupId === '') return errorCodes.INVALID_GROUP_ID;
  if (protocols.length > maxProtocols) return errorCodes.INCONSISTENT_GROUP_PROTOCOL;
  return sessionTimeoutMs < minSessionTimeoutMs || sessionTimeoutMs > maxSessionTimeoutMs
    ? errorCodes.INVALID_SESSION_TIMEOUT
    : errorCodes.NONE;
}

export function joinOf(
  request: JoinGroupRequest,
  context: GroupRequestContext,
  reply: Reply<JoinGroupResponse>,
): Join {
  return {
    groupId: request.groupId,
    memberId: request.memberId,
    groupInstanceId: request.groupInstanceId,
    protocolType: request.protocolType,
    protocols: request.protocols.map(({ name, metadata }) => ({
      name,
      metadata: copyOf(metadata),
    })),
    sessionTimeoutMs: request.sessionTimeoutMs,
    // Version 0 has no rebalance timeout. [JoinGroupRequest.maybeOverrideRebalanceTimeout]
    rebalanceTimeoutMs:
      context.apiVersion === 0 ? request.sessionTimeoutMs : request.rebalanceTimeoutMs,
    reason: request.reason || 'not provided',
    apiVersion: context.apiVersion,
    clientId: context.clientId,
    clientHost: context.clientHost,
    mayDescribe: mayOf(context, 'describe', 'topic'),
    reply,
  };
}

/** Parks a JoinGroup. One that waited before, from a connection given up, is told to try again. */
export function parkJoin(
  { state, group, decision }: { state: GroupState; group: ClassicGroup; decision: Decision },
  member: ClassicGroupMember,
  reply: Reply<JoinGroupResponse>,
): void {
  const before = group.park(member, reply);
  if (before) {
    const { memberId } = member;
    decision.answer(before, { memberId, errorCode: errorCodes.REBALANCE_IN_PROGRESS });
  }
  decision.ifUndone((errorCode) => {
    // The group itself was not written.
    if (state.groups.get(group.groupId) !== group) reply.fail(errorCode);
  });
}
