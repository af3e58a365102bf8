import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { StorageError } from '../../storage/storageError.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { checkLeaderEpoch } from '../leaderEpochCheck.ts';
import type { Partition } from '../partition.ts';

type Asked = RequestOf<'listOffsets'>['topics'][number]['partitions'][number];
type TopicAnswer = NonNullable<ResponseOf<'listOffsets'>['topics']>[number];
type PartitionAnswer = NonNullable<TopicAnswer['partitions']>[number];

/** Timestamps with a meaning of their own. [ListOffsetsRequest] */
const special = {
  latest: -1n,
  earliest: -2n,
  maxTimestamp: -3n,
  earliestLocal: -4n,
  latestTiered: -5n,
  earliestPendingUpload: -6n,
} as const;

/** The version that first knew each of them. */
const firstVersions = new Map<bigint, number>([
  [special.maxTimestamp, 7],
  [special.earliestLocal, 8],
  [special.latestTiered, 9],
  [special.earliestPendingUpload, 11],
]);

const readCommitted = 1;
const consumer = -1;

/**
 * Versions 1-11: 2 isolation (KIP-98); 4 leader epochs (KIP-320); 6 flexible; 7 max timestamp (KIP-734);
 * 8 earliest local (KIP-405); 9 latest tiered (KIP-1005); 10 timeout (KIP-1075); 11 earliest pending upload
 * (KIP-1023). There is no tiered storage here, so nothing is ever tiered or pending.
 */
export const listOffsets: Handler<'listOffsets'> = {
  versions: [1, 11],
  async handle(request, context) {
    const topics = await Promise.all(
      request.topics.map(async ({ name, partitions }): Promise<TopicAnswer> => {
        const answers = partitions.map((asked) => answer(name, asked, request, context));
        return { name, partitions: await Promise.all(answers) };
      }),
    );
    return { topics };
  },
};

async function answer(
  topic: string,
  asked: Asked,
  request: RequestOf<'listOffsets'>,
  { node, apiVersion }: RequestContext,
): Promise<PartitionAnswer> {
  const { partitionIndex, timestamp, currentLeaderEpoch } = asked;
  const fail = (error: ErrorName): PartitionAnswer => ({
    partitionIndex,
    errorCode: errorCodes[error],
  });
  const partition = node.partition(topic, partitionIndex);
  if (!partition) return fail('UNKNOWN_TOPIC_OR_PARTITION');
  if (timestamp < 0n && !isKnown(timestamp, apiVersion)) return fail('UNSUPPORTED_VERSION');
  const problem = checkLeaderEpoch(partition, currentLeaderEpoch);
  if (problem) return fail(problem);
  try {
    const isCommitted = request.isolationLevel === readCommitted;
    const latest = latestOf(partition, request.replicaId, isCommitted);
    return { partitionIndex, ...(await offsetFor(partition, timestamp, latest)) };
  } catch (error) {
    if (error instanceof StorageError) return fail(error.error);
    throw error;
  }
}

function isKnown(timestamp: bigint, apiVersion: number): boolean {
  const lowest = special.earliestPendingUpload;
  return timestamp >= lowest && apiVersion >= (firstVersions.get(timestamp) ?? 0);
}

function latestOf({ log }: Partition, replicaId: number, isCommitted: boolean): bigint {
  if (replicaId !== consumer) return log.logEndOffset;
  return isCommitted ? log.lastStableOffset : log.highWatermark;
}

type Found = Pick<PartitionAnswer, 'offset' | 'timestamp' | 'leaderEpoch'>;

const nothing: Found = { offset: -1n, timestamp: -1n, leaderEpoch: -1 };

async function offsetFor(
  { log, leaderEpoch }: Partition,
  timestamp: bigint,
  latest: bigint,
): Promise<Found> {
  switch (timestamp) {
    case special.latest:
      return { offset: latest, timestamp: -1n, leaderEpoch };
    case special.earliest:
    case special.earliestLocal: {
      const offset = log.logStartOffset;
      return { offset, timestamp: -1n, leaderEpoch: await log.epochForOffset(offset) };
    }
    case special.latestTiered:
    case special.earliestPendingUpload:
      return nothing;
    default: {
      const found =
        timestamp === special.maxTimestamp
          ? await log.offsetOfMaxTimestamp()
          : await log.offsetForTimestamp(timestamp);
      // What a reader may not see yet is not an answer. [Partition.fetchOffsetForTimestamp]
      return found && found.offset < latest ? found : nothing;
    }
  }
}
