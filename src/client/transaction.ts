/**
 * One transaction with one record: by the second protocol where the cluster has finalised it, which adds a partition by
 * producing to it and bumps the epoch at the end [KIP-890]; else by the first, with a request for each partition.
 * [KIP-98]
 */
import { findTransactionCoordinator } from './coordinators.ts';
import type { KafkaClient } from './kafkaClient.ts';
import { KafkaError, throwOnError } from './kafkaError.ts';
import {
  produce,
  type ProducedRecord,
  type ProduceOptions,
  type RecordToProduce,
} from './produce.ts';
import type { CallOptions } from './request.ts';

export interface TransactionOptions extends Omit<ProduceOptions, 'acks' | 'stamp'> {
  /** A producer that uses the same id is fenced by this one. */
  readonly transactionalId: string;
  readonly outcome: 'commit' | 'abort';
}

/** The coordinator aborts what a producer that is gone has left open after so long. */
const transactionTimeoutMs = 60_000;
const lastVersionWithFixedEpoch = 4;
const lastVersionForClients = 3;
/** Of the feature `transaction.version`. */
const firstLevelOfSecondProtocol = 2;

interface Producer {
  readonly isSecondProtocol: boolean;
  readonly transactionalId: string;
  readonly producerId: bigint;
  readonly producerEpoch: number;
}

/**
 * Produces a record in a transaction of its own, and ends that as `outcome` says. What fails before the end is
 * aborted; where even that fails, the coordinator does it after a minute.
 */
export async function produceInTransaction(
  client: KafkaClient,
  record: RecordToProduce,
  { transactionalId, outcome, ...options }: TransactionOptions,
): Promise<ProducedRecord> {
  const deadline = client.deadline(options);
  const { signal, within } = options;
  const rest = (): CallOptions => ({ signal, within, timeoutMs: deadline.remainingMs });
  const producer = await beginTransactions(client, transactionalId, options);
  let produced: ProducedRecord;
  try {
    produced = await produce(client, record, {
      ...options,
      ...rest(),
      acks: -1,
      stamp: async (partition, call) => {
        const { isSecondProtocol: isAddedByProducing } = producer;
        if (!isAddedByProducing) {
          await addPartition(client, producer, { topic: record.topic, partition }, call);
        }
        return { ...producer, baseSequence: 0, isAddedByProducing };
      },
    });
  } catch (error) {
    await endTransaction(
      client,
      producer,
      { committed: false },
      { timeoutMs: deadline.remainingMs },
    ).catch(() => undefined);
    throw error;
  }
  await endTransaction(client, producer, { committed: outcome === 'commit' }, rest());
  return produced;
}

/** Runs a request against the coordinator, which is asked for anew at each try. */
function atCoordinator<T>(
  client: KafkaClient,
  transactionalId: string,
  options: CallOptions,
  send: (node: number, call: CallOptions) => Promise<T>,
): Promise<T> {
  return client.retry(
    async (call) => send(await findTransactionCoordinator(client, transactionalId, call), call),
    options,
  );
}

/** Fences whoever used the id before; what they left open is aborted first. */
function beginTransactions(
  client: KafkaClient,
  transactionalId: string,
  options: CallOptions,
): Promise<Producer> {
  return atCoordinator(client, transactionalId, options, async (to, call) => {
    const body = { transactionalId, transactionTimeoutMs };
    const answer = await client.request('initProducerId', body, { to, ...call });
    throwOnError(answer.errorCode, { api: 'initProducerId' });
    const { producerId, producerEpoch } = answer;
    const features = await client.finalizedFeatures(call);
    const level = features.get('transaction.version') ?? 0;
    const isSecondProtocol = level >= firstLevelOfSecondProtocol;
    return { transactionalId, producerId, producerEpoch, isSecondProtocol };
  });
}

function addPartition(
  client: KafkaClient,
  { transactionalId, producerId, producerEpoch }: Producer,
  { topic, partition }: { readonly topic: string; readonly partition: number },
  options: CallOptions,
): Promise<void> {
  return atCoordinator(client, transactionalId, options, async (to, call) => {
    const body = {
      v3AndBelowTransactionalId: transactionalId,
      v3AndBelowProducerId: producerId,
      v3AndBelowProducerEpoch: producerEpoch,
      v3AndBelowTopics: [{ name: topic, partitions: [partition] }],
    };
    const api = 'addPartitionsToTxn';
    const answer = await client.request(api, body, {
      to,
      maxVersion: lastVersionForClients,
      ...call,
    });
    for (const { resultsByPartition } of answer.resultsByTopicV3AndBelow) {
      for (const { partitionErrorCode } of resultsByPartition) {
        if (partitionErrorCode !== 0)
          throw new KafkaError(partitionErrorCode, { api, topic, partition });
      }
    }
  });
}

function endTransaction(
  client: KafkaClient,
  { transactionalId, producerId, producerEpoch, isSecondProtocol }: Producer,
  { committed }: { readonly committed: boolean },
  options: CallOptions,
): Promise<void> {
  return atCoordinator(client, transactionalId, options, async (to, call) => {
    const body = { transactionalId, producerId, producerEpoch, committed };
    const answer = await client.request('endTxn', body, {
      to,
      ...(isSecondProtocol
        ? { minVersion: lastVersionWithFixedEpoch + 1 }
        : { maxVersion: lastVersionWithFixedEpoch }),
      ...call,
    });
    throwOnError(answer.errorCode, { api: 'endTxn' });
  });
}
