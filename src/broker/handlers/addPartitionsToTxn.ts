import { mapEachInSteps, mapInSteps, type Steps, workOnEach } from '../../base/turns.ts';
import type { TopicPartition } from '../../coordinator/transaction/partitionSet.ts';
import type { AddPartitions } from '../../coordinator/transaction/addPartitions.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { isInternalTopic } from '../controller/topicNames.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { knownError } from '../transactions/knownError.ts';

type Transaction = RequestOf<'addPartitionsToTxn'>['transactions'][number];
type Topics = Transaction['topics'];
type TopicResults = NonNullable<ResponseOf<'addPartitionsToTxn'>['resultsByTopicV3AndBelow']>;
type PartitionResult = NonNullable<TopicResults[number]['resultsByPartition']>[number];

const firstVersionWithProducerFenced = 2;
const firstVersionFromBrokers = 4;
/** transaction.version of who asks: brokers do so for clients that have KIP-890 through. */
const versions = { clients: 0, brokers: 2 } as const;

/**
 * Versions 0-5: 2 PRODUCER_FENCED; 3 flexible; 4 from brokers, for many transactions, to add or only to verify
 * (KIP-890); 5 TRANSACTION_ABORTABLE. One partition that does not exist keeps the others from being added.
 */
export const addPartitionsToTxn: Handler<'addPartitionsToTxn'> = {
  versions: [0, 5],
  isReport: ({ transactions }) => transactions.length > 1,
  async handle(request, context) {
    const { apiVersion, access } = context;
    if (apiVersion < firstVersionFromBrokers) {
      const transaction = {
        transactionalId: request.v3AndBelowTransactionalId,
        producerId: request.v3AndBelowProducerId,
        producerEpoch: request.v3AndBelowProducerEpoch,
        verifyOnly: false,
        topics: request.v3AndBelowTopics,
      };
      const named = new NamedTransaction(transaction);
      return { resultsByTopicV3AndBelow: await addOrVerify(transaction, named, context) };
    }
    access.require('clusterAction', 'cluster');
    const { transactions } = request;
    const byId = await context.inTurns(namedTransactions(transactions));
    const addTo = async (transaction: Transaction) => {
      const named = byId.get(transaction.transactionalId) ?? new NamedTransaction(transaction);
      const { transactionalId } = transaction;
      return { transactionalId, topicResults: await addOrVerify(transaction, named, context) };
    };
    return { resultsByTransaction: await workOnEach(transactions, addTo, context.inTurns) };
  },
};

/**
 * A transaction of a request. Where it is named again, what it is named with last is what is added, each time, and what
 * it was named with first is what is told. [AddPartitionsToTxnRequest.partitionsByTransaction and
 * errorResponseForTransaction]
 */
class NamedTransaction {
  readonly told: Topics;
  added: Topics;
  /** What the request has added before is there, or has failed, when it is verified. */
  adding: Promise<unknown> = Promise.resolve();
  readonly #results = new Map<string, Promise<TopicResults>>();

  constructor({ topics }: Pick<Transaction, 'topics'>) {
    this.told = topics;
    this.added = topics;
  }

  /** Results that are the same are in memory once, however often they are told. */
  results(key: string, make: () => Promise<TopicResults>): Promise<TopicResults> {
    const results = this.#results.get(key) ?? make();
    this.#results.set(key, results);
    return results;
  }
}

function* namedTransactions(
  transactions: readonly Transaction[],
): Steps<ReadonlyMap<string, NamedTransaction>> {
  const byId = new Map<string, NamedTransaction>();
  for (const transaction of transactions) {
    const { transactionalId, topics } = transaction;
    const named = byId.get(transactionalId) ?? new NamedTransaction(transaction);
    named.added = topics;
    byId.set(transactionalId, named);
    yield;
  }
  return byId;
}

async function addOrVerify(
  { verifyOnly, transactionalId, producerId, producerEpoch }: Transaction,
  named: NamedTransaction,
  context: RequestContext,
): Promise<TopicResults> {
  const { node, apiVersion, access, inTurns } = context;
  const echo = (errorCode: number) =>
    named.results(`all ${errorCode}`, () => inTurns(echoed(named.told, errorCode)));
  const isFromBroker = apiVersion >= firstVersionFromBrokers;
  if (!isFromBroker && !access.may('write', 'transactionalId', transactionalId))
    return echo(errorCodes.TRANSACTIONAL_ID_AUTHORIZATION_FAILED);
  const { partitions, errors, hasFailed } = await inTurns(examine(named.added, context));
  const tell = async (steps: Steps<readonly number[]>) => {
    const codes = await inTurns(steps);
    const key = await inTurns(counted(codes));
    return named.results(key, () => inTurns(resultsOf(partitions, codes)));
  };
  if (hasFailed)
    return tell(mapInSteps(errors, (error) => error || errorCodes.OPERATION_NOT_ATTEMPTED));
  const request: AddPartitions = { transactionalId, producerId, producerEpoch, partitions };
  const { coordinator } = node.transactions;
  if (verifyOnly) {
    await named.adding;
    return tell(coordinator.verifyPartitions(request));
  }
  const clientTransactionVersion = isFromBroker ? versions.brokers : versions.clients;
  const adding = coordinator.addPartitions({ ...request, clientTransactionVersion });
  named.adding = Promise.allSettled([named.adding, adding]);
  const errorCode = await adding;
  return echo(knownError(errorCode, apiVersion >= firstVersionWithProducerFenced));
}

interface Examined {
  /** Each once. */
  readonly partitions: readonly TopicPartition[];
  /** Of each, in turn. */
  readonly errors: readonly number[];
  readonly hasFailed: boolean;
}

function* examine(topics: Topics, context: RequestContext): Steps<Examined> {
  const errorOf = partitionErrors(context);
  const seen = new Map<string, Set<number>>();
  const partitions: TopicPartition[] = [];
  for (const { name: topic, partitions: indexes } of topics) {
    const ofTopic = seen.get(topic) ?? new Set<number>();
    seen.set(topic, ofTopic);
    yield;
    for (const partition of indexes) {
      yield;
      if (!ofTopic.has(partition)) partitions.push({ topic, partition });
      ofTopic.add(partition);
    }
  }
  let hasFailed = false;
  const errors = yield* mapInSteps(partitions, (each) => {
    const error = errorOf(each);
    hasFailed ||= error !== errorCodes.NONE;
    return error;
  });
  return { partitions, errors, hasFailed };
}

/** Clients may not write to the topics that coordinators keep. [KafkaApis.handleAddPartitionsToTxnRequest] */
function partitionErrors({ node, apiVersion, access }: RequestContext) {
  const mayWrite = access.filter('write', 'topic');
  const isFromBroker = apiVersion >= firstVersionFromBrokers;
  return ({ topic, partition }: TopicPartition): number => {
    const isAllowed = isFromBroker || (!isInternalTopic(topic) && mayWrite(topic));
    if (!isAllowed) return errorCodes.TOPIC_AUTHORIZATION_FAILED;
    const exists = node.image.topic(topic)?.partitions[partition] !== undefined;
    return exists ? errorCodes.NONE : errorCodes.UNKNOWN_TOPIC_OR_PARTITION;
  };
}

/** One error for all of a transaction, as it was asked. [AddPartitionsToTxnRequest.errorResponseForTransaction] */
function echoed(topics: Topics, partitionErrorCode: number): Steps<TopicResults> {
  return mapEachInSteps(topics, function* ({ name, partitions }) {
    const resultsByPartition = yield* mapInSteps(partitions, (partitionIndex) => ({
      partitionIndex,
      partitionErrorCode,
    }));
    return { name, resultsByPartition };
  });
}

/** Tells errors of the same partitions apart: within a request partitions only become part of a transaction. */
function* counted(codes: readonly number[]): Steps<string> {
  const counts = new Map<number, number>();
  for (const code of codes) {
    counts.set(code, (counts.get(code) ?? 0) + 1);
    yield;
  }
  return [...counts].join(' ');
}

/** An error for each partition, however often it was named. [AddPartitionsToTxnResponse.resultForTransaction] */
function* resultsOf(
  partitions: readonly TopicPartition[],
  errors: readonly number[],
): Steps<TopicResults> {
  const results = new Map<string, PartitionResult[]>();
  for (const [index, { topic, partition: partitionIndex }] of partitions.entries()) {
    yield;
    const ofTopic = results.get(topic) ?? [];
    results.set(topic, ofTopic);
    ofTopic.push({ partitionIndex, partitionErrorCode: errors[index] ?? errorCodes.NONE });
  }
  return yield* mapInSteps(results, ([name, resultsByPartition]) => ({ name, resultsByPartition }));
}
