import type { Clock } from '../../base/clock.ts';
import { deferred } from '../../base/deferred.ts';
import type { Disposable } from '../../base/disposable.ts';
import { firstFew } from '../../base/firstFew.ts';
import { errorMessage, type Logger } from '../../base/logger.ts';
import { inOneGo, inTurns, mapEachInSteps, mapInSteps, type Steps } from '../../base/turns.ts';
import { errorByCode, errorCodes, type ErrorName } from '../../protocol/errors.ts';
import type { MarkerPort, MarkersRequest, MarkersResponse } from './markerPort.ts';
import {
  eachPartition,
  noPartitions,
  type PartitionSet,
  type TopicPartition,
  withPartitions,
} from './partitionSet.ts';
import type { Transaction } from './transactionState.ts';

/** How long until a partition that did not take its marker is tried again. */
const retryBackoffMs = 100;
/** Partitions that are gone through at once. */
const fewPartitions = 256;

/** What becomes of a partition's marker by its error; the others are not to be expected. */
const outcomes: Readonly<Partial<Record<ErrorName, 'written' | 'retry' | 'abandon'>>> = {
  NONE: 'written',
  UNSUPPORTED_FOR_MESSAGE_FORMAT: 'written',
  UNSUPPORTED_VERSION: 'written',
  UNKNOWN_TOPIC_OR_PARTITION: 'retry',
  NOT_LEADER_OR_FOLLOWER: 'retry',
  NOT_ENOUGH_REPLICAS: 'retry',
  NOT_ENOUGH_REPLICAS_AFTER_APPEND: 'retry',
  REQUEST_TIMED_OUT: 'retry',
  KAFKA_STORAGE_ERROR: 'retry',
  INVALID_PRODUCER_EPOCH: 'abandon',
  TRANSACTION_COORDINATOR_FENCED: 'abandon',
};

/** A transaction whose markers are on their way. */
interface Order {
  readonly transaction: Transaction;
  readonly coordinatorEpoch: number;
  readonly signal: AbortSignal;
  readonly remaining: Map<string, TopicPartition>;
  readonly finish: (isComplete: boolean) => void;
}

interface Shipment {
  readonly order: Order;
  readonly partitions: readonly TopicPartition[];
}

/**
 * Brings markers to the partitions of decided transactions: one request at a time to each broker, with
 * everything that waits for it; partitions that fail for now are tried again. [TransactionMarkerChannelManager]
 */
export class MarkerChannel implements Disposable {
  readonly #port: MarkerPort;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #waiting = new Map<number, Shipment[]>();
  readonly #busy = new Set<number>();
  readonly #retries = new Set<Disposable>();
  /** By who ordered and transactional id, until they are forgotten: also those that were given up. */
  readonly #orders = new WeakMap<AbortSignal, Map<string, Order>>();

  constructor({ port, clock, logger }: { port: MarkerPort; clock: Clock; logger: Logger }) {
    this.#port = port;
    this.#clock = clock;
    this.#logger = logger;
  }

  /**
   * Resolves true once every partition has its marker or is gone; false where the transaction was fenced or the
   * signal was aborted meanwhile.
   */
  send(
    transaction: Transaction,
    { coordinatorEpoch, signal }: Pick<Order, 'coordinatorEpoch' | 'signal'>,
  ): Promise<boolean> {
    const done = deferred<boolean>();
    const finish = (isComplete: boolean): void => done.resolve(isComplete);
    this.#ordersOf(signal).delete(transaction.transactionalId);
    const remaining = new Map<string, TopicPartition>();
    const order = { transaction, coordinatorEpoch, signal, remaining, finish };
    const begin = this.#begin(order);
    const count = [...transaction.partitions.values()].reduce((sum, { size }) => sum + size, 0);
    this.#run(begin, count, order);
    return done.promise;
  }

  /** Partitions of a decided transaction that have no marker yet. */
  remainingOf({ transactionalId, partitions }: Transaction, signal: AbortSignal): PartitionSet {
    const remaining = this.#ordersOf(signal).get(transactionalId)?.remaining;
    return remaining ? withPartitions(noPartitions, [...remaining.values()]) : partitions;
  }

  /** It is complete, or another's to complete. */
  forget(transaction: Transaction, signal: AbortSignal): void {
    const orders = this.#ordersOf(signal);
    const { transactionalId } = transaction;
    if (orders.get(transactionalId)?.transaction === transaction) orders.delete(transactionalId);
  }

  dispose(): void {
    for (const retry of this.#retries) retry.dispose();
    this.#retries.clear();
    this.#waiting.clear();
  }

  #ordersOf(signal: AbortSignal): Map<string, Order> {
    const present = this.#orders.get(signal);
    if (present) return present;
    const orders = new Map<string, Order>();
    this.#orders.set(signal, orders);
    return orders;
  }

  *#begin(order: Order): Steps<void> {
    const partitions: TopicPartition[] = [];
    for (const each of eachPartition(order.transaction.partitions)) {
      partitions.push(each);
      order.remaining.set(nameOf(each), each);
      yield;
    }
    this.#ordersOf(order.signal).set(order.transaction.transactionalId, order);
    yield* this.#ship({ order, partitions });
  }

  /** A transaction may have half a million partitions; nearly all have a few. */
  #run(steps: Steps<void>, count: number, { finish }: Order): void {
    if (count <= fewPartitions) {
      inOneGo(steps);
      return;
    }
    inTurns(steps).catch((error: unknown) => {
      this.#logger.error(`markers cannot be sent: ${errorMessage(error)}`);
      finish(false);
    });
  }

  *#ship({ order, partitions }: Shipment): Steps<void> {
    const byLeader = new Map<number | null | undefined, TopicPartition[]>();
    for (const each of partitions) {
      if (order.signal.aborted) break;
      const leader = this.#port.leaderOf(each.topic, each.partition);
      const led = byLeader.get(leader) ?? [];
      byLeader.set(leader, led);
      led.push(each);
      if (leader === undefined) order.remaining.delete(nameOf(each));
      yield;
    }
    if (order.signal.aborted) {
      order.finish(false);
      return;
    }
    for (const [leader, led] of byLeader) {
      if (leader === null) this.#shipLater({ order, partitions: led });
      else if (leader !== undefined) this.#enqueue(leader, { order, partitions: led });
    }
    if (order.remaining.size === 0) order.finish(true);
  }

  #shipLater(shipment: Shipment): void {
    const retry = this.#clock.setTimer(retryBackoffMs, () => {
      this.#retries.delete(retry);
      this.#run(this.#ship(shipment), shipment.partitions.length, shipment.order);
    });
    this.#retries.add(retry);
  }

  #enqueue(brokerId: number, shipment: Shipment): void {
    const waiting = this.#waiting.get(brokerId) ?? [];
    waiting.push(shipment);
    this.#waiting.set(brokerId, waiting);
    if (!this.#busy.has(brokerId)) void this.#sendAll(brokerId);
  }

  async #sendAll(brokerId: number): Promise<void> {
    this.#busy.add(brokerId);
    for (;;) {
      const shipments = this.#waiting.get(brokerId) ?? [];
      this.#waiting.delete(brokerId);
      if (shipments.length === 0) break;
      await this.#sendTogether(brokerId, shipments);
    }
    this.#busy.delete(brokerId);
  }

  async #sendTogether(brokerId: number, shipments: readonly Shipment[]): Promise<void> {
    try {
      const request = await inTurns(requestOf(shipments));
      const errors = await inTurns(errorsOf(await this.#port.send(brokerId, request)));
      for (const shipment of shipments) await inTurns(this.#takeResult(shipment, errors));
    } catch (error) {
      this.#logger.warn(`markers did not reach broker ${brokerId}: ${errorMessage(error)}`);
      for (const shipment of shipments) this.#shipLater(shipment);
    }
  }

  *#takeResult({ order, partitions }: Shipment, errors: ReadonlyMap<string, number>): Steps<void> {
    const { transaction, remaining } = order;
    const again: TopicPartition[] = [];
    const givenUp = new Map<ErrorName, string[]>();
    for (const each of partitions) {
      yield;
      const code = errors.get(resultName(transaction.producerId, nameOf(each)));
      const { name } = errorByCode(code ?? errorCodes.UNKNOWN_SERVER_ERROR);
      const outcome = outcomes[name];
      if (outcome === 'written') remaining.delete(nameOf(each));
      else if (outcome === 'retry') again.push(each);
      else {
        const same = givenUp.get(name) ?? [];
        givenUp.set(name, same);
        same.push(nameOf(each));
      }
    }
    for (const [name, names] of givenUp) {
      const what = `markers of ${transaction.transactionalId} for ${firstFew(names)}`;
      this.#logger[outcomes[name] ? 'warn' : 'error'](`${what} are given up: ${name}`);
    }
    if (givenUp.size > 0) order.finish(false);
    else if (again.length > 0) this.#shipLater({ order, partitions: again });
    else if (remaining.size === 0) order.finish(true);
  }
}

function* requestOf(shipments: readonly Shipment[]): Steps<MarkersRequest> {
  return { markers: yield* mapEachInSteps(shipments, markerOf) };
}

function* markerOf({
  order: { transaction, coordinatorEpoch },
  partitions,
}: Shipment): Steps<MarkersRequest['markers'][number]> {
  const byTopic = new Map<string, number[]>();
  for (const { topic, partition } of partitions) {
    const indexes = byTopic.get(topic) ?? [];
    byTopic.set(topic, indexes);
    indexes.push(partition);
    yield;
  }
  return {
    producerId: transaction.producerId,
    producerEpoch: transaction.producerEpoch,
    transactionResult: transaction.state === 'PrepareCommit',
    topics: yield* mapInSteps(byTopic, ([name, partitionIndexes]) => ({ name, partitionIndexes })),
    coordinatorEpoch,
    transactionVersion: transaction.clientTransactionVersion,
  };
}

function* errorsOf({ markers }: MarkersResponse): Steps<Map<string, number>> {
  const errors = new Map<string, number>();
  for (const { producerId, topics } of markers ?? []) {
    for (const { name, partitions } of topics ?? []) {
      for (const { partitionIndex, errorCode } of partitions ?? []) {
        const partition = nameOf({ topic: name ?? '', partition: partitionIndex ?? -1 });
        errors.set(resultName(producerId ?? -1n, partition), errorCode ?? errorCodes.NONE);
        yield;
      }
    }
  }
  return errors;
}

function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic}-${partition}`;
}

function resultName(producerId: bigint, partition: string): string {
  return `${producerId} ${partition}`;
}
