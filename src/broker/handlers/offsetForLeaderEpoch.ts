import { workOnEach } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { Handler } from '../handler.ts';
import { answerableError, leaderOf } from '../partitionLookup.ts';

/** Versions 2-4: 3 replica id, so that debugging consumers may ask followers; 4 flexible. [KIP-320] */
export const offsetForLeaderEpoch: Handler<'offsetForLeaderEpoch'> = {
  versions: [2, 4],
  async handle(request, { node, access, inTurns }) {
    // Brokers asked this once, consumers do now.
    const isBroker = access.may('clusterAction', 'cluster');
    const mayDescribe = access.filter('describe', 'topic');
    const endOf = async (
      topic: string,
      asked: (typeof request.topics)[number]['partitions'][number],
    ) => {
      const { partition: index, currentLeaderEpoch, leaderEpoch: epoch } = asked;
      if (!isBroker && !mayDescribe(topic)) {
        return { partition: index, errorCode: errorCodes.TOPIC_AUTHORIZATION_FAILED };
      }
      try {
        const leader = leaderOf(node, topic, index, currentLeaderEpoch);
        const { leaderEpoch, endOffset } = await leader.endOffsetForEpoch(epoch);
        return { partition: index, errorCode: errorCodes.NONE, leaderEpoch, endOffset };
      } catch (error) {
        const name = answerableError(node, `OffsetForLeaderEpoch of ${topic}`, error);
        return { partition: index, errorCode: errorCodes[name] };
      }
    };
    const endsOf = async ({ topic, partitions }: (typeof request.topics)[number]) => ({
      topic,
      partitions: await workOnEach(partitions, (asked) => endOf(topic, asked), inTurns),
    });
    return { topics: await workOnEach(request.topics, endsOf, inTurns) };
  },
};
