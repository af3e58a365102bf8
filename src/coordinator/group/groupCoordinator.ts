import type { Clock } from '../../base/clock.ts';
import { inTurns } from '../../base/turns.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Random } from '../../base/random.ts';
import { errorByCode, errorCodes } from '../../protocol/errors.ts';
import type { CoordinatorEntry, PartitionWriter, TopicDirectory } from '../ports.ts';
import { PartitionRuntime } from '../runtime/partitionRuntime.ts';
import { PartitionRuntimes } from '../runtime/partitionRuntimes.ts';
import { consumerGroupHeartbeat, nameSet } from './consumer/heartbeat.ts';
import { heartbeatRefusal } from './consumer/heartbeatRequest.ts';
import { deleteGroups } from './deleteGroups.ts';
import type { GroupConfig } from './groupConfig.ts';
import { GroupReports } from './groupReports.ts';
import { GroupShard } from './groupShard.ts';
import { GroupState } from './groupState.ts';
import { GroupSweeps } from './groupSweeps.ts';
import { joinError, joinOf } from './join.ts';
import { joinGroup } from './joinGroup.ts';
import { heartbeat, leaveGroup, removeMembers } from './memberRequests.ts';
import type * as m from './messages.ts';
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
const noAssignments: ReadonlyMap<string, Uint8Array> = new Map();

/**
 * Consumer groups and their offsets, for the partitions of `__consumer_offsets` that this broker leads.
 * Requests get their answers as the protocol has them, errors included; promises do not reject.
 * [GroupCoordinatorService]
 */
export class GroupCoordinator implements Disposable {
  readonly #options: GroupCoordinatorOptions;
  readonly offsets: OffsetRequests;
  readonly reports: GroupReports;
  readonly #runtimes: PartitionRuntimes<GroupShard>;
  readonly #sweeps: GroupSweeps;

  constructor(options: GroupCoordinatorOptions) {
    this.#options = options;
    this.#runtimes = new PartitionRuntimes({
      partitionCount: options.config.offsetsTopicPartitions,
      makeRuntime: (partition, leaderEpoch) => this.#makeRuntime(partition, leaderEpoch),
    });
    this.offsets = new OffsetRequests(this.#runtimes, options);
    this.reports = new GroupReports(this.#runtimes);
    this.#sweeps = new GroupSweeps(this.#runtimes, options.logger);
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
    const errorCode = joinError(request, this.#options.config);
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

  deleteGroups(
    request: m.DeleteGroupsRequest,
    { inTurns: run }: m.GroupRequestContext,
  ): Promise<m.DeleteGroupsResponse> {
    const { writer } = this.#options;
    return deleteGroups(request, { runtimes: this.#runtimes, writer, inTurns: run });
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
  onTopicsDeleted(names: readonly string[]): Promise<void> {
    return this.#sweeps.forgetTopics(names);
  }

  /**
   * Drops expired offsets, and groups without members that have none left. For the owner to call on a timer
   * (Kafka: every `offsets.retention.check.interval.ms`, 10 minutes).
   */
  cleanExpired(): Promise<void> {
    return this.#sweeps.expire();
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
}
