import { assert } from '../../../base/assert.ts';
import type {
  DecodedRecord,
  groupRecordTypes,
} from '../../../protocol/records/coordinatorRecordCodec.ts';
import { copyOf } from '../copyOf.ts';
import { assignmentOf, noPartitions } from './assignment.ts';
import { type ConsumerGroup, noTargetEpoch } from './consumerGroup.ts';
import {
  type ConsumerGroupMember,
  leaveEpoch,
  memberStateOf,
  newConsumerGroupMember,
  sameNames,
} from './consumerGroupMember.ts';
import { ownedOf } from './consumerRecords.ts';

type AnyRecord = DecodedRecord<typeof groupRecordTypes>;
export type ConsumerRecord = Exclude<AnyRecord, { kind: 'offsetCommit' | 'groupMetadata' }>;
type RecordOf<K extends ConsumerRecord['kind']> = Extract<ConsumerRecord, { kind: K }>;

/** Where replay finds groups: `open` makes one that is not there yet. */
export interface ConsumerGroups {
  find(groupId: string): ConsumerGroup | undefined;
  open(groupId: string): ConsumerGroup;
  remove(groupId: string): void;
}

/**
 * Applies a record of a consumer group. A tombstone for what is not there, as a compacted log has, is skipped.
 * [GroupMetadataManager.replay]
 */
export function replayConsumerRecord(groups: ConsumerGroups, record: ConsumerRecord): void {
  const { groupId } = record.key;
  const group = record.value === null ? groups.find(groupId) : groups.open(groupId);
  if (group === undefined) return;
  switch (record.kind) {
    case 'consumerGroup':
      replayEpoch(groups, group, record);
      break;
    case 'consumerPartitionMetadata':
      group.hasPartitionMetadata.set(record.value !== null);
      break;
    case 'consumerMember':
      replayMember(group, record);
      break;
    case 'consumerTarget':
      replayTargetEpoch(group, record);
      break;
    case 'consumerTargetMember':
      group.targets.set(
        record.key.memberId,
        record.value === null ? undefined : assignmentOf(record.value.topicPartitions),
      );
      break;
    case 'consumerCurrent':
      replayCurrent(group, record);
      break;
    case 'consumerRegex':
      replayRegex(group, record);
      break;
  }
}

function replayEpoch(
  groups: ConsumerGroups,
  group: ConsumerGroup,
  { value }: RecordOf<'consumerGroup'>,
): void {
  if (value !== null) {
    group.epoch.set(value);
    return;
  }
  assert(group.isEmpty, `group ${group.groupId} is deleted with members left`);
  assert(group.targets.size === 0, `group ${group.groupId} is deleted with targets left`);
  groups.remove(group.groupId);
}

function replayMember(group: ConsumerGroup, { key, value }: RecordOf<'consumerMember'>): void {
  const before = group.members.get(key.memberId);
  if (value !== null) {
    const names = new Set(value.subscribedTopicNames);
    const known = before ?? newConsumerGroupMember(key.memberId);
    const isSame = sameNames(known.subscribedTopicNames, names);
    group.setMember(key.memberId, {
      ...known,
      instanceId: value.instanceId,
      rackId: value.rackId,
      clientId: value.clientId,
      clientHost: value.clientHost,
      subscribedTopicNames: isSame ? known.subscribedTopicNames : names,
      subscribedTopicRegex: value.subscribedTopicRegex ?? '',
      rebalanceTimeoutMs: value.rebalanceTimeoutMs,
      serverAssignor: value.serverAssignor,
      classic: value.classicMemberMetadata && {
        sessionTimeoutMs: value.classicMemberMetadata.sessionTimeoutMs,
        supportedProtocols: value.classicMemberMetadata.supportedProtocols.map(
          ({ name, metadata }) => ({ name, metadata: copyOf(metadata) }),
        ),
      },
    });
  } else if (before !== undefined) {
    assert(
      before.memberEpoch === leaveEpoch,
      `member ${key.memberId} goes while it owns partitions`,
    );
    group.setMember(key.memberId, undefined);
  }
}

function replayTargetEpoch(group: ConsumerGroup, { value }: RecordOf<'consumerTarget'>): void {
  group.target.set(
    value === null
      ? noTargetEpoch
      : { epoch: value.assignmentEpoch, timestampMs: Number(value.assignmentTimestamp) },
  );
}

function replayCurrent(group: ConsumerGroup, { key, value }: RecordOf<'consumerCurrent'>): void {
  const before = group.members.get(key.memberId);
  if (value === null) {
    if (before !== undefined) group.setMember(key.memberId, withoutPartitions(before));
    return;
  }
  group.setMember(key.memberId, {
    ...(before ?? newConsumerGroupMember(key.memberId)),
    memberEpoch: value.memberEpoch,
    previousMemberEpoch: value.previousMemberEpoch,
    state: memberStateOf(value.state),
    assigned: ownedOf(value.assignedPartitions, value.memberEpoch),
    pendingRevocation: ownedOf(value.partitionsPendingRevocation, value.memberEpoch),
  });
}

function withoutPartitions(member: ConsumerGroupMember): ConsumerGroupMember {
  return {
    ...member,
    memberEpoch: leaveEpoch,
    previousMemberEpoch: leaveEpoch,
    assigned: noPartitions,
    pendingRevocation: noPartitions,
  };
}

function replayRegex(group: ConsumerGroup, { key, value }: RecordOf<'consumerRegex'>): void {
  group.resolve(
    key.regularExpression,
    value === null
      ? undefined
      : {
          topics: new Set(value.topics),
          version: value.version,
          timestampMs: Number(value.timestamp),
        },
  );
}
