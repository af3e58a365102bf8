import { workOnEach } from '../../base/turns.ts';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { noLeaderEpoch } from '../../protocol/records/recordBatch.ts';
import { lastSequence } from '../../storage/producerEntry.ts';
import type { BrokerNode } from '../brokerNode.ts';
import { topicNameProblem } from '../controller/topicNames.ts';
import type { Handler, RequestContext, ResponseOf } from '../handler.ts';
import { answerableError, leaderOf } from '../partitionLookup.ts';

type Topic = NonNullable<ResponseOf<'describeProducers'>['topics']>[number];
type Partition = NonNullable<Topic['partitions']>[number];

/** Version 0. What each log remembers of its producers. [KIP-664] */
export const describeProducers: Handler<'describeProducers'> = {
  versions: [0, 0],
  isReport: () => true,
  async handle(request, context) {
    const { node, inTurns } = context;
    const describe = async ({ name, partitionIndexes }: (typeof request.topics)[number]) => {
      const refused = refusalOf(name, context);
      const describePartition = async (partitionIndex: number): Promise<Partition> => {
        if (!refused) return producersOf(node, name, partitionIndex);
        const { error, message: errorMessage } = refused;
        return { partitionIndex, errorCode: errorCodes[error], errorMessage };
      };
      return { name, partitions: await workOnEach(partitionIndexes, describePartition, inTurns) };
    };
    return { topics: await workOnEach(request.topics, describe, inTurns) };
  },
};

function refusalOf(
  name: string,
  { node, access }: RequestContext,
): { readonly error: ErrorName; readonly message: string } | undefined {
  const problem = topicNameProblem(name);
  if (problem) return { error: 'INVALID_TOPIC_EXCEPTION', message: problem };
  if (!access.may('read', 'topic', name)) {
    const message = `No ACL allows the client to read the topic ${name}.`;
    return { error: 'TOPIC_AUTHORIZATION_FAILED', message };
  }
  if (node.image.topic(name)) return undefined;
  return {
    error: 'UNKNOWN_TOPIC_OR_PARTITION',
    message: 'This server does not host this topic-partition.',
  };
}

async function producersOf(
  node: BrokerNode,
  topic: string,
  partitionIndex: number,
): Promise<Partition> {
  try {
    const { log } = leaderOf(node, topic, partitionIndex, noLeaderEpoch);
    const producers = await log.activeProducers();
    const activeProducers = producers.map((entry) => ({
      producerId: entry.producerId,
      producerEpoch: entry.producerEpoch,
      lastSequence: lastSequence(entry),
      lastTimestamp: entry.lastTimestamp,
      coordinatorEpoch: entry.coordinatorEpoch,
      currentTxnStartOffset: entry.transactionFirstOffset ?? -1n,
    }));
    return { partitionIndex, activeProducers };
  } catch (error) {
    const name = answerableError(node, `the producers of ${topic}-${partitionIndex}`, error);
    return { partitionIndex, errorCode: errorCodes[name] };
  }
}
