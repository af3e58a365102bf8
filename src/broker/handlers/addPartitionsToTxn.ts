import type { TopicPartition } from '../../coordinator/transaction/partitionSet.ts';
import type { AddPartitions } from '../../coordinator/transaction/addPartitions.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { isInternalTopic } from '../controller/topicNames.ts';
import { Slices } from '../../base/slices.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { knownError } from '../transactions/knownError.ts';

type Transaction = RequestOf<'addPartitionsToTxn'>['transactions'][number];
type TransactionResult = NonNullable<
  ResponseOf<'addPartitionsToTxn'>['resultsByTransaction']
>[number];
type TopicResults = NonNullable<ResponseOf<'addPartitionsToTxn'>['resultsByTopicV3AndBelow']>;

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
    // A request can name so many that deciding on all of them would keep others waiting.
    const slices = new Slices(context.node.cluster.clock);
    const results: Promise<TransactionResult>[] = [];
    for (const transaction of request.transactions) {
      const result = addOrVerify(transaction, context);
      const { transactionalId } = transaction;
      results.push(result.then((topicResults) => ({ transactionalId, topicResults })));
      if (slices.isOver) await slices.pause();
    }
    return { resultsByTransaction: await Promise.all(results) };
  },
};

async function addOrVerify(
  { topics, verifyOnly, ...producer }: Transaction,
  context: RequestContext,
): Promise<TopicResults> {
  const { node, apiVersion, access } = context;
  const partitions = topics.flatMap(({ name: topic, partitions: indexes }) =>
    indexes.map((partition) => ({ topic, partition })),
  );
  const isFromBroker = apiVersion >= firstVersionFromBrokers;
  if (!isFromBroker && !access.may('write', 'transactionalId', producer.transactionalId)) {
    return resultsOf(partitions, () => errorCodes.TRANSACTIONAL_ID_AUTHORIZATION_FAILED);
  }
  const errors = partitions.map(partitionErrors(context));
  if (errors.some((error) => error !== errorCodes.NONE)) {
    return resultsOf(
      partitions,
      (_each, index) => errors[index] || errorCodes.OPERATION_NOT_ATTEMPTED,
    );
  }
  const request: AddPartitions = { ...producer, partitions };
  const { coordinator } = node.transactions;
  if (verifyOnly) {
    const verified = coordinator.verifyPartitions(request);
    return resultsOf(partitions, (_each, index) => verified[index] ?? errorCodes.NONE);
  }
  const clientTransactionVersion = isFromBroker ? versions.brokers : versions.clients;
  const errorCode = await coordinator.addPartitions({ ...request, clientTransactionVersion });
  const known = knownError(errorCode, apiVersion >= firstVersionWithProducerFenced);
  return echoed(topics, known);
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
function echoed(topics: Transaction['topics'], partitionErrorCode: number): TopicResults {
  return topics.map(({ name, partitions }) => ({
    name,
    resultsByPartition: partitions.map((partitionIndex) => ({
      partitionIndex,
      partitionErrorCode,
    })),
  }));
}

/** An error for each partition, however often it was named. [AddPartitionsToTxnResponse.resultForTransaction] */
function resultsOf(
  partitions: readonly TopicPartition[],
  errorOf: (partition: TopicPartition, index: number) => number,
): TopicResults {
  const errors = new Map<string, Map<number, number>>();
  for (const [index, each] of partitions.entries()) {
    const ofTopic = errors.get(each.topic) ?? new Map<number, number>();
    errors.set(each.topic, ofTopic.set(each.partition, errorOf(each, index)));
  }
  return Array.from(errors, ([name, ofTopic]) => ({
    name,
    resultsByPartition: Array.from(ofTopic, ([partitionIndex, partitionErrorCode]) => ({
      partitionIndex,
      partitionErrorCode,
    })),
  }));
}
