import { errorCodes } from '../../protocol/errors.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { checkLeaderEpoch } from '../leaderEpochCheck.ts';

type Asked = RequestOf<'offsetForLeaderEpoch'>['topics'][number]['partitions'][number];
type TopicAnswer = NonNullable<ResponseOf<'offsetForLeaderEpoch'>['topics']>[number];
type PartitionAnswer = NonNullable<TopicAnswer['partitions']>[number];

/** Versions 2-4: 2 current leader epoch (KIP-320); 3 replica id; 4 flexible. */
export const offsetForLeaderEpoch: Handler<'offsetForLeaderEpoch'> = {
  versions: [2, 4],
  async handle(request, context) {
    const topics = await Promise.all(
      request.topics.map(async ({ topic, partitions }): Promise<TopicAnswer> => {
        const answers = partitions.map((asked) => answer(topic, asked, context));
        return { topic, partitions: await Promise.all(answers) };
      }),
    );
    return { topics };
  },
};

async function answer(
  topic: string,
  asked: Asked,
  { node }: RequestContext,
): Promise<PartitionAnswer> {
  const partition = node.partition(topic, asked.partition);
  const problem = partition
    ? checkLeaderEpoch(partition, asked.currentLeaderEpoch)
    : 'UNKNOWN_TOPIC_OR_PARTITION';
  if (!partition || problem) {
    return { partition: asked.partition, errorCode: errorCodes[problem ?? 'NONE'] };
  }
  // The epoch that is still being written ends where the log does.
  const { leaderEpoch, endOffset } =
    asked.leaderEpoch === partition.leaderEpoch
      ? { leaderEpoch: partition.leaderEpoch, endOffset: partition.log.logEndOffset }
      : await partition.log.endOffsetForEpoch(asked.leaderEpoch);
  return { partition: asked.partition, leaderEpoch, endOffset };
}
