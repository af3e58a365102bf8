import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Random } from '../../base/random.ts';
import type { Steps } from '../../base/turns.ts';
import type { CoordinatorMarker, CoordinatorRecord, TopicDirectory } from '../ports.ts';
import type {
  DecodedRecord,
  groupRecordTypes,
} from '../../protocol/records/coordinatorRecordCodec.ts';
import { assert } from '../../base/assert.ts';
import type { KeyedTimers } from '../runtime/keyedTimers.ts';
import type { ShardTools } from '../runtime/partitionRuntime.ts';
import { type Timeline, TimelineMap } from '../runtime/timeline.ts';
import { ClassicGroup } from './classicGroup.ts';
import { ClassicGroupMember } from './classicGroupMember.ts';
import { ConsumerGroup } from './consumer/consumerGroup.ts';
import { replayConsumerRecord } from './consumer/consumerReplay.ts';
import { MetadataHashes } from './consumer/metadataHash.ts';
import { copyOf } from './copyOf.ts';
import type { GroupConfig } from './groupConfig.ts';
import { decodedRecord } from './preparedRecords.ts';
import type { GroupMetadataValue } from './groupRecords.ts';
import { type CommittedOffset, OffsetTable } from './offsetTable.ts';
import { TxnOffsetTable } from './txnOffsetTable.ts';

/** A group of either protocol. */
export type Group = ClassicGroup | ConsumerGroup;

type RecordOf<K extends keyof typeof groupRecordTypes> = Extract<
  DecodedRecord<typeof groupRecordTypes>,
  { kind: K }
>;

export interface GroupStateOptions extends ShardTools {
  readonly clock: Clock;
  readonly random: Random;
  readonly config: GroupConfig;
  readonly topics: TopicDirectory;
  readonly logger: Logger;
}

/** The groups of one partition of `__consumer_offsets`, and what deciding about them needs. */
export class GroupState {
  readonly clock: Clock;
  readonly random: Random;
  readonly config: GroupConfig;
  readonly topics: TopicDirectory;
  readonly logger: Logger;
  readonly timers: KeyedTimers;
  readonly groups: TimelineMap<string, Group>;
  readonly offsets: OffsetTable;
  readonly txnOffsets: TxnOffsetTable;
  /** Records replayed so far: of two offsets for a partition the later record counts. */
  #sequence = 0;
  readonly metadataHashes: MetadataHashes;
  /** Of the metadata when it last had a new topic. */
  newTopicsVersion: bigint;
  readonly #timeline: Timeline;
  readonly #consumerGroups = {
    find: (groupId: string) => this.consumerGroup(groupId),
    open: (groupId: string) => this.openConsumerGroup(groupId),
    remove: (groupId: string) => this.#removeConsumerGroup(groupId),
  };

  constructor(options: GroupStateOptions) {
    this.clock = options.clock;
    this.random = options.random;
    this.config = options.config;
    this.topics = options.topics;
    this.logger = options.logger;
    this.timers = options.timers;
    this.groups = new TimelineMap(options.timeline);
    this.offsets = new OffsetTable(options.timeline);
    this.txnOffsets = new TxnOffsetTable(options.timeline);
    this.metadataHashes = new MetadataHashes(options.topics);
    this.newTopicsVersion = options.topics.version();
    this.#timeline = options.timeline;
  }

  /** The group, if it is of the classic protocol. */
  classicGroup(groupId: string): ClassicGroup | undefined {
    const group = this.groups.get(groupId);
    return group?.type === 'classic' ? group : undefined;
  }

  /** The group, if it is of the consumer protocol. */
  consumerGroup(groupId: string): ConsumerGroup | undefined {
    const group = this.groups.get(groupId);
    return group?.type === 'consumer' ? group : undefined;
  }

  /** The consumer group, made if it is not there; nothing but an unrecorded group may be in its place. */
  openConsumerGroup(groupId: string): ConsumerGroup {
    const present = this.groups.get(groupId);
    if (present?.type === 'consumer') return present;
    const isSimple = present === undefined || present.protocolType === null;
    assert(isSimple, `group ${groupId} is not a consumer group`);
    const group = new ConsumerGroup(this.#timeline, groupId);
    this.groups.set(groupId, group);
    return group;
  }

  /** Offsets that it leaves are a group's, as where they are replayed and nothing else is known of it. */
  #removeConsumerGroup(groupId: string): void {
    const count = this.offsets.countOf(groupId) + this.txnOffsets.countOf(groupId);
    this.groups.set(groupId, count > 0 ? simpleGroup(groupId) : undefined);
  }

  *onTopicsChanged(names: readonly string[], hasNew: boolean): Steps<void> {
    if (hasNew) this.newTopicsVersion = this.topics.version();
    for (const name of names) this.metadataHashes.forget(name);
    for (const group of this.groups.values()) {
      yield;
      if (group.type === 'consumer' && names.some((name) => group.isSubscribedTo(name))) {
        group.requestMetadataRefresh();
      }
    }
  }

  /** Applies a record. Those of other releases' record types are skipped. */
  replay(record: CoordinatorRecord): void {
    const decoded = decodedRecord(record);
    this.#sequence++;
    if (decoded === undefined) this.logger.debug('skipped a coordinator record of another type');
    else if (decoded.kind === 'offsetCommit') this.#replayOffset(decoded, record.producerId);
    else if (decoded.kind === 'groupMetadata') this.#replayGroup(decoded);
    else replayConsumerRecord(this.#consumerGroups, decoded);
  }

  /** Applies the end of a transaction: what it committed counts, unless a later record says otherwise. */
  replayMarker({ producerId, isCommit }: CoordinatorMarker): void {
    for (const { groupId, offset, sequence } of this.txnOffsets.take(producerId)) {
      if (isCommit) this.offsets.put(groupId, offset, sequence);
    }
  }

  #replayOffset({ key, value }: RecordOf<'offsetCommit'>, producerId: bigint | undefined): void {
    const { group: groupId, topic, partition } = key;
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

  #replayGroup({ key: { group }, value }: RecordOf<'groupMetadata'>): void {
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
