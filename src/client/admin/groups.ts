import { errorCodes } from '../../protocol/errors.ts';
import {
  consumerProtocolAssignment,
  decodeConsumerProtocol,
} from '../../protocol/records/consumerProtocol.ts';
import { type GroupBatch, type GroupRef, perCoordinator } from '../coordinatorRouting.ts';
import type { KafkaClient } from '../kafkaClient.ts';
import { KafkaError, throwOnError, UnsupportedError } from '../kafkaError.ts';
import { mapBounded, type Outcome, valueOf } from '../outcome.ts';
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
  const deadline = client.deadline(options);
  const brokers = await client.brokers(options);
  const rest = { ...options, timeoutMs: deadline.remainingMs };
  const failures: { broker: number; error: Error }[] = [];
  const lists = await mapBounded(brokers, concurrentBrokers, async ({ id }) => {
    try {
      return await listGroupsOf(client, id, rest);
    } catch (error) {
      if (brokers.length === 1 || options.signal?.aborted) throw error;
      failures.push({ broker: id, error: error as Error });
      return [];
    }
  });
  const groups = lists.flat();
  for (const { groupId, coordinator } of groups) client.coordinators.remember(groupId, coordinator);
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

/**
 * A group to describe, with its type where that is known: a kind of group that has an API of its own is asked for
 * there.
 */
export interface GroupToDescribe extends GroupRef {
  readonly type?: string;
}

/** One response stays small, however many members the groups have. */
const groupsInOneRequest = 100;

/** One group with its members. Its state is `Dead` where there is no such group. */
export async function describeGroup(
  client: KafkaClient,
  groupId: string,
  options: CallOptions = {},
): Promise<GroupDescription> {
  return client.retry(async (call) => {
    const outcome = (await describeGroups(client, [{ groupId }], call)).get(groupId);
    return outcome ? valueOf(outcome) : deadGroup(groupId, -1);
  }, options);
}

/** Groups with their members, many in a request. A group that fails is an error beside the rest. */
export function describeGroups(
  client: KafkaClient,
  groups: readonly GroupToDescribe[],
  options: CallOptions = {},
): Promise<Map<string, Outcome<GroupDescription>>> {
  return perCoordinator(client, groups, (batch, call) => describeBatch(client, batch, call), {
    ...options,
    groupsInOneRequest,
  });
}

type DescribedBatch = GroupBatch<GroupToDescribe>;

async function describeBatch(
  client: KafkaClient,
  { coordinator, batch }: DescribedBatch,
  call: CallOptions,
): Promise<Map<string, Outcome<GroupDescription>>> {
  // KIP-848 groups read as Dead or not found to DescribeGroups: they have an API of their own.
  const perhapsModern = batch.filter(({ type }) => type !== 'classic');
  const modern = await describeConsumerGroups(client, { coordinator, batch: perhapsModern }, call);
  const others = batch.filter(({ groupId }) => !modern.has(groupId));
  const classic = await describeClassicGroups(client, { coordinator, batch: others }, call);
  return new Map([...modern, ...classic]);
}

async function describeClassicGroups(
  client: KafkaClient,
  { coordinator, batch }: DescribedBatch,
  call: CallOptions,
): Promise<Map<string, Outcome<GroupDescription>>> {
  if (batch.length === 0) return new Map();
  const body = { groups: batch.map(({ groupId }) => groupId) };
  const { groups } = await client.request('describeGroups', body, { to: coordinator, ...call });
  const answered = new Map(groups.map((group) => [group.groupId, group]));
  return new Map(
    batch.map(({ groupId }) => [
      groupId,
      readClassicGroup(answered.get(groupId), { groupId, coordinator }),
    ]),
  );
}

interface LocatedGroup extends GroupRef {
  readonly coordinator: number;
}

function readClassicGroup(
  group: ResponseOf<'describeGroups'>['groups'][number] | undefined,
  { groupId, coordinator }: LocatedGroup,
): Outcome<GroupDescription> {
  // From version 6 on, a group that does not exist is an error; before, it is Dead. [KIP-1043]
  const isMissing = !group || group.errorCode === errorCodes.GROUP_ID_NOT_FOUND;
  if (isMissing) return { value: deadGroup(groupId, coordinator) };
  const { errorCode, errorMessage: detail } = group;
  if (errorCode !== errorCodes.NONE) {
    return { error: new KafkaError(errorCode, { api: 'describeGroups', group: groupId, detail }) };
  }
  return {
    value: {
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
    },
  };
}

function deadGroup(groupId: string, coordinator: number): GroupDescription {
  const none = { type: 'classic', protocolType: '', protocol: '', members: [] };
  return { groupId, coordinator, state: 'Dead', ...none };
}

/** Those of the batch that are KIP-848 groups; none where the server has no such groups. */
async function describeConsumerGroups(
  client: KafkaClient,
  { coordinator, batch }: DescribedBatch,
  call: CallOptions,
): Promise<Map<string, Outcome<GroupDescription>>> {
  if (batch.length === 0) return new Map();
  let response: ResponseOf<'consumerGroupDescribe'>;
  try {
    const body = { groupIds: batch.map(({ groupId }) => groupId) };
    response = await client.request('consumerGroupDescribe', body, { to: coordinator, ...call });
  } catch (error) {
    if (error instanceof UnsupportedError) return new Map();
    throw error;
  }
  const modern = response.groups.filter(({ errorCode }) => !isOtherKind(errorCode));
  return new Map(modern.map((group) => [group.groupId, readConsumerGroup(group, coordinator)]));
}

function readConsumerGroup(
  group: ResponseOf<'consumerGroupDescribe'>['groups'][number],
  coordinator: number,
): Outcome<GroupDescription> {
  const { groupId, errorCode, errorMessage: detail } = group;
  if (errorCode !== errorCodes.NONE) {
    const context = { api: 'consumerGroupDescribe', group: groupId, detail } as const;
    return { error: new KafkaError(errorCode, context) };
  }
  return {
    value: {
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
    },
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
    const { message } = decodeConsumerProtocol(consumerProtocolAssignment, bytes);
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
  const deleteOnce = async (call: CallOptions): Promise<void> => {
    const coordinator = await client.coordinators.ofOne(groupId, call);
    const body = { groupsNames: [groupId] };
    const to = { to: coordinator, isRepeatable: false, ...call };
    const { results } = await client.request('deleteGroups', body, to);
    for (const { errorCode, errorMessage: detail } of results) {
      throwOnError(errorCode, { api: 'deleteGroups', group: groupId, detail });
    }
  };
  await client.retry(deleteOnce, { ...options, isRepeatable: false });
  client.coordinators.forget(groupId);
}
