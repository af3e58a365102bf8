import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Random } from '../../base/random.ts';
import { errorByCode, errorCodes } from '../../protocol/errors.ts';
import { javaStringHash } from '../javaStringHash.ts';
import type {
  CoordinatorEntry,
  PartitionWriter,
  TopicDirectory,
  TransactionalWrite,
  TransactionEnd,
} from '../ports.ts';
import { type Decision, Reply } from '../runtime/decision.ts';
import { PartitionRuntime } from '../runtime/partitionRuntime.ts';
import { describeConsumerGroup } from './consumer/describeConsumerGroup.ts';
import { consumerGroupHeartbeat } from './consumer/heartbeat.ts';
import { heartbeatRefusal } from './consumer/heartbeatRequest.ts';
import type { GroupConfig } from './groupConfig.ts';
import { describeGroup, listGroups } from './groupQueries.ts';
import { GroupShard } from './groupShard.ts';
import { GroupState } from './groupState.ts';
import { joinOf } from './join.ts';
import { joinGroup } from './joinGroup.ts';
import { heartbeat, leaveGroup, removeMembers } from './memberRequests.ts';
import type * as m from './messages.ts';
import { commitOffsets, commitResponse, commitTopics, hasKnownPartition } from './offsetCommit.ts';
import { deleteGroup, deleteOffsets, expireGroup, forgetTopics } from './offsetDelete.ts';
import {
  committedView,
  fetchError,
  fetchGroup,
  fetchResponse,
  type GroupAnswer,
  type GroupFetch,
  groupError,
  groupFetches,
  stableView,
} from './offsetFetch.ts';
import { syncGroup } from './syncGroup.ts';
import { commitTxnOffsets } from './txnOffsetCommit.ts';

export interface GroupCoordinatorOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly writer: PartitionWriter;
  readonly topics: TopicDirectory;
  readonly config: GroupConfig;
  readonly logger: Logger;
}

/** LeaveGroup and SyncGroup versions from which on fields are there. */
const firstLeaveVersionWithMembers = 3;
const firstSyncVersionWithProtocol = 5;
const firstJoinVersionWithNullProtocol = 7;

/** Versions from which on topics are named by id (KIP-848, KIP-1319). */
const firstCommitVersionWithTopicIds = 10;
const firstTxnCommitVersionWithTopicIds = 6;

/** Groups whose clean-up is under way together. */
const cleanedAtOnce = 1000;

/**
 * Consumer groups and their offsets, for the partitions of `__consumer_offsets` that this broker leads.
 * Requests get their answers as the protocol has them, errors included; promises do not reject.
 * [GroupCoordinatorService]
 */
export class GroupCoordinator implements Disposable {
  readonly #options: GroupCoordinatorOptions;
  readonly #runtimes = new Map<number, PartitionRuntime<GroupShard>>();

  constructor(options: GroupCoordinatorOptions) {
    this.#options = options;
  }

  /** The partition of `__consumer_offsets` that keeps the group, as Kafka's `Utils.abs(groupId.hashCode) % n`. */
  partitionFor(groupId: string): number {
    return javaStringHash(groupId) % this.#options.config.offsetsTopicPartitions;
  }

  /**
   * This broker became leader of a partition: reads it, then serves its groups; meanwhile they are answered
   * COORDINATOR_LOAD_IN_PROGRESS. A call with an epoch that is not newer than the present one is ignored.
   * Rejects if reading fails; the partition may then be loaded again.
   */
  async load(
    partition: number,
    leaderEpoch: number,
    records: AsyncIterable<CoordinatorEntry>,
  ): Promise<void> {
    const present = this.#runtimes.get(partition);
    if (present !== undefined && present.leaderEpoch >= leaderEpoch) return;
    present?.dispose();
    const runtime = this.#makeRuntime(partition, leaderEpoch);
    this.#runtimes.set(partition, runtime);
    try {
      await runtime.load(records);
    } catch (error) {
      runtime.dispose();
      if (this.#runtimes.get(partition) === runtime) this.#runtimes.delete(partition);
      throw error;
    }
  }

  /** This broker leads the partition no more: whoever waits on its groups is told NOT_COORDINATOR. */
  unload(partition: number): void {
    this.#runtimes.get(partition)?.dispose();
    this.#runtimes.delete(partition);
  }

  async joinGroup(
    request: m.JoinGroupRequest,
    context: m.GroupRequestContext,
  ): Promise<m.JoinGroupResponse> {
    const errorCode = this.#joinError(request);
    const response =
      errorCode === errorCodes.NONE
        ? await this.#write<m.JoinGroupResponse>(request.groupId, {
            onError: (code) => ({ memberId: '', errorCode: code }),
            decide: ({ state }, decision, reply) =>
              joinGroup(state, joinOf(request, context, reply), decision),
          })
        : { memberId: request.memberId, errorCode };
    const isNullable = context.apiVersion >= firstJoinVersionWithNullProtocol;
    return { ...response, protocolName: response.protocolName || (isNullable ? null : '') };
  }

  #joinError({ groupId, sessionTimeoutMs }: m.JoinGroupRequest): number {
    const { minSessionTimeoutMs, maxSessionTimeoutMs } = this.#options.config;
    if (groupId === '') return errorCodes.INVALID_GROUP_ID;
    return sessionTimeoutMs < minSessionTimeoutMs || sessionTimeoutMs > maxSessionTimeoutMs
      ? errorCodes.INVALID_SESSION_TIMEOUT
      : errorCodes.NONE;
  }

  async syncGroup(
    request: m.SyncGroupRequest,
    { apiVersion }: m.GroupRequestContext,
  ): Promise<m.SyncGroupResponse> {
    const lacksProtocol = request.protocolType === null || request.protocolName === null;
    if (apiVersion >= firstSyncVersionWithProtocol && lacksProtocol) {
      return { errorCode: errorCodes.INCONSISTENT_GROUP_PROTOCOL };
    }
    if (request.groupId === '') return { errorCode: errorCodes.INVALID_GROUP_ID };
    return this.#write(request.groupId, {
      onError: (errorCode): m.SyncGroupResponse => ({ errorCode }),
      decide: ({ state }, decision, reply) => syncGroup(state, { request, reply }, decision),
    });
  }

  async heartbeat(
    request: m.HeartbeatRequest,
    _context: m.GroupRequestContext,
  ): Promise<m.HeartbeatResponse> {
    if (request.groupId === '') return { errorCode: errorCodes.INVALID_GROUP_ID };
    return this.#write(request.groupId, {
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
    const response = await this.#write(request.groupId, {
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
    return this.#write<m.ConsumerGroupHeartbeatResponse>(request.groupId, {
      onError,
      decide: ({ state }, decision, reply) =>
        decision.answer(reply, consumerGroupHeartbeat(state, { request, context }, decision)),
    });
  }

  consumerGroupDescribe(
    request: m.ConsumerGroupDescribeRequest,
    _context: m.GroupRequestContext,
  ): Promise<m.ConsumerGroupDescribeResponse> {
    const groups = request.groupIds.map((groupId) => {
      const runtime = this.#runtimes.get(this.partitionFor(groupId));
      const errorCode = groupId === '' ? errorCodes.INVALID_GROUP_ID : readRefusal(runtime);
      return runtime === undefined || errorCode !== errorCodes.NONE
        ? { groupId, errorCode }
        : describeConsumerGroup(runtime.shard.state, groupId);
    });
    return Promise.resolve({ groups });
  }

  describeGroups(
    request: m.DescribeGroupsRequest,
    { apiVersion }: m.GroupRequestContext,
  ): Promise<m.DescribeGroupsResponse> {
    const groups = request.groups.map((groupId) => {
      const runtime = this.#runtimes.get(this.partitionFor(groupId));
      const errorCode = readRefusal(runtime);
      return runtime === undefined || errorCode !== errorCodes.NONE
        ? { groupId, errorCode }
        : describeGroup(runtime.shard.state, groupId, apiVersion);
    });
    return Promise.resolve({ groups });
  }

  listGroups(
    request: m.ListGroupsRequest,
    _context: m.GroupRequestContext,
  ): Promise<m.ListGroupsResponse> {
    const runtimes = [...this.#runtimes.values()];
    if (runtimes.some((runtime) => runtime.isLoading)) {
      return Promise.resolve({ errorCode: errorCodes.COORDINATOR_LOAD_IN_PROGRESS });
    }
    const groups = runtimes.flatMap((runtime) => listGroups(runtime.shard.state, request));
    return Promise.resolve({ groups });
  }

  async deleteGroups(
    request: m.DeleteGroupsRequest,
    _context: m.GroupRequestContext,
  ): Promise<m.DeleteGroupsResponse> {
    const results = [...new Set(request.groupsNames)].map(async (groupId) => ({
      groupId,
      errorCode: await this.#write<number>(groupId, {
        onError: (errorCode) => errorCode,
        decide: ({ state }, decision, reply) =>
          decision.answer(reply, deleteGroup(state, groupId, decision)),
      }),
    }));
    return { results: await Promise.all(results) };
  }

  async offsetCommit(
    request: m.OffsetCommitRequest,
    { apiVersion }: m.GroupRequestContext,
  ): Promise<m.OffsetCommitResponse> {
    const usesId = apiVersion >= firstCommitVersionWithTopicIds;
    const topics = commitTopics(request.topics, { usesId }, this.#options.topics);
    if (!hasKnownPartition(topics)) return commitResponse(topics);
    return this.#write(request.groupId, {
      onError: (errorCode) => commitResponse(topics, errorCode),
      decide: ({ state }, decision, reply) =>
        decision.answer(reply, commitOffsets(state, { request, apiVersion, topics }, decision)),
    });
  }

  /**
   * Offsets of a producer's transaction. `verify` asks whether the group's partition is part of the transaction,
   * or makes it so, and answers the error or the guard that the write needs.
   */
  async txnOffsetCommit(
    request: m.TxnOffsetCommitRequest,
    { apiVersion }: m.GroupRequestContext,
    verify: () => Promise<{ errorCode: number; guard?: TransactionalWrite['guard'] }>,
  ): Promise<m.TxnOffsetCommitResponse> {
    const { groupId, producerId, producerEpoch } = request;
    const usesId = apiVersion >= firstTxnCommitVersionWithTopicIds;
    const topics = commitTopics(request.topics, { usesId }, this.#options.topics);
    if (!hasKnownPartition(topics)) return commitResponse(topics);
    if (groupId === '') return commitResponse(topics, errorCodes.INVALID_GROUP_ID);
    const { errorCode, guard } = await verify();
    if (errorCode !== errorCodes.NONE) return commitResponse(topics, errorCode);
    const transaction = { producerId, producerEpoch, guard };
    return this.#write(groupId, {
      onError: (code) => commitResponse(topics, code),
      decide: ({ state }, decision, reply) => {
        const commit = { request, apiVersion, topics, transaction };
        decision.answer(reply, commitTxnOffsets(state, commit, decision));
      },
    });
  }

  async offsetFetch(
    request: m.OffsetFetchRequest,
    { apiVersion }: m.GroupRequestContext,
  ): Promise<m.OffsetFetchResponse> {
    const fetches = groupFetches(request, apiVersion);
    const groups = request.requireStable
      ? await Promise.all(fetches.map((fetch) => this.#fetchLatest(fetch, apiVersion)))
      : fetches.map((fetch) => this.#fetchCommitted(fetch, apiVersion));
    return fetchResponse(groups, apiVersion);
  }

  #fetchCommitted(fetch: GroupFetch, apiVersion: number): GroupAnswer {
    const runtime = this.#runtimes.get(this.partitionFor(fetch.groupId));
    const errorCode = readRefusal(runtime);
    if (runtime === undefined || errorCode !== errorCodes.NONE) {
      return groupError(fetch, errorCode, apiVersion);
    }
    const { state } = runtime.shard;
    const refused = fetchError(state, fetch, 'committed');
    if (refused !== errorCodes.NONE) return groupError(fetch, refused, apiVersion);
    const view = committedView(state);
    return fetchGroup(view, fetch, apiVersion, this.#options.topics);
  }

  /** Stable offsets: all commits so far count, and the answer waits until they are committed. */
  #fetchLatest(fetch: GroupFetch, apiVersion: number): Promise<GroupAnswer> {
    return this.#write(fetch.groupId, {
      // Consumers before 3.9 do not know COORDINATOR_NOT_AVAILABLE here. [handleOffsetFetchException]
      onError: (errorCode) => {
        const isUnavailable = errorCode === errorCodes.COORDINATOR_NOT_AVAILABLE;
        return groupError(
          fetch,
          isUnavailable ? errorCodes.NOT_COORDINATOR : errorCode,
          apiVersion,
        );
      },
      decide: ({ state }, decision, reply) => {
        const { topics } = this.#options;
        const refused = fetchError(state, fetch, 'latest');
        const answer =
          refused === errorCodes.NONE
            ? fetchGroup(stableView(state), fetch, apiVersion, topics)
            : groupError(fetch, refused, apiVersion);
        decision.answer(reply, answer);
      },
    });
  }

  async offsetDelete(
    request: m.OffsetDeleteRequest,
    _context: m.GroupRequestContext,
  ): Promise<m.OffsetDeleteResponse> {
    if (request.groupId === '') return { errorCode: errorCodes.INVALID_GROUP_ID };
    return this.#write(request.groupId, {
      onError: (errorCode): m.OffsetDeleteResponse => ({ errorCode }),
      decide: ({ state }, decision, reply) => {
        const { topics } = this.#options;
        decision.answer(reply, deleteOffsets(state, request, topics, decision));
      },
    });
  }

  /** The end of a transaction, for the offsets that it committed to groups of a partition. */
  completeTransaction(partition: number, marker: TransactionEnd): Promise<number> {
    const reply = new Reply<number>((errorCode) => errorCode);
    const runtime = this.#runtimes.get(partition);
    if (runtime === undefined) reply.fail(errorCodes.NOT_COORDINATOR);
    runtime?.run(
      (_shard, decision) => {
        decision.appendMarker(marker);
        decision.answer(reply, errorCodes.NONE);
      },
      (errorCode) => reply.fail(errorCode),
    );
    return reply.promise;
  }

  /**
   * Topics were made, changed or deleted: the groups that subscribe to them look at them with their next heartbeat,
   * and expressions are matched anew if there are new ones.
   */
  onTopicsChanged(names: readonly string[], hasNew: boolean): void {
    for (const { shard } of this.#runtimes.values()) shard.state.onTopicsChanged(names, hasNew);
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
      if (group !== undefined) expireGroup(state, group, decision);
    });
    for (const { shard } of this.#runtimes.values()) {
      shard.state.offsets.compact();
      shard.state.txnOffsets.compact();
    }
  }

  /**
   * Removes every member of a group, so that a reset of its offsets is accepted. Members that still run
   * rejoin with their next heartbeat. Returns the error code: NONE, GROUP_ID_NOT_FOUND, or why not now.
   */
  removeMembers(groupId: string, reason: string): Promise<number> {
    return this.#write<number>(groupId, {
      onError: (errorCode) => errorCode,
      decide: ({ state }, decision, reply) => {
        const group = state.groups.get(groupId);
        if (group !== undefined) removeMembers(state, group, reason, decision);
        const found = group !== undefined;
        decision.answer(reply, found ? errorCodes.NONE : errorCodes.GROUP_ID_NOT_FOUND);
      },
    });
  }

  dispose(): void {
    for (const partition of [...this.#runtimes.keys()]) this.unload(partition);
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

  /** Lets the group's shard decide on an event; the answer comes when what it decided is committed. */
  #write<T>(groupId: string, event: WriteEvent<T>): Promise<T> {
    const reply = new Reply(event.onError);
    const runtime = this.#runtimes.get(this.partitionFor(groupId));
    if (runtime === undefined) reply.fail(errorCodes.NOT_COORDINATOR);
    else {
      runtime.run(
        (shard, decision) => event.decide(shard, decision, reply),
        (errorCode, message) => reply.fail(errorCode, message),
      );
    }
    return reply.promise;
  }

  /** One decision per group, so that none grows with the number of groups; some at a time. */
  async #forEachGroup(
    decide: (state: GroupState, groupId: string, decision: Decision) => void,
  ): Promise<void> {
    const groupIds = [...this.#runtimes.values()].flatMap(({ shard }) =>
      shard.state.groups.values().map(({ groupId }) => groupId),
    );
    let failedCount = 0;
    for (let start = 0; start < groupIds.length; start += cleanedAtOnce) {
      const writes = groupIds.slice(start, start + cleanedAtOnce).map((groupId) =>
        this.#write<number>(groupId, {
          onError: (errorCode) => errorCode,
          decide: ({ state }, decision, reply) => {
            decide(state, groupId, decision);
            decision.answer(reply, errorCodes.NONE);
          },
        }),
      );
      const results = await Promise.all(writes);
      failedCount += results.filter((errorCode) => errorCode !== errorCodes.NONE).length;
    }
    if (failedCount > 0) this.#options.logger.warn(`${failedCount} groups could not be cleaned`);
  }
}

interface WriteEvent<T> {
  readonly onError: (errorCode: number, message: string | null) => T;
  readonly decide: (shard: GroupShard, decision: Decision, reply: Reply<T>) => void;
}

/** NONE, or why a partition's groups cannot be looked at. */
function readRefusal(runtime: PartitionRuntime<GroupShard> | undefined): number {
  if (runtime === undefined) return errorCodes.NOT_COORDINATOR;
  return runtime.isLoading ? errorCodes.COORDINATOR_LOAD_IN_PROGRESS : errorCodes.NONE;
}
