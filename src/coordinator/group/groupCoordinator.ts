import type { Clock } from '../../base/clock.ts';
import { inTurns, mapInSteps, setInSteps, workOnEach } from '../../base/turns.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Random } from '../../base/random.ts';
import { errorByCode, errorCodes } from '../../protocol/errors.ts';
import type { CoordinatorEntry, PartitionWriter, TopicDirectory } from '../ports.ts';
import type { Decision } from '../runtime/decision.ts';
import { PartitionRuntime } from '../runtime/partitionRuntime.ts';
import { PartitionRuntimes } from '../runtime/partitionRuntimes.ts';
import { sweep } from '../runtime/sweep.ts';
import {
  describeConsumerGroup,
  type DescribedConsumerGroup,
} from './consumer/describeConsumerGroup.ts';
import { consumerGroupHeartbeat, nameSet } from './consumer/heartbeat.ts';
import { heartbeatRefusal } from './consumer/heartbeatRequest.ts';
import type { GroupConfig } from './groupConfig.ts';
import { deleteGroup, planGroupDelete } from './groupDelete.ts';
import { describeGroup, type DescribedGroup, listGroups } from './groupQueries.ts';
import { GroupShard } from './groupShard.ts';
import { GroupState } from './groupState.ts';
import { joinOf } from './join.ts';
import { joinGroup } from './joinGroup.ts';
import { heartbeat, leaveGroup, removeMembers } from './memberRequests.ts';
import type * as m from './messages.ts';
import { expireGroup, forgetTopics } from './offsetDelete.ts';
import { OffsetRequests } from './offsetRequests.ts';
import { assignmentsOf, lacksProtocol, syncGroup } from './syncGroup.ts';

export interface GroupCoordinatorOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly writer: PartitionWriter;
  readonly topics: TopicDirectory;
  readonly config: GroupConfig;
  readonly logger: Logger;
}

interface RemovedMembers {
  readonly errorCode: number;
  readonly removed: number;
}

const firstLeaveVersionWithMembers = 3;
const firstJoinVersionWithNullProtocol = 7;
/** Protocols of a member: its group keeps them, and Kafka has no bound. Clients have a handful. */
const maxProtocols = 1000;
const noAssignments: ReadonlyMap<string, Uint8Array> = new Map();

/** Answers whether that was all there is to decide on the group. */
type DecideOnGroup = (state: GroupState, groupId: string, decision: Decision) => boolean;

/**
 * Consumer groups and their offsets, for the partitions of `__consumer_offsets` that this broker leads.
 * Requests get their answers as the protocol has them, errors included; promises do not reject.
 * [GroupCoordinatorService]
 */
export class GroupCoordinator implements Disposable {
  readonly #options: GroupCoordinatorOptions;
  readonly offsets: OffsetRequests;
  readonly #runtimes: PartitionRuntimes<GroupShard>;

  constructor(options: GroupCoordinatorOptions) {
    this.#options = options;
    this.#runtimes = new PartitionRuntimes({
      partitionCount: options.config.offsetsTopicPartitions,
      makeRuntime: (partition, leaderEpoch) => this.#makeRuntime(partition, leaderEpoch),
    });
    this.offsets = new OffsetRequests(this.#runtimes, options);
  }

  /** The partition of `__consumer_offsets` that keeps the group. */
  partitionFor(groupId: string): number {
    return this.#runtimes.partitionFor(groupId);
  }

  /** This broker became leader of a partition. */
  load(
    partition: number,
    leaderEpoch: number,
    records: AsyncIterable<CoordinatorEntry>,
  ): Promise<void> {
    return this.#runtimes.load(partition, leaderEpoch, records);
  }

  /** This broker leads the partition no more. */
  unload(partition: number): void {
    this.#runtimes.unload(partition);
  }

  async joinGroup(
    request: m.JoinGroupRequest,
    context: m.GroupRequestContext,
  ): Promise<m.JoinGroupResponse> {
    const errorCode = this.#joinError(request);
    const response =
      errorCode === errorCodes.NONE
        ? await this.#runtimes.write<m.JoinGroupResponse>(request.groupId, {
            onError: (code) => ({ memberId: '', errorCode: code }),
            decide: ({ state }, decision, reply) =>
              joinGroup(state, joinOf(request, context, reply), decision),
          })
        : { memberId: request.memberId, errorCode };
    const isNullable = context.apiVersion >= firstJoinVersionWithNullProtocol;
    return { ...response, protocolName: response.protocolName || (isNullable ? null : '') };
  }

  #joinError({ groupId, sessionTimeoutMs, protocols }: m.JoinGroupRequest): number {
    const { minSessionTimeoutMs, maxSessionTimeoutMs } = this.#options.config;
    if (groupId === '') return errorCodes.INVALID_GROUP_ID;
    if (protocols.length > maxProtocols) return errorCodes.INCONSISTENT_GROUP_PROTOCOL;
    return sessionTimeoutMs < minSessionTimeoutMs || sessionTimeoutMs > maxSessionTimeoutMs
      ? errorCodes.INVALID_SESSION_TIMEOUT
      : errorCodes.NONE;
  }

  async syncGroup(
    request: m.SyncGroupRequest,
    { apiVersion, inTurns: run }: m.GroupRequestContext,
  ): Promise<m.SyncGroupResponse> {
    if (lacksProtocol(request, apiVersion)) {
      return { errorCode: errorCodes.INCONSISTENT_GROUP_PROTOCOL };
    }
    if (request.groupId === '') return { errorCode: errorCodes.INVALID_GROUP_ID };
    const assignments =
      request.assignments.length > 0 ? await run(assignmentsOf(request)) : noAssignments;
    return this.#runtimes.write(request.groupId, {
      onError: (errorCode): m.SyncGroupResponse => ({ errorCode }),
      decide: ({ state }, decision, reply) =>
        syncGroup(state, { request, assignments, reply }, decision),
    });
  }

  async heartbeat(
    request: m.HeartbeatRequest,
    _context: m.GroupRequestContext,
  ): Promise<m.HeartbeatResponse> {
    if (request.groupId === '') return { errorCode: errorCodes.INVALID_GROUP_ID };
    return this.#runtimes.write(request.groupId, {
      // While the group loads its members are left in peace.
      onError: (errorCode): m.HeartbeatResponse => ({
        errorCode:
          errorCode === errorCodes.COORDINATOR_LOAD_IN_PROGRESS ? errorCodes.NONE : errorCode,
      }),
      decide: ({ state }, decision, reply) =>
        decision.answer(reply, { errorCode: heartbeat(state, request) }),
    });
  }

  async leaveGroup(
    request: m.LeaveGroupRequest,
    { apiVersion }: m.GroupRequestContext,
  ): Promise<m.LeaveGroupResponse> {
    if (request.groupId === '') return { errorCode: errorCodes.INVALID_GROUP_ID };
    const isBatch = apiVersion >= firstLeaveVersionWithMembers;
    const leaving = isBatch
      ? request.members
      : [{ memberId: request.memberId, groupInstanceId: null, reason: null }];
    const response = await this.#runtimes.write(request.groupId, {
      onError: (errorCode): m.LeaveGroupResponse => ({ errorCode }),
      decide: ({ state }, decision, reply) =>
        decision.answer(reply, leaveGroup(state, request.groupId, leaving, decision)),
    });
    if (isBatch) return response;
    return { errorCode: response.errorCode || (response.members?.[0]?.errorCode ?? 0) };
  }

  async consumerGroupHeartbeat(
    request: m.ConsumerGroupHeartbeatRequest,
    context: m.GroupRequestContext,
  ): Promise<m.ConsumerGroupHeartbeatResponse> {
    const onError = (errorCode: number, errorMessage: string | null) => ({
      errorCode,
      errorMessage: errorMessage ?? errorByCode(errorCode).description,
    });
    const refused = heartbeatRefusal(
      request,
      context.apiVersion,
      this.#options.config.consumer.assignors,
    );
    if (refused) return onError(refused.errorCode, refused.message);
    const { groupId, subscribedTopicNames } = request;
    const names = subscribedTopicNames && (await context.inTurns(nameSet(subscribedTopicNames)));
    const maxBytes = this.#options.writer.maxBatchBytes(this.partitionFor(groupId));
    const isTooLarge = names !== null && names.leastBytes > maxBytes;
    const heartbeat = { request, context, names: names?.names ?? null, isTooLarge };
    return this.#runtimes.write<m.ConsumerGroupHeartbeatResponse>(groupId, {
      onError,
      decide: ({ state }, decision, reply) =>
        decision.answer(reply, consumerGroupHeartbeat(state, heartbeat, decision)),
    });
  }

  async consumerGroupDescribe(
    request: m.ConsumerGroupDescribeRequest,
    { inTurns }: m.GroupRequestContext,
  ): Promise<m.ConsumerGroupDescribeResponse> {
    const work = mapInSteps(request.groupIds, (groupId) => {
      if (groupId === '') return { groupId, errorCode: errorCodes.INVALID_GROUP_ID };
      return this.#runtimes.read<DescribedConsumerGroup>(
        groupId,
        (errorCode) => ({ groupId, errorCode }),
        ({ state }) => describeConsumerGroup(state, groupId),
      );
    });
    return { groups: await inTurns(work) };
  }

  async describeGroups(
    request: m.DescribeGroupsRequest,
    { apiVersion, inTurns }: m.GroupRequestContext,
  ): Promise<m.DescribeGroupsResponse> {
    const work = mapInSteps(request.groups, (groupId) =>
      this.#runtimes.read<DescribedGroup>(
        groupId,
        (errorCode) => ({ groupId, errorCode }),
        ({ state }) => describeGroup(state, groupId, apiVersion),
      ),
    );
    return { groups: await inTurns(work) };
  }

  async listGroups(
    request: m.ListGroupsRequest,
    { inTurns }: m.GroupRequestContext,
  ): Promise<m.ListGroupsResponse> {
    if (this.#runtimes.isAnyLoading) {
      return { errorCode: errorCodes.COORDINATOR_LOAD_IN_PROGRESS };
    }
    const { shards } = this.#runtimes;
    const groups = await Promise.all(
      shards.map(({ state }) => inTurns(listGroups(state, request))),
    );
    return { groups: groups.flat() };
  }

  async deleteGroups(
    request: m.DeleteGroupsRequest,
    { inTurns }: m.GroupRequestContext,
  ): Promise<m.DeleteGroupsResponse> {
    const deleteOne = async (groupId: string) => {
      const maxBytes = this.#options.writer.maxBatchBytes(this.partitionFor(groupId));
      const plan = this.#runtimes.read(
        groupId,
        () => undefined,
        ({ state }) => planGroupDelete(state, groupId, maxBytes),
      );
      const tombstones = plan && (await inTurns(plan));
      const errorCode = await this.#runtimes.write<number>(groupId, {
        onError: (code) => code,
        decide: ({ state }, decision, reply) =>
          decision.answer(reply, deleteGroup(state, { groupId, tombstones, maxBytes }, decision)),
      });
      return { groupId, errorCode };
    };
    const groupIds = await inTurns(setInSteps(request.groupsNames));
    return { results: await workOnEach(groupIds, deleteOne, inTurns) };
  }

  /**
   * Topics were made, changed or deleted: the groups that subscribe to them look at them with their next heartbeat,
   * and expressions are matched anew if there are new ones.
   */
  async onTopicsChanged(names: readonly string[], hasNew: boolean): Promise<void> {
    const { shards } = this.#runtimes;
    await Promise.all(shards.map(({ state }) => inTurns(state.onTopicsChanged(names, hasNew))));
  }

  /** Topics are gone: their offsets go too, as tombstones. */
  async onTopicsDeleted(names: readonly string[]): Promise<void> {
    const topics = new Set(names);
    await this.#forEachGroup((state, groupId, decision) =>
      forgetTopics(state, groupId, topics, decision),
    );
  }

  /**
   * Drops expired offsets, and groups without members that have none left. For the owner to call on a timer
   * (Kafka: every `offsets.retention.check.interval.ms`, 10 minutes).
   */
  async cleanExpired(): Promise<void> {
    await this.#forEachGroup((state, groupId, decision) => {
      const group = state.groups.get(groupId);
      return group === undefined || expireGroup(state, group, decision);
    });
    for (const { state } of this.#runtimes.shards) {
      state.offsets.compact();
      state.txnOffsets.compact();
    }
  }

  /**
   * Removes every member of a group, so that a reset of its offsets is accepted. Members that still run
   * rejoin with their next heartbeat. Returns the error code: NONE, GROUP_ID_NOT_FOUND, or why not now.
   */
  removeMembers(groupId: string, reason: string): Promise<RemovedMembers> {
    return this.#runtimes.write<RemovedMembers>(groupId, {
      onError: (errorCode) => ({ errorCode, removed: 0 }),
      decide: ({ state }, decision, reply) => {
        const group = state.groups.get(groupId);
        const removed = group ? removeMembers(state, group, reason, decision) : 0;
        const errorCode = group ? errorCodes.NONE : errorCodes.GROUP_ID_NOT_FOUND;
        decision.answer(reply, { errorCode, removed });
      },
    });
  }

  dispose(): void {
    this.#runtimes.dispose();
  }

  #makeRuntime(partition: number, leaderEpoch: number): PartitionRuntime<GroupShard> {
    const { clock, random, writer, topics, config, logger } = this.#options;
    return new PartitionRuntime({
      partition,
      leaderEpoch,
      clock,
      writer,
      logger,
      writeTimeoutMs: config.offsetsCommitTimeoutMs,
      makeShard: (tools) =>
        new GroupShard(new GroupState({ ...tools, clock, random, config, topics, logger })),
    });
  }

  /** Decisions of each group by itself, until it has nothing left to decide, so that none grows with the number of groups. */
  async #forEachGroup(decide: DecideOnGroup): Promise<void> {
    const groupIds = this.#runtimes.shards.flatMap(({ state }) =>
      state.groups.values().map(({ groupId }) => groupId),
    );
    const failedCount = await sweep(groupIds, (groupId) => this.#decideOn(groupId, decide));
    if (failedCount > 0) this.#options.logger.warn(`${failedCount} groups could not be cleaned`);
  }

  /** The error code of what could not be written. */
  async #decideOn(groupId: string, decide: DecideOnGroup): Promise<number> {
    const deciding = { isDone: false };
    let errorCode: number = errorCodes.NONE;
    while (!deciding.isDone && errorCode === errorCodes.NONE) {
      errorCode = await this.#runtimes.write<number>(groupId, {
        onError: (code) => code,
        decide: ({ state }, decision, reply) => {
          deciding.isDone = decide(state, groupId, decision);
          decision.answer(reply, errorCodes.NONE);
        },
      });
    }
    return errorCode;
  }
}
