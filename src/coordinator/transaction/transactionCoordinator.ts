import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { describeTransactionsResponse } from '../../protocol/messages/describeTransactions.ts';
import { noProducerEpoch, noProducerId } from '../../protocol/records/recordBatch.ts';
import type { MessageInput } from '../../protocol/schema.ts';
import { javaStringHash } from '../javaStringHash.ts';
import type { CoordinatorEntry, PartitionWriter } from '../ports.ts';
import { type Decision, Reply } from '../runtime/decision.ts';
import { PartitionRuntime } from '../runtime/partitionRuntime.ts';
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
  readonly config: TransactionConfig;
  readonly logger: Logger;
}

export interface ProducerAnswer extends ProducerIdAndEpoch {
  readonly errorCode: number;
}

type Described = NonNullable<
  MessageInput<typeof describeTransactionsResponse>['transactionStates']
>[number];

/** Transactional ids that are swept together. */
const sweptAtOnce = 1000;

/**
 * Transactional ids and their transactions, for the partitions of `__transaction_state` that this broker leads.
 * Answers carry Kafka's error codes; promises do not reject. [TransactionCoordinator]
 */
export class TransactionCoordinator implements Disposable {
  readonly #options: TransactionCoordinatorOptions;
  readonly #runtimes = new Map<number, PartitionRuntime<TransactionShard>>();
  readonly #channel: MarkerChannel;
  readonly #producerIds: SpareProducerIds;

  constructor(options: TransactionCoordinatorOptions) {
    this.#options = options;
    const { markers: port, clock, logger } = options;
    this.#channel = new MarkerChannel({ port, clock, logger });
    this.#producerIds = new SpareProducerIds(options.takeProducerId);
  }

  /** The partition of `__transaction_state` that keeps the id. */
  partitionFor(transactionalId: string): number {
    return javaStringHash(transactionalId) % this.#options.config.topicPartitions;
  }

  /**
   * This broker became leader of a partition: reads it, goes on with what was decided, and serves its ids;
   * meanwhile they are answered COORDINATOR_LOAD_IN_PROGRESS. Rejects if reading fails; it may be tried again.
   */
  async load(
    partition: number,
    leaderEpoch: number,
    entries: AsyncIterable<CoordinatorEntry>,
  ): Promise<void> {
    const present = this.#runtimes.get(partition);
    if (present !== undefined && present.leaderEpoch >= leaderEpoch) return;
    present?.dispose();
    const runtime = this.#makeRuntime(partition, leaderEpoch);
    this.#runtimes.set(partition, runtime);
    try {
      await runtime.load(entries);
    } catch (error) {
      runtime.dispose();
      if (this.#runtimes.get(partition) === runtime) this.#runtimes.delete(partition);
      throw error;
    }
  }

  /** This broker leads the partition no more. */
  unload(partition: number): void {
    this.#runtimes.get(partition)?.dispose();
    this.#runtimes.delete(partition);
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
  verifyPartitions(request: AddPartitions): readonly number[] {
    const { transactionalId, partitions } = request;
    const runtime = this.#runtimeOf(transactionalId);
    const errorCode = transactionalId === '' ? errorCodes.INVALID_REQUEST : readRefusal(runtime);
    if (runtime === undefined || errorCode !== errorCodes.NONE) {
      return partitions.map(() => errorCode);
    }
    return verifyPartitions(runtime.shard.table.getCommitted(transactionalId), request);
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
    const runtime = this.#runtimeOf(transactionalId);
    const errorCode = readRefusal(runtime);
    if (errorCode !== errorCodes.NONE) return { transactionalId, errorCode };
    const transaction = runtime?.shard.table.getCommitted(transactionalId);
    return transaction === undefined
      ? { transactionalId, errorCode: errorCodes.TRANSACTIONAL_ID_NOT_FOUND }
      : describeTransaction(transaction);
  }

  listTransactions(request: ListTransactionsRequest): ListTransactionsResponse {
    const runtimes = [...this.#runtimes.values()];
    if (runtimes.some(({ isLoading }) => isLoading)) {
      return { errorCode: errorCodes.COORDINATOR_LOAD_IN_PROGRESS };
    }
    const transactions = runtimes.flatMap(({ shard }) => shard.table.allCommitted());
    return listTransactions(transactions, request, this.#nowMs);
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
        this.#write<number>(transactionalId, {
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
    for (const partition of [...this.#runtimes.keys()]) this.unload(partition);
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
    const { clock, writer, config, logger } = this.#options;
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
          run: (decide, refuse) => runtime.run((_shard, decision) => decide(decision), refuse),
        }),
    });
    return runtime;
  }

  #runtimeOf(transactionalId: string): PartitionRuntime<TransactionShard> | undefined {
    return this.#runtimes.get(this.partitionFor(transactionalId));
  }

  /** Decides what a transactional id is from now on; the answer comes when that is committed. */
  async #decide<T>(transactionalId: string, request: TransactionRequest<T>): Promise<T> {
    const ids = await this.#producerIds.reserve();
    if (ids === undefined) return request.onError(errorCodes.COORDINATOR_NOT_AVAILABLE);
    const answer = this.#write<T>(transactionalId, {
      onError: request.onError,
      decide: (shard, decision, reply) => {
        const present = shard.table.get(transactionalId);
        const surroundings = { nowMs: this.#nowMs, newProducerId: ids.take };
        const outcome = request.outcome(present, surroundings);
        const next = 'next' in outcome ? outcome.next : undefined;
        if (next !== undefined) shard.put(next, decision);
        decision.answer(reply, request.answer(outcome, next, present));
      },
    });
    ids.giveBack();
    return answer;
  }

  #write<T>(transactionalId: string, event: WriteEvent<T>): Promise<T> {
    const reply = new Reply(event.onError);
    const runtime = this.#runtimeOf(transactionalId);
    if (runtime === undefined) reply.fail(errorCodes.NOT_COORDINATOR);
    else {
      runtime.run(
        (shard, decision) => event.decide(shard, decision, reply),
        (errorCode) => reply.fail(errorCode),
      );
    }
    return reply.promise;
  }

  /** One decision per id, so that none grows with their number; some at a time. */
  async #sweep(
    isDue: (transaction: Transaction) => boolean,
    act: (transaction: Transaction) => Promise<number>,
  ): Promise<number> {
    const due = [...this.#runtimes.values()].flatMap(({ shard }) =>
      shard.table.all().filter(isDue),
    );
    let failedCount = 0;
    for (let start = 0; start < due.length; start += sweptAtOnce) {
      const results = await Promise.all(due.slice(start, start + sweptAtOnce).map(act));
      failedCount += results.filter((errorCode) => errorCode !== errorCodes.NONE).length;
    }
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

interface WriteEvent<T> {
  readonly onError: (errorCode: number) => T;
  readonly decide: (shard: TransactionShard, decision: Decision, reply: Reply<T>) => void;
}

function refused(errorCode: number): ProducerAnswer {
  return { errorCode, producerId: noProducerId, producerEpoch: noProducerEpoch };
}

/** NONE, or why a partition's transactions cannot be looked at. */
function readRefusal(runtime: PartitionRuntime<TransactionShard> | undefined): number {
  if (runtime === undefined) return errorCodes.NOT_COORDINATOR;
  return runtime.isLoading ? errorCodes.COORDINATOR_LOAD_IN_PROGRESS : errorCodes.NONE;
}
