import type { Disposable } from '../../base/disposable.ts';
import { errorMessage } from '../../base/logger.ts';
import type { MarkerPort } from '../../coordinator/transaction/markerPort.ts';
import { TransactionCoordinator } from '../../coordinator/transaction/transactionCoordinator.ts';
import type { BrokerView } from '../brokerView.ts';
import { transactionTopic } from '../controller/topicNames.ts';
import { partitionWriter, readCoordinatorEntries } from '../coordinatorLog.ts';
import type { Partition } from '../partition.ts';
import { writeMarkers } from './writeMarkers.ts';

/** A broker's transaction coordinator with what it needs of the broker: its log, markers, and timers. */
export class Transactions implements Disposable {
  readonly coordinator: TransactionCoordinator;
  readonly #node: BrokerView;
  readonly #timers = new Set<Disposable>();

  constructor(node: BrokerView) {
    this.#node = node;
    const { clock, logger, config } = node.cluster;
    this.coordinator = new TransactionCoordinator({
      clock,
      logger,
      writer: partitionWriter({
        clock,
        partitionOf: (partition) => node.partition(transactionTopic, partition),
        verifiesTransactions: false,
      }),
      markers: markerPort(node),
      takeProducerId: () => node.producerIds.take(),
      transactionVersion: () => node.image.features.get('transaction.version') ?? 0,
      config: {
        topicPartitions:
          node.image.topic(transactionTopic)?.partitions.length ??
          config.number('transaction.state.log.num.partitions'),
        maxTimeoutMs: config.number('transaction.max.timeout.ms'),
        transactionalIdExpirationMs: config.number('transactional.id.expiration.ms'),
        writeTimeoutMs: 30_000,
      },
    });
  }

  /** Begins to sweep what time has ended. */
  start(): void {
    const { config } = this.#node.cluster;
    this.#every(config.number('transaction.abort.timed.out.transaction.cleanup.interval.ms'), () =>
      this.coordinator.abortTimedOut(),
    );
    this.#every(config.number('transaction.remove.expired.transaction.cleanup.interval.ms'), () =>
      this.coordinator.removeExpired(),
    );
  }

  /** Ids are loaded beside everything else: until then they are answered COORDINATOR_LOAD_IN_PROGRESS. */
  load(partition: Partition): void {
    const { partition: index, leaderEpoch, log } = partition;
    this.coordinator
      .load(index, leaderEpoch, readCoordinatorEntries(log))
      .catch((error: unknown) => {
        if (this.#node.isClosing || !partition.isLeader) return;
        const what = `the transactions of ${transactionTopic}-${index}`;
        this.#node.cluster.logger.error(`cannot load ${what}: ${errorMessage(error)}`);
      });
  }

  dispose(): void {
    for (const timer of this.#timers) timer.dispose();
    this.coordinator.dispose();
  }

  #every(intervalMs: number, work: () => Promise<unknown>): void {
    const { clock, logger } = this.#node.cluster;
    const timer = clock.setTimer(intervalMs, () => {
      this.#timers.delete(timer);
      work()
        .catch((error: unknown) => logger.error(`a sweep failed: ${errorMessage(error)}`))
        .finally(() => {
          if (!this.#node.isClosing) this.#every(intervalMs, work);
        });
    });
    this.#timers.add(timer);
  }
}

/** Markers go by broker; what this one leads it writes itself. */
function markerPort(node: BrokerView): MarkerPort {
  return {
    leaderOf(topic, partition) {
      const leader = node.image.topic(topic)?.partitions[partition]?.leader;
      if (leader === undefined || leader === node.id) return leader;
      return node.cluster.endpoints().some(({ id }) => id === leader) ? leader : null;
    },
    async send(brokerId, request) {
      if (brokerId !== node.id) throw new Error(`there is no link to broker ${brokerId}`);
      return writeMarkers(node, request);
    },
  };
}
