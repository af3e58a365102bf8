import { errorByCode, errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { lastSequence } from '../../storage/producerEntry.ts';
import { topicNameProblem } from '../controller/topicNames.ts';
import type { Handler, RequestContext, ResponseOf } from '../handler.ts';
import { answerableError, partitionOf } from '../partitionLookup.ts';

type TopicResponse = NonNullable<ResponseOf<'describeProducers'>['topics']>[number];
type PartitionResponse = NonNullable<TopicResponse['partitions']>[number];

/** Version 0 (KIP-664): who writes to partitions, and the open transactions there. */
export const describeProducers: Handler<'describeProducers'> = {
  versions: [0, 0],
  async handle({ topics }, context) {
    const answers = topics.map(async ({ name, partitionIndexes }) => ({
      name,
      partitions: await Promise.all(
        partitionIndexes.map((index) => describe(name, index, context)),
      ),
    }));
    return { topics: await Promise.all(answers) };
  },
};

async function describe(
  topic: string,
  partitionIndex: number,
  { node }: RequestContext,
): Promise<PartitionResponse> {
  const problem = topicNameProblem(topic);
  if (problem !== undefined) return refusal(partitionIndex, 'INVALID_TOPIC_EXCEPTION', problem);
  if (!node.image.topic(topic)) {
    const { name, description } = errorByCode(errorCodes.UNKNOWN_TOPIC_OR_PARTITION);
    return refusal(partitionIndex, name, description);
  }
  try {
    const producers = await partitionOf(node, topic, partitionIndex).log.activeProducers();
    return {
      partitionIndex,
      errorCode: errorCodes.NONE,
      activeProducers: producers.map((entry) => ({
        producerId: entry.producerId,
        producerEpoch: entry.producerEpoch,
        lastSequence: lastSequence(entry),
        lastTimestamp: entry.lastTimestamp,
        coordinatorEpoch: entry.coordinatorEpoch,
        currentTxnStartOffset: entry.transactionFirstOffset ?? -1n,
      })),
    };
  } catch (error) {
    return refusal(partitionIndex, answerableError(node, `the producers of ${topic}`, error), null);
  }
}

function refusal(
  partitionIndex: number,
  error: ErrorName,
  errorMessage: string | null,
): PartitionResponse {
  return { partitionIndex, errorCode: errorCodes[error], errorMessage };
}
