import { mapEachInSteps, mapInSteps, type Steps, workOnEach } from '../../base/turns.ts';
import type { TopicPartition } from '../../coordinator/transaction/partitionSet.ts';
import type { AddPartitions } from '../../coordinator/transaction/addPartitions.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { isInternalTopic } from '../controller/topicNames.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { knownError } from '../transactions/knownError.ts';

type Transaction = RequestOf<'addPartitionsToTxn'>['transactions'][number];
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
      return { resultsByTopicV3AndBelow: await addOrVerify(transaction, context) };
    }
    access.require('clusterAction', 'cluster');
    const addTo = async (transaction: Transaction) => ({
      transactionalId: transaction.transactionalId,
      topicResults: await addOrVerify(transaction, context),
    });
    return {
      resultsByTransaction: await workOnEach(request.transactions, addTo, context.inTurns),
    };
  },
};

async function addOrVerify(
  { topics, verifyOnly, ...producer }: Transaction,
  context: RequestContext,
): Promise<TopicResults> {
  const { node, apiVersion, access } = context;
  const { partitions, errors, hasFailed } = await context.inTurns(examine(topics, context));
  const isFromBroker = apiVersion >= firstVersionFromBrokers;
  if (!isFromBroker && !access.may('write', 'transactionalId', producer.transactionalId)) {
    const refused = errorCodes.TRANSACTIONAL_ID_AUTHORIZATION_FAILED;
    return context.inTurns(resultsOf(partitions, () => refused));
  }
  if (hasFailed) {
    const errorOf = (index: number) => errors[index] || errorCodes.OPERATION_NOT_ATTEMPTED;
    return context.inTurns(resultsOf(partitions, errorOf));
  }
  const request: AddPartitions = { ...producer, partitions };
  const { coordinator } = node.transactions;
  if (verifyOnly) {
    const verified = await context.inTurns(coordinator.verifyPartitions(request));
    return context.inTurns(resultsOf(partitions, (index) => verified[index] ?? errorCodes.NONE));
  }
  const clientTransactionVersion = isFromBroker ? versions.brokers : versions.clients;
  const errorCode = await coordinator.addPartitions({ ...request, clientTransactionVersion });
  const known = knownError(errorCode, apiVersion >= firstVersionWithProducerFenced);
  return context.inTurns(echoed(topics, known));
}

interface Examined {
  /** Each once. */
  readonly partitions: readonly TopicPartition[];
  /** Of each, in turn. */
  readonly errors: readonly number[];
  readonly hasFailed: boolean;
}

function* examine(topics: Transaction['topics'], context: RequestContext): Steps<Examined> {
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
function echoed(topics: Transaction['topics'], partitionErrorCode: number): Steps<TopicResults> {
  return mapEachInSteps(topics, function* ({ name, partitions }) {
    const resultsByPartition = yield* mapInSteps(partitions, (partitionIndex) => ({
      partitionIndex,
      partitionErrorCode,
    }));
    return { name, resultsByPartition };
  });
}

/** An error for each partition, however often it was named. [AddPartitionsToTxnResponse.resultForTransaction] */
function* resultsOf(
  partitions: readonly TopicPartition[],
  errorOf: (index: number) => number,
): Steps<TopicResults> {
  const results = new Map<string, PartitionResult[]>();
  for (const [index, { topic, partition: partitionIndex }] of partitions.entries()) {
    yield;
    const ofTopic = results.get(topic) ?? [];
    results.set(topic, ofTopic);
    ofTopic.push({ partitionIndex, partitionErrorCode: errorOf(index) });
  }
  return yield* mapInSteps(results, ([name, resultsByPartition]) => ({ name, resultsByPartition }));
}
