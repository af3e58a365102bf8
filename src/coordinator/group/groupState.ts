import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Random } from '../../base/random.ts';
import type { CoordinatorMarker, CoordinatorRecord } from '../ports.ts';
import type { KeyedTimers } from '../runtime/keyedTimers.ts';
import type { ShardTools } from '../runtime/partitionRuntime.ts';
import { TimelineMap } from '../runtime/timeline.ts';
import { ClassicGroup } from './classicGroup.ts';
import { ClassicGroupMember } from './classicGroupMember.ts';
import type { GroupConfig } from './groupConfig.ts';
import { decodeGroupRecord, type GroupMetadataValue, type GroupRecord } from './groupRecords.ts';
import { type CommittedOffset, OffsetTable } from './offsetTable.ts';
import { TxnOffsetTable } from './txnOffsetTable.ts';

/** Groups of all types; only classic ones so far. */
export type Group = ClassicGroup;

export interface GroupStateOptions extends ShardTools {
  readonly clock: Clock;
  readonly random: Random;
  readonly config: GroupConfig;
  readonly logger: Logger;
}

/** The groups of one partition of `__consumer_offsets`, and what deciding about them needs. */
export class GroupState {
  readonly clock: Clock;
  readonly random: Random;
  readonly config: GroupConfig;
  readonly logger: Logger;
  readonly timers: KeyedTimers;
  readonly groups: TimelineMap<string, Group>;
  readonly offsets: OffsetTable;
  readonly txnOffsets: TxnOffsetTable;
  /** Records replayed so far: of two offsets for a partition the later record counts. */
  #sequence = 0;

  constructor(options: GroupStateOptions) {
    this.clock = options.clock;
    this.random = options.random;
    this.config = options.config;
    this.logger = options.logger;
    this.timers = options.timers;
    this.groups = new TimelineMap(options.timeline);
    this.offsets = new OffsetTable(options.timeline);
    this.txnOffsets = new TxnOffsetTable(options.timeline);
  }

  /** Applies a record. Those of other releases' record types are skipped. */
  replay(record: CoordinatorRecord): void {
    const decoded = decodeGroupRecord(record);
    this.#sequence++;
    if (decoded.type === 'offsetCommit') this.#replayOffset(decoded, record.producerId);
    else if (decoded.type === 'groupMetadata') this.#replayGroup(decoded);
    else this.logger.debug(`skipped a coordinator record of type ${decoded.recordType}`);
  }

  /** Applies the end of a transaction: what it committed counts, unless a later record says otherwise. */
  replayMarker({ producerId, isCommit }: CoordinatorMarker): void {
    for (const { groupId, offset, sequence } of this.txnOffsets.take(producerId)) {
      if (isCommit) this.offsets.put(groupId, offset, sequence);
    }
  }

  #replayOffset(
    record: GroupRecord & { type: 'offsetCommit' },
    producerId: bigint | undefined,
  ): void {
    const { group: groupId, topic, partition, value } = record;
    if (value === null) {
      this.offsets.remove(groupId, topic, partition);
      this.txnOffsets.remove(groupId, topic, partition);
      return;
    }
    if (this.groups.get(groupId) === undefined) this.groups.set(groupId, simpleGroup(groupId));
    const offset: CommittedOffset = {
      topic,
      partition,
      topicId: value.topicId,
      offset: value.offset,
      leaderEpoch: value.leaderEpoch,
      metadata: value.metadata,
      commitTimestampMs: value.commitTimestamp,
      expireTimestampMs: value.expireTimestamp === -1n ? null : value.expireTimestamp,
    };
    const sequence = this.#sequence;
    if (producerId === undefined) this.offsets.put(groupId, offset, sequence);
    else this.txnOffsets.put(producerId, { groupId, offset, sequence });
  }

  #replayGroup({ group, value }: GroupRecord & { type: 'groupMetadata' }): void {
    this.groups.set(group, value === null ? undefined : classicGroupOf(group, value));
  }
}

/** A group that commits offsets without members. It has no record of its own. */
function simpleGroup(groupId: string): ClassicGroup {
  return new ClassicGroup({
    groupId,
    state: 'Empty',
    generationId: 0,
    protocolType: null,
    protocolName: null,
    leaderId: null,
    stateTimestampMs: null,
    members: [],
  });
}

function classicGroupOf(groupId: string, value: GroupMetadataValue): ClassicGroup {
  const members = value.members.map(
    (member) =>
      new ClassicGroupMember({
        memberId: member.memberId,
        groupInstanceId: member.groupInstanceId,
        clientId: member.clientId,
        clientHost: member.clientHost,
        rebalanceTimeoutMs:
          member.rebalanceTimeout === -1 ? member.sessionTimeout : member.rebalanceTimeout,
        sessionTimeoutMs: member.sessionTimeout,
        protocolType: value.protocolType,
        protocols: [{ name: value.protocol ?? '', metadata: copyOf(member.subscription) }],
        assignment: copyOf(member.assignment),
      }),
  );
  return new ClassicGroup({
    groupId,
    state: members.length > 0 ? 'Stable' : 'Empty',
    generationId: value.generation,
    protocolType: value.protocolType || null,
    protocolName: value.protocol,
    leaderId: value.leader,
    stateTimestampMs: value.currentStateTimestamp === -1n ? null : value.currentStateTimestamp,
    members,
  });
}

/** Decoded bytes are views of a buffer that will be used again. */
export function copyOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
