import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { mapInSteps, type Steps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { describeTransactionsResponse } from '../../protocol/messages/describeTransactions.ts';
import { noProducerEpoch, noProducerId } from '../../protocol/records/recordBatch.ts';
import type { MessageInput } from '../../protocol/schema.ts';
import type { CoordinatorEntry, PartitionWriter } from '../ports.ts';
import { PartitionRuntime } from '../runtime/partitionRuntime.ts';
import { PartitionRuntimes } from '../runtime/partitionRuntimes.ts';
import { sweep } from '../runtime/sweep.ts';
import { type AddPartitions, addPartitions, verifyPartitions } from './addPartitions.ts';
import { type EndTransaction, endTransaction, identityAfter } from './endTransaction.ts';
import {
  fenced,
  type InitProducerId,
  initProducerId,
  type Outcome,
  type ProducerIdAndEpoch,
  type Surroundings,
} from './initProducerId.ts';
import { MarkerChannel } from './markerChannel.ts';
import type { MarkerPort } from './markerPort.ts';
import { SpareProducerIds } from './spareProducerIds.ts';
import type { TransactionConfig } from './transactionConfig.ts';
import {
  describeTransaction,
  listTransactions,
  type ListTransactionsRequest,
  type ListTransactionsResponse,
} from './transactionQueries.ts';
import { TransactionShard } from './transactionShard.ts';
import { canExpire, type Transaction } from './transactionState.ts';

export interface TransactionCoordinatorOptions {
  readonly clock: Clock;
  readonly writer: PartitionWriter;
  readonly markers: MarkerPort;
  /** Gives a producer id that no producer has had. */
  readonly takeProducerId: () => Promise<bigint>;
  /** The level of the cluster's feature transaction.version. */
  readonly transactionVersion: () => number;
  readonly config: TransactionConfig;
  readonly logger: Logger;
}

export interface ProducerAnswer extends ProducerIdAndEpoch {
  readonly errorCode: number;
}

type Described = NonNullable<
  MessageInput<typeof describeTransactionsResponse>['transactionStates']
>[number];

/**
 * Transactional ids and their transactions, for the partitions of `__transaction_state` that this broker leads.
 * Answers carry Kafka's error codes; promises do not reject. [TransactionCoordinator]
 */
export class TransactionCoordinator implements Disposable {
  readonly #options: TransactionCoordinatorOptions;
  readonly #runtimes: PartitionRuntimes<TransactionShard>;
  readonly #channel: MarkerChannel;
  readonly #producerIds: SpareProducerIds;

  constructor(options: TransactionCoordinatorOptions) {
    this.#options = options;
    const { markers: port, clock, logger } = options;
    this.#channel = new MarkerChannel({ port, clock, logger });
    this.#producerIds = new SpareProducerIds(options.takeProducerId);
    this.#runtimes = new PartitionRuntimes({
      partitionCount: options.config.topicPartitions,
      makeRuntime: (partition, leaderEpoch) => this.#makeRuntime(partition, leaderEpoch),
    });
  }

  /** The partition of `__transaction_state` that keeps the id. */
  partitionFor(transactionalId: string): number {
    return this.#runtimes.partitionFor(transactionalId);
  }

  /** This broker became leader of a partition: once it is read, what was decided goes on. */
  load(
    partition: number,
    leaderEpoch: number,
    entries: AsyncIterable<CoordinatorEntry>,
  ): Promise<void> {
    return this.#runtimes.load(partition, leaderEpoch, entries);
  }

  /** This broker leads the partition no more. */
  unload(partition: number): void {
    this.#runtimes.unload(partition);
  }

  async initProducerId(request: InitProducerId): Promise<ProducerAnswer> {
    const { transactionalId, timeoutMs } = request;
    if (transactionalId === '') return refused(errorCodes.INVALID_REQUEST);
    if (timeoutMs <= 0 || timeoutMs > this.#options.config.maxTimeoutMs) {
      return refused(errorCodes.INVALID_TRANSACTION_TIMEOUT);
    }
    return this.#decide(transactionalId, {
      onError: refused,
      outcome: (present, surroundings) => initProducerId(present, request, surroundings),
      answer: ({ errorCode }, next) => {
        if (next === undefined) return refused(errorCode);
        return next.state === 'Empty'
          ? { errorCode, producerId: next.producerId, producerEpoch: next.producerEpoch }
          : refused(errorCodes.CONCURRENT_TRANSACTIONS);
      },
    });
  }

  /** Makes partitions part of a transaction; answers the error code. */
  async addPartitions(
    request: AddPartitions & { readonly clientTransactionVersion: number },
  ): Promise<number> {
    if (request.transactionalId === '') return errorCodes.INVALID_REQUEST;
    return this.#decide<number>(request.transactionalId, {
      onError: (errorCode) => errorCode,
      outcome: (present, surroundings) => addPartitions(present, request, surroundings),
      answer: ({ errorCode }) => errorCode,
    });
  }

  /** Whether partitions are part of a transaction: an error code for each. */
  verifyPartitions(request: AddPartitions): Steps<readonly number[]> {
    const { transactionalId, partitions } = request;
    const failed = (errorCode: number) => mapInSteps(partitions, () => errorCode);
    if (transactionalId === '') return failed(errorCodes.INVALID_REQUEST);
    return this.#runtimes.read<Steps<readonly number[]>>(transactionalId, failed, ({ table }) =>
      verifyPartitions(table.getCommitted(transactionalId), request),
    );
  }

  /** Commits or aborts; answered once that is decided for good, before the markers are written. */
  async endTransaction(request: EndTransaction): Promise<ProducerAnswer> {
    if (request.transactionalId === '') return refused(errorCodes.INVALID_REQUEST);
    return this.#decide(request.transactionalId, {
      onError: refused,
      outcome: (present, surroundings) => endTransaction(present, request, surroundings),
      answer: ({ errorCode }, next, present) => {
        const known = next ?? present;
        if (known === undefined || errorCode !== errorCodes.NONE) return refused(errorCode);
        return { errorCode, ...identityAfter(known, request) };
      },
    });
  }

  describeTransaction(transactionalId: string): Described {
    if (transactionalId === '') return { transactionalId, errorCode: errorCodes.INVALID_REQUEST };
    const failed = (errorCode: number): Described => ({ transactionalId, errorCode });
    return this.#runtimes.read(transactionalId, failed, (shard) => {
      const transaction = shard.table.getCommitted(transactionalId);
      if (transaction === undefined) return failed(errorCodes.TRANSACTIONAL_ID_NOT_FOUND);
      return describeTransaction({ ...transaction, partitions: shard.unfinishedOf(transaction) });
    });
  }

  *listTransactions(request: ListTransactionsRequest): Steps<ListTransactionsResponse> {
    if (this.#runtimes.isAnyLoading) {
      return { errorCode: errorCodes.COORDINATOR_LOAD_IN_PROGRESS };
    }
    const transactions = this.#runtimes.shards.flatMap(({ table }) => table.allCommitted());
    return yield* listTransactions(transactions, request, this.#nowMs);
  }

  /** Aborts transactions that have been open for longer than their producers said; answers how many. */
  abortTimedOut(): Promise<number> {
    return this.#sweep(
      (transaction) => this.#hasTimedOut(transaction),
      ({ transactionalId }) =>
        this.#decide<number>(transactionalId, {
          onError: (errorCode) => errorCode,
          outcome: (present, surroundings) => ({
            errorCode: errorCodes.NONE,
            ...(present && this.#hasTimedOut(present) && { next: fenced(present, surroundings) }),
          }),
          answer: ({ errorCode }) => errorCode,
        }),
    );
  }

  /** Forgets transactional ids that nobody has used for transactional.id.expiration.ms; answers how many. */
  removeExpired(): Promise<number> {
    return this.#sweep(
      (transaction) => this.#hasExpired(transaction),
      ({ transactionalId }) =>
        this.#runtimes.write<number>(transactionalId, {
          onError: (errorCode) => errorCode,
          decide: ({ table }, decision, reply) => {
            const present = table.get(transactionalId);
            if (present && this.#hasExpired(present)) table.forget(transactionalId, decision);
            decision.answer(reply, errorCodes.NONE);
          },
        }),
    );
  }

  dispose(): void {
    this.#runtimes.dispose();
    this.#channel.dispose();
  }

  get #nowMs(): bigint {
    return BigInt(Math.floor(this.#options.clock.nowMs()));
  }

  #hasTimedOut({ state, startTimestampMs, timeoutMs }: Transaction): boolean {
    return state === 'Ongoing' && startTimestampMs + BigInt(timeoutMs) < this.#nowMs;
  }

  #hasExpired(transaction: Transaction): boolean {
    const ageMs = this.#nowMs - transaction.lastUpdateTimestampMs;
    return (
      canExpire(transaction) && ageMs >= BigInt(this.#options.config.transactionalIdExpirationMs)
    );
  }

  #makeRuntime(partition: number, leaderEpoch: number): PartitionRuntime<TransactionShard> {
    const { clock, writer, config, logger, transactionVersion } = this.#options;
    const runtime = new PartitionRuntime<TransactionShard>({
      partition,
      leaderEpoch,
      clock,
      writer,
      logger,
      writeTimeoutMs: config.writeTimeoutMs,
      makeShard: (tools) =>
        new TransactionShard({
          ...tools,
          clock,
          logger,
          coordinatorEpoch: leaderEpoch,
          channel: this.#channel,
          transactionVersion,
          run: (decide, refuse) => runtime.run((_shard, decision) => decide(decision), refuse),
        }),
    });
    return runtime;
  }

  /** Decides what a transactional id is from now on; the answer comes when that is committed. */
  async #decide<T>(transactionalId: string, request: TransactionRequest<T>): Promise<T> {
    const ids = await this.#producerIds.reserve();
    if (ids === undefined) return request.onError(errorCodes.COORDINATOR_NOT_AVAILABLE);
    const answer = this.#runtimes.write<T>(transactionalId, {
      onError: request.onError,
      decide: (shard, decision, reply) => {
        const present = shard.table.get(transactionalId);
        const surroundings = {
          nowMs: this.#nowMs,
          newProducerId: ids.take,
          transactionVersion: this.#options.transactionVersion(),
        };
        const outcome = request.outcome(present, surroundings);
        const next = 'next' in outcome ? outcome.next : undefined;
        if (next !== undefined) shard.put(next, decision);
        decision.answer(reply, request.answer(outcome, next, present));
      },
    });
    ids.giveBack();
    return answer;
  }

  async #sweep(
    isDue: (transaction: Transaction) => boolean,
    act: (transaction: Transaction) => Promise<number>,
  ): Promise<number> {
    const due = this.#runtimes.shards.flatMap(({ table }) => table.all().filter(isDue));
    const failedCount = await sweep(due, act);
    const what = `${failedCount} of ${due.length} transactional ids could not be swept`;
    if (failedCount > 0) this.#options.logger.warn(what);
    return due.length - failedCount;
  }
}

interface TransactionRequest<T> {
  readonly onError: (errorCode: number) => T;
  readonly outcome: (present: Transaction | undefined, surroundings: Surroundings) => Outcome;
  readonly answer: (
    outcome: Outcome,
    next: Transaction | undefined,
    present: Transaction | undefined,
  ) => T;
}

function refused(errorCode: number): ProducerAnswer {
  return { errorCode, producerId: noProducerId, producerEpoch: noProducerEpoch };
}
