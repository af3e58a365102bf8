import { decodeVersioned } from '../../protocol/messageCodec.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { consumerProtocolAssignment } from '../../protocol/records/consumerProtocol.ts';
import type { KafkaClient } from '../kafkaClient.ts';
import { KafkaError, throwOnError, UnsupportedError } from '../kafkaError.ts';
import { mapBounded } from '../outcome.ts';
import type { TopicPartition } from '../partitionMap.ts';
import type { CallOptions, ResponseOf } from '../request.ts';

export interface ListedGroup {
  readonly groupId: string;
  readonly protocolType: string;
  /** Empty on servers before ListGroups 4. */
  readonly state: string;
  /** `classic` where the server does not say. */
  readonly type: string;
  /** The broker that listed it: its coordinator. */
  readonly coordinator: number;
}

export interface GroupMemberDescription {
  readonly memberId: string;
  readonly groupInstanceId: string | null;
  readonly clientId: string;
  readonly host: string;
  readonly assignment: readonly TopicPartition[];
}

export interface GroupDescription {
  readonly groupId: string;
  /** `Dead` where there is no such group. */
  readonly state: string;
  readonly type: string;
  readonly protocolType: string;
  /** The assignor in use. */
  readonly protocol: string;
  readonly members: readonly GroupMemberDescription[];
  readonly coordinator: number;
}

export interface GroupListing {
  readonly groups: readonly ListedGroup[];
  /** Brokers whose groups could not be listed. */
  readonly failures: readonly { readonly broker: number; readonly error: Error }[];
}

const concurrentBrokers = 8;

/** Every group, asked of every broker, as each lists those it coordinates. Looking creates none. */
export async function listGroups(
  client: KafkaClient,
  options: CallOptions = {},
): Promise<GroupListing> {
  const brokers = await client.brokers(options);
  const failures: { broker: number; error: Error }[] = [];
  const lists = await mapBounded(brokers, concurrentBrokers, async ({ id }) => {
    try {
      return await listGroupsOf(client, id, options);
    } catch (error) {
      if (brokers.length === 1 || options.signal?.aborted) throw error;
      failures.push({ broker: id, error: error as Error });
      return [];
    }
  });
  const groups = lists.flat();
  for (const { groupId, coordinator } of groups) client.rememberCoordinator(groupId, coordinator);
  return { groups, failures };
}

function listGroupsOf(
  client: KafkaClient,
  broker: number,
  options: CallOptions,
): Promise<ListedGroup[]> {
  return client.retry(async (call) => {
    const response = await client.request('listGroups', {}, { to: broker, ...call });
    throwOnError(response.errorCode, { api: 'listGroups' });
    return response.groups.map((group) => ({
      groupId: group.groupId,
      protocolType: group.protocolType,
      state: group.groupState,
      type: group.groupType || 'classic',
      coordinator: broker,
    }));
  }, options);
}

/** One group with its members. Its state is `Dead` where there is no such group. */
export async function describeGroup(
  client: KafkaClient,
  groupId: string,
  options: CallOptions = {},
): Promise<GroupDescription> {
  return client.retry(async (call) => {
    const coordinator = await client.coordinator(groupId, call);
    // KIP-848 groups read as Dead or not found to DescribeGroups: they have an API of their own.
    const modern = await describeConsumerGroup(client, { groupId, coordinator }, call);
    return modern ?? describeClassicGroup(client, { groupId, coordinator }, call);
  }, options);
}

interface LocatedGroup {
  readonly groupId: string;
  readonly coordinator: number;
}

async function describeClassicGroup(
  client: KafkaClient,
  { groupId, coordinator }: LocatedGroup,
  call: CallOptions,
): Promise<GroupDescription> {
  const body = { groups: [groupId] };
  const response = await client.request('describeGroups', body, { to: coordinator, ...call });
  const [group] = response.groups;
  // From version 6 on, a group that does not exist is an error; before, it is Dead. [KIP-1043]
  const isMissing = !group || group.errorCode === errorCodes.GROUP_ID_NOT_FOUND;
  if (isMissing) return deadGroup({ groupId, coordinator });
  const { errorCode, errorMessage: detail } = group;
  throwOnError(errorCode, { api: 'describeGroups', group: groupId, detail });
  return {
    groupId,
    coordinator,
    state: group.groupState,
    type: 'classic',
    protocolType: group.protocolType,
    protocol: group.protocolData,
    members: group.members.map((member) => ({
      memberId: member.memberId,
      groupInstanceId: member.groupInstanceId,
      clientId: member.clientId,
      host: member.clientHost,
      assignment: readAssignment(member.memberAssignment),
    })),
  };
}

function deadGroup({ groupId, coordinator }: LocatedGroup): GroupDescription {
  const none = { type: 'classic', protocolType: '', protocol: '', members: [] };
  return { groupId, coordinator, state: 'Dead', ...none };
}

/** Undefined: it is not a KIP-848 group, or the server has none of those. */
async function describeConsumerGroup(
  client: KafkaClient,
  { groupId, coordinator }: LocatedGroup,
  call: CallOptions,
): Promise<GroupDescription | undefined> {
  let response: ResponseOf<'consumerGroupDescribe'>;
  try {
    const body = { groupIds: [groupId] };
    response = await client.request('consumerGroupDescribe', body, { to: coordinator, ...call });
  } catch (error) {
    if (error instanceof UnsupportedError) return undefined;
    throw error;
  }
  const [group] = response.groups;
  if (!group || isOtherKind(group.errorCode)) return undefined;
  const { errorCode, errorMessage: detail } = group;
  throwOnError(errorCode, { api: 'consumerGroupDescribe', group: groupId, detail });
  return {
    groupId,
    coordinator,
    state: group.groupState,
    type: 'consumer',
    protocolType: 'consumer',
    protocol: group.assignorName,
    members: group.members.map((member) => ({
      memberId: member.memberId,
      groupInstanceId: member.instanceId,
      clientId: member.clientId,
      host: member.clientHost,
      assignment: member.assignment.topicPartitions.flatMap(({ topicName: topic, partitions }) =>
        partitions.map((partition) => ({ topic, partition })),
      ),
    })),
  };
}

function isOtherKind(errorCode: number): boolean {
  return (
    errorCode === errorCodes.GROUP_ID_NOT_FOUND || errorCode === errorCodes.UNSUPPORTED_VERSION
  );
}

/** What a classic member was assigned, if its protocol is Kafka's consumer protocol; else nothing. */
function readAssignment(bytes: Uint8Array): TopicPartition[] {
  if (bytes.length === 0) return [];
  try {
    const { message } = decodeVersioned(consumerProtocolAssignment, bytes);
    return message.assignedPartitions.flatMap(({ topic, partitions }) =>
      partitions.map((partition) => ({ topic, partition })),
    );
  } catch {
    // Kafka Connect and others put their own bytes here; they say nothing of partitions.
    return [];
  }
}

/** Deletes a group with its offsets. Throws NON_EMPTY_GROUP, GROUP_ID_NOT_FOUND, ... */
export async function deleteGroup(
  client: KafkaClient,
  groupId: string,
  options: CallOptions = {},
): Promise<void> {
  await client.retry(async (call) => {
    const coordinator = await client.coordinator(groupId, call);
    const body = { groupsNames: [groupId] };
    const to = { to: coordinator, isRepeatable: false, ...call };
    const { results } = await client.request('deleteGroups', body, to);
    for (const { errorCode, errorMessage: detail } of results) {
      if (errorCode === errorCodes.NONE) continue;
      throw new KafkaError(errorCode, { api: 'deleteGroups', group: groupId, detail });
    }
  }, options);
  client.forgetCoordinator(groupId);
}
