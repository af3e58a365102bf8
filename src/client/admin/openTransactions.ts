/** Who has a transaction open on a partition. Needs what KIP-664 brought; looking changes nothing. */
import { errorCodes } from '../../protocol/errors.ts';
import type { KafkaClient } from '../kafkaClient.ts';
import { KafkaError, throwIfCancelled, throwOnError } from '../kafkaError.ts';
import { perLeader } from '../leaderRouting.ts';
import { mapBounded, type Outcome } from '../outcome.ts';
import { byTopic, PartitionMap, type TopicPartition } from '../partitionMap.ts';
import type { CallOptions } from '../request.ts';
import type { Deadline } from '../waiting.ts';

/** A producer with a transaction that began on the partition and has not ended there. */
export interface OpenProducer {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  /** Offset of the transaction's first record on the partition. */
  readonly startOffset: bigint;
  /** Of its last record on the partition. */
  readonly lastTimestamp: bigint;
}

export interface OpenTransaction {
  readonly transactionalId: string;
  readonly state: string;
  readonly startTimeMs: bigint;
  readonly timeoutMs: number;
}

const concurrentBrokers = 8;

/** The open transactions of partitions, those that began first in front. [DescribeProducers] */
export function openProducers(
  client: KafkaClient,
  partitions: readonly TopicPartition[],
  options: CallOptions = {},
): Promise<PartitionMap<Outcome<readonly OpenProducer[]>>> {
  return perLeader(
    client,
    partitions,
    async (leader, led, call) => {
      const topics = byTopic(led.map(({ request }) => request)).map(
        ({ topic: name, partitions: inTopic }) => ({
          name,
          partitionIndexes: inTopic.map(({ partition }) => partition),
        }),
      );
      const response = await client.request(
        'describeProducers',
        { topics },
        { to: leader, ...call },
      );
      const outcomes = new PartitionMap<Outcome<readonly OpenProducer[]>>();
      for (const { name: topic, partitions: described } of response.topics) {
        for (const { partitionIndex: partition, errorCode, activeProducers } of described) {
          const outcome =
            errorCode === errorCodes.NONE
              ? { value: openOf(activeProducers) }
              : {
                  error: new KafkaError(errorCode, { api: 'describeProducers', topic, partition }),
                };
          outcomes.set(topic, partition, outcome);
        }
      }
      return outcomes;
    },
    options,
  );
}

interface ActiveProducer {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly currentTxnStartOffset: bigint;
  readonly lastTimestamp: bigint;
}

function openOf(producers: readonly ActiveProducer[]): OpenProducer[] {
  return producers
    .filter(({ currentTxnStartOffset }) => currentTxnStartOffset >= 0n)
    .map(({ producerId, producerEpoch, currentTxnStartOffset: startOffset, lastTimestamp }) => ({
      ...{ producerId, producerEpoch },
      ...{ startOffset, lastTimestamp },
    }))
    .sort((a, b) => (a.startOffset < b.startOffset ? -1 : 1));
}

/**
 * The transactions of producers, by producer id: every broker lists those it coordinates. What is not allowed, or not
 * known to the server, is left out. [ListTransactions, DescribeTransactions]
 */
export async function transactionsOf(
  client: KafkaClient,
  producerIds: readonly bigint[],
  options: CallOptions = {},
): Promise<Map<bigint, OpenTransaction>> {
  const { signal } = options;
  const found = new Map<bigint, OpenTransaction>();
  const deadline = client.deadline(options);
  const brokers = await client.brokers(options);
  await mapBounded(brokers, concurrentBrokers, async ({ id }) => {
    try {
      for (const [producerId, transaction] of await listOn(client, id, {
        producerIds,
        deadline,
        signal,
      })) {
        found.set(producerId, transaction);
      }
    } catch {
      throwIfCancelled(signal);
    }
  });
  return found;
}

interface Listing {
  readonly producerIds: readonly bigint[];
  readonly deadline: Deadline;
  readonly signal: AbortSignal | undefined;
}

async function listOn(
  client: KafkaClient,
  broker: number,
  { producerIds, deadline, signal }: Listing,
): Promise<[bigint, OpenTransaction][]> {
  const call = (): CallOptions => ({ signal, timeoutMs: deadline.remainingMs });
  const wanted = { stateFilters: [], producerIdFilters: [...producerIds] };
  const listed = await client.request('listTransactions', wanted, { to: broker, ...call() });
  throwOnError(listed.errorCode, { api: 'listTransactions' });
  const transactionalIds = listed.transactionStates.map(({ transactionalId }) => transactionalId);
  if (transactionalIds.length === 0) return [];
  const { transactionStates } = await client.request(
    'describeTransactions',
    { transactionalIds },
    { to: broker, ...call() },
  );
  return transactionStates
    .filter(({ errorCode }) => errorCode === errorCodes.NONE)
    .map((described) => [
      described.producerId,
      {
        transactionalId: described.transactionalId,
        state: described.transactionState,
        startTimeMs: described.transactionStartTimeMs,
        timeoutMs: described.transactionTimeoutMs,
      },
    ]);
}
