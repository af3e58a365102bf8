import { beginInSteps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { TopicDirectory, TransactionalWrite, TransactionEnd } from '../ports.ts';
import type { PartitionRuntimes } from '../runtime/partitionRuntimes.ts';
import { mayOf } from './groupAccess.ts';
import type { GroupShard } from './groupShard.ts';
import type * as m from './messages.ts';
import { commitOffsets, commitResponse, commitTopics, hasKnownPartition } from './offsetCommit.ts';
import { deleteOffsets } from './offsetDelete.ts';
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
import { commitTxnOffsets } from './txnOffsetCommit.ts';

/** Versions from which on topics are named by id (KIP-848, KIP-1319). */
const firstCommitVersionWithTopicIds = 10;
const firstTxnCommitVersionWithTopicIds = 6;

/** What is asked of groups' offsets, by members and by people. Promises do not reject. */
export class OffsetRequests {
  readonly #runtimes: PartitionRuntimes<GroupShard>;
  readonly #topics: TopicDirectory;

  constructor(runtimes: PartitionRuntimes<GroupShard>, topics: TopicDirectory) {
    this.#runtimes = runtimes;
    this.#topics = topics;
  }

  async commit(
    request: m.OffsetCommitRequest,
    context: m.GroupRequestContext,
  ): Promise<m.OffsetCommitResponse> {
    const { apiVersion } = context;
    const usesId = apiVersion >= firstCommitVersionWithTopicIds;
    const mayRead = mayOf(context, 'read', 'topic');
    const topics = commitTopics(request.topics, { usesId, mayRead }, this.#topics);
    if (!hasKnownPartition(topics)) return commitResponse(topics);
    return this.#runtimes.write(request.groupId, {
      onError: (errorCode) => commitResponse(topics, errorCode),
      decide: ({ state }, decision, reply) =>
        decision.answer(reply, commitOffsets(state, { request, apiVersion, topics }, decision)),
    });
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
    const { apiVersion } = context;
    const { groupId, producerId, producerEpoch } = request;
    const usesId = apiVersion >= firstTxnCommitVersionWithTopicIds;
    const mayRead = mayOf(context, 'read', 'topic');
    const topics = commitTopics(request.topics, { usesId, mayRead }, this.#topics);
    if (!hasKnownPartition(topics)) return commitResponse(topics);
    if (groupId === '') return commitResponse(topics, errorCodes.INVALID_GROUP_ID);
    const { errorCode, guard } = await verify();
    if (errorCode !== errorCodes.NONE) return commitResponse(topics, errorCode);
    const transaction = { producerId, producerEpoch, guard };
    return this.#runtimes.write(groupId, {
      onError: (code) => commitResponse(topics, code),
      decide: ({ state }, decision, reply) => {
        const commit = { request, apiVersion, topics, transaction };
        decision.answer(reply, commitTxnOffsets(state, commit, decision));
      },
    });
  }

  async fetch(
    request: m.OffsetFetchRequest,
    context: m.GroupRequestContext,
  ): Promise<m.OffsetFetchResponse> {
    const { apiVersion } = context;
    const mayDescribe = mayOf(context, 'describe', 'group');
    const fetches = groupFetches(request, apiVersion, mayOf(context, 'describe', 'topic'));
    const isLatest = request.requireStable;
    const work = beginInSteps(fetches, async (fetch) => {
      if (!mayDescribe(fetch.groupId)) {
        return groupError(fetch, errorCodes.GROUP_AUTHORIZATION_FAILED, apiVersion);
      }
      return isLatest
        ? this.#fetchLatest(fetch, apiVersion)
        : this.#fetchCommitted(fetch, apiVersion);
    });
    const answers = await Promise.all(await context.inTurns(work));
    return fetchResponse(answers, apiVersion);
  }

  #fetchCommitted(fetch: GroupFetch, apiVersion: number): GroupAnswer {
    const failed = (errorCode: number): GroupAnswer => groupError(fetch, errorCode, apiVersion);
    return this.#runtimes.read(fetch.groupId, failed, ({ state }) => {
      const refused = fetchError(state, fetch, 'committed');
      return refused === errorCodes.NONE
        ? fetchGroup(committedView(state), fetch, apiVersion, this.#topics)
        : failed(refused);
    });
  }

  /** Stable offsets: all commits so far count, and the answer waits until they are committed. */
  #fetchLatest(fetch: GroupFetch, apiVersion: number): Promise<GroupAnswer> {
    return this.#runtimes.write(fetch.groupId, {
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
        const refused = fetchError(state, fetch, 'latest');
        const answer =
          refused === errorCodes.NONE
            ? fetchGroup(stableView(state), fetch, apiVersion, this.#topics)
            : groupError(fetch, refused, apiVersion);
        decision.answer(reply, answer);
      },
    });
  }

  async delete(
    request: m.OffsetDeleteRequest,
    context: m.GroupRequestContext,
  ): Promise<m.OffsetDeleteResponse> {
    if (request.groupId === '') return { errorCode: errorCodes.INVALID_GROUP_ID };
    const mayRead = mayOf(context, 'read', 'topic');
    return this.#runtimes.write(request.groupId, {
      onError: (errorCode): m.OffsetDeleteResponse => ({ errorCode }),
      decide: ({ state }, decision, reply) =>
        decision.answer(reply, deleteOffsets(state, { request, mayRead }, this.#topics, decision)),
    });
  }

  /** The end of a transaction, for the offsets that it committed to groups of a partition. */
  completeTransaction(partition: number, marker: TransactionEnd): Promise<number> {
    return this.#runtimes.writeAt<number>(partition, {
      onError: (errorCode) => errorCode,
      decide: (_shard, decision, reply) => {
        decision.appendMarker(marker);
        decision.answer(reply, errorCodes.NONE);
      },
    });
  }
}
