import type { Clock } from '../../base/clock.ts';
import { isSteps, type Steps, workOnEach } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { isOfNobody } from '../../protocol/records/recordBatch.ts';
import {
  type PartitionWriter,
  type TopicDirectory,
  type TransactionalWrite,
  type TransactionEnd,
  unknownTransactionVersion,
} from '../ports.ts';
import type { PartitionRuntimes } from '../runtime/partitionRuntimes.ts';
import { mayOf } from './groupAccess.ts';
import type { GroupConfig } from './groupConfig.ts';
import type { GroupShard } from './groupShard.ts';
import type { GroupState } from './groupState.ts';
import type * as m from './messages.ts';
import {
  commitOffsets,
  type CommitPlan,
  commitRecords,
  commitResponse,
  planCommit,
} from './offsetCommit.ts';
import { type Deleted, deleteOffsets, deleteResponse, planDelete } from './offsetDelete.ts';
import {
  committedView,
  fetchError,
  fetchGroup,
  fetchResponse,
  type GroupAnswer,
  type FetchOptions,
  type GroupFetch,
  groupError,
  groupFetches,
  stableView,
} from './offsetFetch.ts';
import { commitTxnOffsets } from './txnOffsetCommit.ts';

/** Versions from which on topics are named by id (KIP-848, KIP-1319). */
const firstCommitVersionWithTopicIds = 10;
const firstTxnCommitVersionWithTopicIds = 6;

interface OffsetRequestsOptions {
  readonly clock: Clock;
  readonly topics: TopicDirectory;
  readonly writer: PartitionWriter;
  readonly config: GroupConfig;
}

type Read = GroupAnswer | Steps<GroupAnswer> | number;

const same = (errorCode: number): number => errorCode;

/** What is asked of groups' offsets, by members and by people. Promises do not reject. */
export class OffsetRequests {
  readonly #runtimes: PartitionRuntimes<GroupShard>;
  readonly #clock: Clock;
  readonly #topics: TopicDirectory;
  readonly #writer: PartitionWriter;
  readonly #config: GroupConfig;

  constructor(
    runtimes: PartitionRuntimes<GroupShard>,
    { clock, topics, writer, config }: OffsetRequestsOptions,
  ) {
    this.#runtimes = runtimes;
    this.#clock = clock;
    this.#topics = topics;
    this.#writer = writer;
    this.#config = config;
  }

  async commit(
    request: m.OffsetCommitRequest,
    context: m.GroupRequestContext,
  ): Promise<m.OffsetCommitResponse> {
    const { apiVersion, inTurns } = context;
    const { groupId } = request;
    const usesId = apiVersion >= firstCommitVersionWithTopicIds;
    const recordOf = commitRecords(request, this.#clock);
    const plan = await inTurns(this.#planCommit(request, { usesId, recordOf }, context));
    if (plan.topics.length === 0) return inTurns(commitResponse(plan));
    const errorCode = await this.#runtimes.write<number>(groupId, {
      onError: same,
      decide: ({ state }, decision, reply) => {
        const commit = { request, apiVersion, plan };
        decision.answer(reply, commitOffsets(state, commit, decision));
      },
    });
    return inTurns(commitResponse(plan, errorCode));
  }

  /**
   * Offsets of a producer's transaction. `verify` asks whether the group's partition is part of the transaction,
   * or makes it so, and answers the error or the guard that the write needs.
   */
  async commitInTransaction(
    request: m.TxnOffsetCommitRequest,
    context: m.GroupRequestContext,
    verify: () => Promise<{ errorCode: number; guard?: TransactionalWrite['guard'] }>,
  ): Promise<m.TxnOffsetCommitResponse> {
    const { apiVersion, inTurns } = context;
    const { groupId, producerId, producerEpoch } = request;
    const usesId = apiVersion >= firstTxnCommitVersionWithTopicIds;
    const record = commitRecords({ groupId, retentionTimeMs: -1n }, this.#clock);
    const recordOf: typeof record = (place, requested) => ({
      ...record(place, requested),
      producerId,
    });
    const plan = await inTurns(this.#planCommit(request, { usesId, recordOf }, context));
    const answer = (errorCode?: number) => inTurns(commitResponse(plan, errorCode));
    if (plan.topics.length === 0) return answer();
    if (groupId === '') return answer(errorCodes.INVALID_GROUP_ID);
    const { errorCode, guard } = await verify();
    if (errorCode !== errorCodes.NONE) return answer(errorCode);
    const transaction = { producerId, producerEpoch, guard };
    const decided = await this.#runtimes.write<number>(groupId, {
      onError: same,
      decide: ({ state }, decision, reply) => {
        const commit = { request, apiVersion, plan, transaction };
        decision.answer(reply, commitTxnOffsets(state, commit, decision));
      },
    });
    return answer(decided);
  }

  #planCommit(
    { groupId, topics }: Pick<m.OffsetCommitRequest, 'groupId' | 'topics'>,
    how: { readonly usesId: boolean; readonly recordOf: ReturnType<typeof commitRecords> },
    context: m.GroupRequestContext,
  ): Steps<CommitPlan> {
    const mayRead = mayOf(context, 'read', 'topic');
    const maxMetadataLength = this.#config.maxOffsetMetadataBytes;
    const maxBytes = this.#writer.maxBatchBytes(this.#runtimes.partitionFor(groupId));
    const options = { groupId, mayRead, maxMetadataLength, maxBytes, ...how };
    return planCommit(topics, options, this.#topics);
  }

  async fetch(
    request: m.OffsetFetchRequest,
    context: m.GroupRequestContext,
  ): Promise<m.OffsetFetchResponse> {
    const { apiVersion } = context;
    const mayDescribe = mayOf(context, 'describe', 'group');
    const fetches = groupFetches(request, apiVersion, mayOf(context, 'describe', 'topic'));
    const isLatest = request.requireStable;
    const answer = async (fetch: GroupFetch): Promise<GroupAnswer> => {
      if (!mayDescribe(fetch.groupId)) {
        return groupError(fetch, errorCodes.GROUP_AUTHORIZATION_FAILED, apiVersion);
      }
      const options = { apiVersion, directory: this.#topics };
      const read = isLatest
        ? await this.#readLatest(fetch, options)
        : this.#readCommitted(fetch, options);
      if (typeof read === 'number') return groupError(fetch, read, apiVersion);
      return isSteps(read) ? context.inTurns(read) : read;
    };
    return fetchResponse(await workOnEach(fetches, answer, context.inTurns), apiVersion);
  }

  /** The answer, or the error. */
  #readCommitted(fetch: GroupFetch, options: FetchOptions): Read {
    return this.#runtimes.read<Read>(fetch.groupId, same, ({ state }) => {
      const refused = fetchError(state, fetch, 'committed');
      return refused === errorCodes.NONE
        ? fetchGroup(committedView(state), fetch, options)
        : refused;
    });
  }

  /** Stable offsets: all commits so far count, and the answer waits until they are committed. */
  #readLatest(fetch: GroupFetch, options: FetchOptions): Promise<Read> {
    return this.#runtimes.write<Read>(fetch.groupId, {
      // Consumers before 3.9 do not know COORDINATOR_NOT_AVAILABLE here. [handleOffsetFetchException]
      onError: (errorCode) =>
        errorCode === errorCodes.COORDINATOR_NOT_AVAILABLE ? errorCodes.NOT_COORDINATOR : errorCode,
      decide: ({ state }, decision, reply) => {
        const refused = fetchError(state, fetch, 'latest');
        const read =
          refused === errorCodes.NONE ? fetchGroup(stableView(state), fetch, options) : refused;
        decision.answer(reply, read);
      },
    });
  }

  async delete(
    request: m.OffsetDeleteRequest,
    context: m.GroupRequestContext,
  ): Promise<m.OffsetDeleteResponse> {
    const { groupId } = request;
    if (groupId === '') return { errorCode: errorCodes.INVALID_GROUP_ID };
    const { inTurns } = context;
    const mayRead = mayOf(context, 'read', 'topic');
    const maxBytes = this.#writer.maxBatchBytes(this.#runtimes.partitionFor(groupId));
    const state = this.#runtimes.read<GroupState | undefined>(
      groupId,
      () => undefined,
      (shard) => shard.state,
    );
    const planning = { state, maxBytes, mayRead, directory: this.#topics };
    const plan = await inTurns(planDelete(request, planning));
    const deleted = await this.#runtimes.write<Deleted>(groupId, {
      onError: (errorCode) => ({ errorCode, subscribed: new Set() }),
      decide: ({ state }, decision, reply) =>
        decision.answer(reply, deleteOffsets(state, { groupId, plan, maxBytes }, decision)),
    });
    return inTurns(deleteResponse(request, { mayRead, plan, deleted }));
  }

  /** The end of a transaction, for the offsets that it committed to groups of a partition. */
  completeTransaction(partition: number, marker: TransactionEnd): Promise<number> {
    return this.#runtimes.writeAt<number>(partition, {
      onError: (errorCode) => errorCode,
      decide: (_shard, decision, reply) => {
        const isImpossible =
          isOfNobody(marker) || marker.transactionVersion === unknownTransactionVersion;
        if (!isImpossible) decision.appendMarker(marker);
        decision.answer(reply, errorCodes[isImpossible ? 'UNKNOWN_SERVER_ERROR' : 'NONE']);
      },
    });
  }
}
