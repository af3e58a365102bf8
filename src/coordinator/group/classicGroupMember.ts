import type { Reply } from '../runtime/decision.ts';
import type { JoinGroupResponse, SyncGroupResponse } from './messages.ts';

/** A way to assign partitions that a member knows, with what it tells the leader. */
export interface MemberProtocol {
  readonly name: string;
  readonly metadata: Uint8Array;
}

/** What a member may bring anew when it joins again. */
export interface MemberUpdate {
  /** In the member's order of preference. */
  readonly protocols: readonly MemberProtocol[];
  readonly rebalanceTimeoutMs: number;
  readonly sessionTimeoutMs: number;
}

export interface ClassicGroupMemberOptions extends MemberUpdate {
  readonly memberId: string;
  /** Set for static members (KIP-345). */
  readonly groupInstanceId: string | null;
  readonly clientId: string;
  readonly clientHost: string;
  readonly protocolType: string;
  readonly assignment: Uint8Array;
}

export const noAssignment = new Uint8Array(0);

/** A member of a classic group. [ClassicGroupMember] */
export class ClassicGroupMember {
  readonly memberId: string;
  readonly groupInstanceId: string | null;
  readonly clientId: string;
  readonly clientHost: string;
  readonly protocolType: string;
  rebalanceTimeoutMs: number;
  sessionTimeoutMs: number;
  protocols: readonly MemberProtocol[];
  assignment: Uint8Array;
  /** The JoinGroup that waits for the others to join; the group sets it. */
  awaitingJoin: Reply<JoinGroupResponse> | null = null;
  /** The SyncGroup that waits for the leader's assignment. */
  awaitingSync: Reply<SyncGroupResponse> | null = null;
  /** Has not got its first JoinGroup response yet, so it knows no member id and cannot send heartbeats. */
  isNew = false;

  constructor(options: ClassicGroupMemberOptions) {
    this.memberId = options.memberId;
    this.groupInstanceId = options.groupInstanceId;
    this.clientId = options.clientId;
    this.clientHost = options.clientHost;
    this.protocolType = options.protocolType;
    this.rebalanceTimeoutMs = options.rebalanceTimeoutMs;
    this.sessionTimeoutMs = options.sessionTimeoutMs;
    this.protocols = options.protocols;
    this.assignment = options.assignment;
  }

  get isStatic(): boolean {
    return this.groupInstanceId !== null;
  }

  /** Whoever waits on the group is excused from heartbeats, except a new member, which may be gone. */
  get isExcusedFromHeartbeat(): boolean {
    return !this.isNew && (this.awaitingJoin !== null || this.awaitingSync !== null);
  }

  /** The same member under another id, waiting for nothing. */
  withMemberId(memberId: string): ClassicGroupMember {
    return new ClassicGroupMember({
      memberId,
      groupInstanceId: this.groupInstanceId,
      clientId: this.clientId,
      clientHost: this.clientHost,
      rebalanceTimeoutMs: this.rebalanceTimeoutMs,
      sessionTimeoutMs: this.sessionTimeoutMs,
      protocolType: this.protocolType,
      protocols: this.protocols,
      assignment: this.assignment,
    });
  }

  /** For the group, which counts its members' protocols. */
  update({ protocols, rebalanceTimeoutMs, sessionTimeoutMs }: MemberUpdate): void {
    this.protocols = protocols;
    this.rebalanceTimeoutMs = rebalanceTimeoutMs;
    this.sessionTimeoutMs = sessionTimeoutMs;
  }

  metadata(protocolName: string | null): Uint8Array | undefined {
    return this.protocols.find(({ name }) => name === protocolName)?.metadata;
  }

  /** The same protocols in the same order with the same metadata. */
  matches(protocols: readonly MemberProtocol[]): boolean {
    return (
      protocols.length === this.protocols.length &&
      protocols.every((protocol, index) => {
        const own = this.protocols[index];
        return own?.name === protocol.name && Buffer.compare(own.metadata, protocol.metadata) === 0;
      })
    );
  }
}
