import { setTimeout as sleep } from 'node:timers/promises';
import { batches, type RecordBatch } from '../../../../src/protocol/records/recordBatch.ts';
import { readRecords } from '../../../../src/protocol/records/recordReader.ts';
import type { RawClient, Response } from '../../broker/support/rawClient.ts';
import { batchOf, errorName } from '../../broker/support/servers.ts';

/** Versions that a producer speaks with transactions v1 and v2 (KIP-890). */
export const versions = {
  v1: { initProducerId: 4, produce: 11, endTxn: 4, txnOffsetCommit: 4 },
  v2: { initProducerId: 5, produce: 12, endTxn: 5, txnOffsetCommit: 5 },
} as const;

export type Protocol = keyof typeof versions;

/** Errors after which a client tries again. */
const passing = new Set([
  'CONCURRENT_TRANSACTIONS',
  'COORDINATOR_NOT_AVAILABLE',
  'COORDINATOR_LOAD_IN_PROGRESS',
  'NOT_COORDINATOR',
]);

/** Asks again while the answer is that it is not time yet. */
export async function patiently<T>(
  ask: () => Promise<T>,
  errorCodeOf: (answer: T) => number,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    const answer = await ask();
    if (!passing.has(errorName(errorCodeOf(answer))) || attempt === 1000) return answer;
    await sleep(5);
  }
}

/** A transactional producer that does exactly what it is told. */
export class RawProducer {
  readonly #client: RawClient;
  readonly transactionalId: string;
  readonly protocol: Protocol;
  producerId = -1n;
  producerEpoch = -1;
  #sequences = new Map<string, number>();

  constructor(client: RawClient, transactionalId: string, protocol: Protocol) {
    this.#client = client;
    this.transactionalId = transactionalId;
    this.protocol = protocol;
  }

  /** A producer whose id and epoch the coordinator gave. */
  static async start(
    client: RawClient,
    transactionalId: string,
    protocol: Protocol = 'v2',
  ): Promise<RawProducer> {
    const producer = new RawProducer(client, transactionalId, protocol);
    await producer.init();
    return producer;
  }

  get #identity() {
    const { transactionalId, producerId, producerEpoch } = this;
    return { transactionalId, producerId, producerEpoch };
  }

  /** InitProducerId as of a new producer, until it is answered; the error's name. */
  async init(transactionTimeoutMs = 60_000): Promise<string> {
    const { transactionalId } = this;
    await patiently(
      () =>
        this.#client.call('findCoordinator', 4, { keyType: 1, coordinatorKeys: [transactionalId] }),
      ({ coordinators }) => coordinators[0]?.errorCode ?? -1,
    );
    const answer = await patiently(
      () =>
        this.#client.call('initProducerId', versions[this.protocol].initProducerId, {
          transactionalId,
          transactionTimeoutMs,
        }),
      ({ errorCode }) => errorCode,
    );
    if (answer.errorCode === 0) this.become(answer.producerId, answer.producerEpoch);
    return errorName(answer.errorCode);
  }

  become(producerId: bigint, producerEpoch: number): void {
    this.producerId = producerId;
    this.producerEpoch = producerEpoch;
    this.#sequences = new Map();
  }

  async addPartitions(topic: string, ...partitions: number[]): Promise<string[]> {
    const answer = await patiently(
      () => this.addPartitionsOnce(topic, ...partitions),
      (results) => results[0]?.partitionErrorCode ?? 0,
    );
    return answer.map(({ partitionErrorCode }) => errorName(partitionErrorCode));
  }

  async addPartitionsOnce(topic: string, ...partitions: number[]) {
    const { resultsByTopicV3AndBelow } = await this.#client.call('addPartitionsToTxn', 3, {
      v3AndBelowTransactionalId: this.transactionalId,
      v3AndBelowProducerId: this.producerId,
      v3AndBelowProducerEpoch: this.producerEpoch,
      v3AndBelowTopics: [{ name: topic, partitions }],
    });
    return resultsByTopicV3AndBelow.flatMap(({ resultsByPartition }) => resultsByPartition);
  }

  /** A batch as the producer would send it next. */
  nextBatch(topic: string, partition: number, values: readonly string[]): Buffer {
    const key = `${topic}-${partition}`;
    const baseSequence = this.#sequences.get(key) ?? 0;
    this.#sequences.set(key, baseSequence + values.length);
    const { producerId, producerEpoch } = this;
    return batchOf(values, { producerId, producerEpoch, baseSequence, isTransactional: true });
  }

  /** Writes to a partition; the error's name. */
  async send(
    topic: string,
    values: readonly string[],
    { partition = 0, version }: { partition?: number; version?: number } = {},
  ): Promise<string> {
    const records = this.nextBatch(topic, partition, values);
    const { errorCode } = await this.sendBatch(topic, partition, records, version);
    return errorName(errorCode);
  }

  async sendBatch(topic: string, index: number, records: Buffer, version?: number) {
    const answer = await patiently(
      () =>
        this.#client.call('produce', version ?? versions[this.protocol].produce, {
          transactionalId: this.transactionalId,
          acks: -1,
          timeoutMs: 10_000,
          topicData: [{ name: topic, partitionData: [{ index, records: Buffer.from(records) }] }],
        }),
      ({ responses }) => responses[0]?.partitionResponses[0]?.errorCode ?? -1,
    );
    const [outcome] = answer.responses[0]?.partitionResponses ?? [];
    if (!outcome) throw new Error('no answer for the partition');
    return outcome;
  }

  /** EndTxn once, as the producer that it is. */
  endOnce(committed: boolean): Promise<Response<'endTxn'>> {
    const request = { ...this.#identity, committed };
    return this.#client.call('endTxn', versions[this.protocol].endTxn, request);
  }

  /** EndTxn until it is answered; goes on as what the answer says. The error's name. */
  async end(committed: boolean): Promise<string> {
    const answer = await patiently(
      () => this.endOnce(committed),
      ({ errorCode }) => errorCode,
    );
    if (answer.errorCode === 0 && this.protocol === 'v2') {
      this.become(answer.producerId, answer.producerEpoch);
    }
    return errorName(answer.errorCode);
  }

  commit(): Promise<string> {
    return this.end(true);
  }

  abort(): Promise<string> {
    return this.end(false);
  }

  async describe() {
    const { transactionStates } = await this.#client.call('describeTransactions', 0, {
      transactionalIds: [this.transactionalId],
    });
    const [described] = transactionStates;
    if (!described) throw new Error('not described');
    return described;
  }

  /** Waits until the coordinator has seen the transaction to its end. */
  async settled(): Promise<string> {
    for (;;) {
      const { transactionState } = await this.describe();
      if (!transactionState.startsWith('Prepare')) return transactionState;
      await sleep(5);
    }
  }
}

export interface FetchOptions {
  readonly partition?: number;
  readonly offset?: bigint;
  readonly isReadCommitted?: boolean;
}

/** One partition's answer to a Fetch that waits for nothing. */
export async function fetchOnce(
  client: RawClient,
  topic: string,
  { partition = 0, offset = 0n, isReadCommitted = true }: FetchOptions = {},
) {
  const { responses } = await client.call('fetch', 11, {
    maxWaitMs: 0,
    minBytes: 0,
    isolationLevel: isReadCommitted ? 1 : 0,
    sessionEpoch: -1,
    topics: [
      {
        topic,
        partitions: [{ partition, fetchOffset: offset, partitionMaxBytes: 1 << 20 }],
      },
    ],
  });
  const answer = responses[0]?.partitions[0];
  if (!answer) throw new Error('no answer for the partition');
  return answer;
}

/** What a consumer would hand to its application, which skips markers and aborted records itself. */
export async function consume(
  client: RawClient,
  topic: string,
  options: FetchOptions = {},
): Promise<string[]> {
  const { records, abortedTransactions } = await fetchOnce(client, topic, options);
  const found = records === null ? [] : [...batches(Buffer.from(records))];
  const aborted = [...(abortedTransactions ?? [])];
  const skipped = new Set<bigint>();
  return found.flatMap((batch) => {
    const { producerId, isControl, isTransactional, lastOffset } = batch.header;
    while (aborted[0] && aborted[0].firstOffset <= lastOffset) {
      skipped.add(aborted.shift()?.producerId ?? -1n);
    }
    if (isControl) {
      if (isAbort(batch)) skipped.delete(producerId);
      return [];
    }
    if (isTransactional && skipped.has(producerId)) return [];
    return [...readRecords(batch)].map(({ value }) => value?.toString() ?? '');
  });
}

function isAbort(batch: RecordBatch): boolean {
  const [record] = readRecords(batch);
  return record?.key?.readInt16BE(2) === 0;
}
