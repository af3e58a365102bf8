import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import type { Handler, RequestContext, RequestOf } from '../handler.ts';
import { answerableError, partitionOf } from '../partitionLookup.ts';

/** Behind the name of a topic while one of its replicas moves: `-PARTITION.UUID-future`. [UnifiedLog.logFutureDirName] */
const movingSuffix = (partition: number): string => `-${partition}.${'0'.repeat(32)}-future`;
const maxFolderName = 255;

/** Versions 1-2: 2 flexible. A broker has one log directory: a replica can only be told to stay where it is. */
export const alterReplicaLogDirs: Handler<'alterReplicaLogDirs'> = {
  versions: [1, 2],
  *handle(request, context) {
    const isAllowed = context.access.may('alter', 'cluster');
    const results = new Map<string, Map<number, ErrorName>>();
    for (const [topic, partition, path] of movesOf(request)) {
      yield;
      const partitions = results.get(topic) ?? new Map<number, ErrorName>();
      results.set(topic, partitions);
      const error = isAllowed ? move(topic, partition, path, context) : 'CLUSTER_AUTHORIZATION_FAILED'; // prettier-ignore
      partitions.set(partition, error);
    }
    return {
      results: [...results].map(([topicName, partitions]) => ({
        topicName,
        partitions: [...partitions].map(([partitionIndex, error]) => ({
          partitionIndex,
          errorCode: errorCodes[error],
        })),
      })),
    };
  },
};

function* movesOf({ dirs }: RequestOf<'alterReplicaLogDirs'>) {
  for (const { path, topics } of dirs)
    for (const { name, partitions } of topics)
      for (const partition of partitions) yield [name, partition, path] as const;
}

/** [ReplicaManager.alterReplicaLogDirs] */
function move(topic: string, partition: number, path: string, { node }: RequestContext): ErrorName {
  if (topic.length + movingSuffix(partition).length > maxFolderName)
    return 'INVALID_TOPIC_EXCEPTION';
  if (path !== node.directory) return 'LOG_DIR_NOT_FOUND';
  try {
    partitionOf(node, topic, partition);
    return 'NONE';
  } catch (error) {
    return answerableError(node, 'moving a replica', error);
  }
}
