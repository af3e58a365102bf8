// Requests of members of classic groups.
import { encodeVersioned } from '../../../src/protocol/messageCodec.ts';
import { consumerProtocolAssignment } from '../../../src/protocol/records/consumerProtocol.ts';
import type { RequestInput } from '../../wire/broker/support/rawClient.ts';
import type { Run, Topic } from './run.ts';

/** The subscription of a consumer: version 0, the topics, no user data. [ConsumerProtocolSubscription] */
export function subscription(...topics: string[]): Buffer {
  const names = topics.map((topic) => {
    const name = Buffer.from(topic);
    const length = Buffer.alloc(2);
    length.writeInt16BE(name.length);
    return Buffer.concat([length, name]);
  });
  const head = Buffer.alloc(6);
  head.writeInt32BE(topics.length, 2);
  return Buffer.concat([head, ...names, Buffer.from([0xff, 0xff, 0xff, 0xff])]);
}

export interface Member {
  readonly groupId: string;
  readonly memberId: string;
  readonly generationId: number;
}

export interface JoinOptions {
  readonly memberId?: string;
  readonly topics?: readonly string[];
  readonly sessionTimeoutMs?: number;
  readonly rebalanceTimeoutMs?: number;
  readonly protocolType?: string;
  readonly protocols?: readonly string[];
  readonly groupInstanceId?: string;
  /** In place of a subscription to topics. */
  readonly metadata?: Buffer;
}

export function joinOf(
  groupId: string,
  version: number,
  options: JoinOptions = {},
): RequestInput<'joinGroup'> {
  const { memberId = '', topics = ['t'], sessionTimeoutMs = 30_000 } = options;
  const { protocolType = 'consumer', protocols = ['range'], groupInstanceId } = options;
  const { metadata = subscription(...topics) } = options;
  return {
    groupId,
    sessionTimeoutMs,
    ...(version >= 1 && { rebalanceTimeoutMs: options.rebalanceTimeoutMs ?? 60_000 }),
    memberId,
    ...(version >= 5 && groupInstanceId !== undefined && { groupInstanceId }),
    protocolType,
    protocols: protocols.map((name) => ({ name, metadata })),
  };
}

/** Joins as the only member, with the second request that versions from 4 on need; all is compared. */
export async function joinAlone(
  run: Run,
  groupId: string,
  version: number,
  options: JoinOptions = {},
): Promise<Member> {
  let joined = await run.ask('joinGroup', version, joinOf(groupId, version, options));
  if (joined.errorCode !== 0 && joined.memberId !== '') {
    const again = { ...options, memberId: joined.memberId };
    joined = await run.ask('joinGroup', version, joinOf(groupId, version, again));
  }
  return { groupId, memberId: joined.memberId, generationId: joined.generationId };
}

export const syncOf = (
  { groupId, memberId, generationId }: Member,
  version: number,
  assigned: readonly string[] = [memberId],
): RequestInput<'syncGroup'> => ({
  groupId,
  memberId,
  generationId,
  ...(version >= 5 && { protocolType: 'consumer', protocolName: 'range' }),
  assignments: assigned.map((each) => ({ memberId: each, assignment: Buffer.from('all') })),
});

/** What a leader gives a consumer. [ConsumerProtocolAssignment] */
export const assigned = (topic: Topic, partitions: number[]): Buffer =>
  encodeVersioned(consumerProtocolAssignment, 0, {
    assignedPartitions: [{ topic: topic.name, partitions }],
    userData: null,
  });

/** A group of one member in Stable. */
export async function stable(run: Run, options: JoinOptions = {}): Promise<Member> {
  const member = await joinAlone(run, run.fresh('group'), 9, options);
  await run.ask('syncGroup', 5, syncOf(member, 5));
  return member;
}

export const leaveOf = (
  { groupId, memberId }: Omit<Member, 'generationId'>,
  version: number,
): RequestInput<'leaveGroup'> =>
  version < 3 ? { groupId, memberId } : { groupId, members: [{ memberId }] };

export const commitOf = (
  groupId: string,
  version: number,
  topic: { name: string; id: string },
  more: {
    memberId?: string;
    generation?: number;
    groupInstanceId?: string;
    partition?: number;
    offset?: bigint;
    metadata?: string | null;
    leaderEpoch?: number;
  } = {},
): RequestInput<'offsetCommit'> => ({
  groupId,
  memberId: more.memberId ?? '',
  generationIdOrMemberEpoch: more.generation ?? -1,
  ...(version >= 7 &&
    more.groupInstanceId !== undefined && { groupInstanceId: more.groupInstanceId }),
  topics: [
    {
      ...(version >= 10 ? { topicId: topic.id } : { name: topic.name }),
      partitions: [
        {
          partitionIndex: more.partition ?? 0,
          committedOffset: more.offset ?? 5n,
          ...(version >= 6 && { committedLeaderEpoch: more.leaderEpoch ?? -1 }),
          committedMetadata: more.metadata === undefined ? 'note' : more.metadata,
        },
      ],
    },
  ],
});

export function offsetsOf(
  groupId: string,
  version: number,
  topic: { name: string; id: string } | null,
  partitionIndexes: readonly number[] = [0],
): RequestInput<'offsetFetch'> {
  if (version < 8)
    return {
      groupId,
      topics: topic && [{ name: topic.name, partitionIndexes: [...partitionIndexes] }],
    };
  const named = topic && (version >= 10 ? { topicId: topic.id } : { name: topic.name });
  return {
    groups: [{ groupId, topics: named && [{ ...named, partitionIndexes: [...partitionIndexes] }] }],
  };
}
