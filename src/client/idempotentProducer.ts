import type { KafkaClient } from './kafkaClient.ts';
import { throwOnError } from './kafkaError.ts';
import {
  produce,
  type ProducedRecord,
  type ProduceOptions,
  type RecordToProduce,
} from './produce.ts';

interface ProducerId {
  readonly producerId: bigint;
  readonly producerEpoch: number;
}

/**
 * Sends records one after another under one producer id, so that a repeated request writes nothing twice.
 * After a failure it goes on under a new id, since the sequence is then unknown. [KIP-98]
 */
export class IdempotentProducer {
  readonly client: KafkaClient;
  #id: ProducerId | undefined;
  /** The next sequence of each partition. */
  #sequences = new Map<string, number>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: KafkaClient) {
    this.client = client;
  }

  /** Sends a record, with acks=all, after those before it. */
  send(
    record: RecordToProduce,
    options: Omit<ProduceOptions, 'acks' | 'stamp'> = {},
  ): Promise<ProducedRecord> {
    const sent = this.#last.then(() => this.#send(record, options));
    this.#last = sent.catch(() => undefined);
    return sent;
  }

  async #send(record: RecordToProduce, options: ProduceOptions): Promise<ProducedRecord> {
    const deadline = this.client.deadline(options);
    const id = (this.#id ??= await newProducerId(this.client, options));
    const keyOf = (partition: number): string => JSON.stringify([record.topic, partition]);
    try {
      const produced = await produce(this.client, record, {
        ...options,
        timeoutMs: deadline.remainingMs,
        acks: -1,
        stamp: (partition) => {
          const baseSequence = this.#sequences.get(keyOf(partition)) ?? 0;
          return Promise.resolve({ ...id, baseSequence, transactionalId: null });
        },
      });
      const key = keyOf(produced.partition);
      // Sequences are 31 bits and wrap to 0. [DefaultRecordBatch.incrementSequence]
      this.#sequences.set(key, ((this.#sequences.get(key) ?? 0) + 1) & 0x7fffffff);
      return produced;
    } catch (error) {
      this.#id = undefined;
      this.#sequences.clear();
      throw error;
    }
  }
}

async function newProducerId(client: KafkaClient, options: ProduceOptions): Promise<ProducerId> {
  return client.retry(
    async (call) => {
      const answer = await client.request(
        'initProducerId',
        { transactionalId: null, transactionTimeoutMs: 0 },
        { to: 'any', ...call },
      );
      throwOnError(answer.errorCode, { api: 'initProducerId' });
      return answer;
    },
    { signal: options.signal, timeoutMs: options.timeoutMs },
  );
}
