import { silentLogger } from '../../../../../src/base/logger.ts';
import type {
  MarkerPort,
  MarkersRequest,
} from '../../../../../src/coordinator/transaction/markerPort.ts';
import type { TopicPartition } from '../../../../../src/coordinator/transaction/partitionSet.ts';
import type { TransactionConfig } from '../../../../../src/coordinator/transaction/transactionConfig.ts';
import {
  type ProducerAnswer,
  TransactionCoordinator,
} from '../../../../../src/coordinator/transaction/transactionCoordinator.ts';
import { errorByCode, errorCodes, type ErrorName } from '../../../../../src/protocol/errors.ts';
import { ManualClock } from '../../../../support/manualClock.ts';
import { MemoryWriter } from '../../support/memoryWriter.ts';
import { settle, streamOf } from '../../support/scenario.ts';

/** The brokers that lead the partitions of transactions: they take markers, or say why not now. */
export class FakeBrokers implements MarkerPort {
  /** Markers by partition, in the order they came: the producer, its epoch and `commit` or `abort`. */
  readonly markers = new Map<string, string[]>();
  /** What partitions answer from now on in place of NONE. */
  readonly errors = new Map<string, ErrorName>();
  /** Partitions that do not exist. */
  readonly gone = new Set<string>();
  /** Brokers that cannot be reached. */
  readonly down = new Set<number>();
  /** How many markers each request had. */
  readonly requests: { readonly brokerId: number; readonly markerCount: number }[] = [];

  /** Partition n is led by broker n % 2. */
  leaderOf(topic: string, partition: number): number | undefined {
    return this.gone.has(`${topic}-${partition}`) ? undefined : partition % 2;
  }

  async send(brokerId: number, { markers }: MarkersRequest) {
    this.requests.push({ brokerId, markerCount: markers.length });
    await Promise.resolve();
    if (this.down.has(brokerId)) throw new Error('down');
    return {
      markers: markers.map((marker) => ({
        producerId: marker.producerId,
        topics: marker.topics.map(({ name, partitionIndexes }) => ({
          name,
          partitions: partitionIndexes.map((partitionIndex) => ({
            partitionIndex,
            errorCode: this.#take(`${name}-${partitionIndex}`, marker),
          })),
        })),
      })),
    };
  }

  #take(partition: string, marker: MarkersRequest['markers'][number]): number {
    const error = this.errors.get(partition);
    if (error !== undefined) return errorCodes[error];
    const outcome = marker.transactionResult ? 'commit' : 'abort';
    const taken = this.markers.get(partition) ?? [];
    taken.push(`${marker.producerId}/${marker.producerEpoch} ${outcome}`);
    this.markers.set(partition, taken);
    return errorCodes.NONE;
  }
}

export interface TransactionScenarioOptions {
  readonly config?: Partial<TransactionConfig>;
  readonly entries?: MemoryWriter['entries'];
  readonly clock?: ManualClock;
  readonly brokers?: FakeBrokers;
  readonly epoch?: number;
  readonly firstProducerId?: bigint;
  readonly transactionVersion?: number;
}

/** A transaction coordinator on a clock, a log and brokers that the test owns. */
export class TransactionScenario {
  readonly clock: ManualClock;
  readonly writer = new MemoryWriter();
  readonly brokers: FakeBrokers;
  readonly coordinator: TransactionCoordinator;
  readonly #epoch: number;
  #nextProducerId: bigint;

  private constructor(options: TransactionScenarioOptions) {
    this.clock = options.clock ?? new ManualClock();
    this.brokers = options.brokers ?? new FakeBrokers();
    this.#epoch = options.epoch ?? 1;
    this.#nextProducerId = options.firstProducerId ?? 1000n;
    this.coordinator = new TransactionCoordinator({
      clock: this.clock,
      writer: this.writer,
      markers: this.brokers,
      takeProducerId: () => Promise.resolve(this.#nextProducerId++),
      transactionVersion: () => options.transactionVersion ?? 2,
      config: {
        topicPartitions: 1,
        maxTimeoutMs: 900_000,
        transactionalIdExpirationMs: 7 * 24 * 3_600_000,
        writeTimeoutMs: 30_000,
        ...options.config,
      },
      logger: silentLogger,
    });
  }

  static async start(options: TransactionScenarioOptions = {}): Promise<TransactionScenario> {
    const scenario = new TransactionScenario(options);
    const entries = options.entries?.get(0) ?? [];
    if (entries.length > 0) scenario.writer.entries.set(0, [...entries]);
    await scenario.coordinator.load(0, scenario.#epoch, streamOf(entries));
    return scenario;
  }

  /** The coordinator dies; another reads what is in the log. */
  async restart(): Promise<TransactionScenario> {
    this.coordinator.dispose();
    return TransactionScenario.start({
      entries: this.writer.entries,
      clock: this.clock,
      brokers: this.brokers,
      epoch: this.#epoch + 1,
      firstProducerId: this.#nextProducerId + 1000n,
    });
  }

  async init(transactionalId: string, expected?: ProducerAnswer): Promise<ProducerAnswer> {
    const answer = this.coordinator.initProducerId({
      transactionalId,
      timeoutMs: 60_000,
      expected,
    });
    await settle();
    return answer;
  }

  async add(
    transactionalId: string,
    { producerId, producerEpoch }: Omit<ProducerAnswer, 'errorCode'>,
    ...partitions: number[]
  ): Promise<string> {
    const errorCode = await this.coordinator.addPartitions({
      transactionalId,
      producerId,
      producerEpoch,
      partitions: partitions.map((partition): TopicPartition => ({ topic: 't', partition })),
      clientTransactionVersion: 2,
    });
    return errorByCode(errorCode).name;
  }

  end(
    transactionalId: string,
    { producerId, producerEpoch }: Omit<ProducerAnswer, 'errorCode'>,
    isCommit: boolean,
    clientTransactionVersion = 2,
  ): Promise<ProducerAnswer> {
    return this.coordinator.endTransaction({
      transactionalId,
      producerId,
      producerEpoch,
      isCommit,
      clientTransactionVersion,
    });
  }

  /** Lets time pass, and what follows from it happen. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await settle();
  }

  stateOf(transactionalId: string): string {
    const described = this.coordinator.describeTransaction(transactionalId);
    const { errorCode = 0, transactionState } = described;
    return errorCode === 0 ? (transactionState ?? '') : errorByCode(errorCode).name;
  }
}
