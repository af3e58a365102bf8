import { mapEachInSteps, mapInSteps, type Steps, workOnEach } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { Handler, RequestOf } from '../handler.ts';
import { answerableError, leaderOf } from '../partitionLookup.ts';

type Topic = RequestOf<'offsetForLeaderEpoch'>['topics'][number];

/** Versions 2-4: 3 replica id, so that debugging consumers may ask followers; 4 flexible. [KIP-320] */
export const offsetForLeaderEpoch: Handler<'offsetForLeaderEpoch'> = {
  versions: [2, 4],
  async handle(request, { node, access, inTurns }) {
    // Brokers asked this once, consumers do now.
    const isBroker = access.may('clusterAction', 'cluster');
    const mayDescribe = access.filter('describe', 'topic');
    const endOf = async (topic: string, asked: Topic['partitions'][number]) => {
      const { partition: index, currentLeaderEpoch, leaderEpoch: epoch } = asked;
      try {
        const leader = leaderOf(node, topic, index, currentLeaderEpoch);
        const { leaderEpoch, endOffset } = await leader.endOffsetForEpoch(epoch);
        return { partition: index, errorCode: errorCodes.NONE, leaderEpoch, endOffset };
      } catch (error) {
        const name = answerableError(node, `OffsetForLeaderEpoch of ${topic}`, error);
        return { partition: index, errorCode: errorCodes[name] };
      }
    };
    const endsOf = async ({ topic, partitions }: Topic) => ({
      topic,
      partitions: await workOnEach(partitions, (asked) => endOf(topic, asked), inTurns),
    });
    const isAllowed = ({ topic }: Topic) => isBroker || mayDescribe(topic);
    const { allowed, refused } = await inTurns(parted(request.topics, isAllowed));
    const ends = await workOnEach(allowed, endsOf, inTurns);
    if (refused.length === 0) return { topics: ends };
    return { topics: [...ends, ...(await inTurns(mapEachInSteps(refused, refusal)))] };
  },
};

/** What is refused is answered last. [KafkaApis.handleOffsetForLeaderEpochRequest] */
function* parted(
  topics: readonly Topic[],
  isAllowed: (topic: Topic) => boolean,
): Steps<{ readonly allowed: readonly Topic[]; readonly refused: readonly Topic[] }> {
  const allowed: Topic[] = [];
  const refused: Topic[] = [];
  for (const topic of topics) {
    (isAllowed(topic) ? allowed : refused).push(topic);
    yield;
  }
  return { allowed, refused };
}

function* refusal({ topic, partitions: asked }: Topic) {
  const errorCode = errorCodes.TOPIC_AUTHORIZATION_FAILED;
  const partitions = yield* mapInSteps(asked, ({ partition }) => ({ partition, errorCode }));
  return { topic, partitions };
}
