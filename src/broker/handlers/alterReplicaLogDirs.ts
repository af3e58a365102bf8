import { mapEachInSteps, mapInSteps, type Steps } from '../../base/turns.ts';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { isCordoned } from '../config/cordonedLogDirs.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { answerableError, partitionOf } from '../partitionLookup.ts';

type Response = ResponseOf<'alterReplicaLogDirs'>;

/**
 * Behind the name of a topic while one of its replicas moves: `-PARTITION.UUID-future`. [UnifiedLog.logFutureDirName]
 */
const movingSuffix = (partition: number): string => `-${partition}.${'0'.repeat(32)}-future`;
const maxFolderName = 255;

interface Move {
  readonly topic: string;
  readonly partition: number;
  readonly path: string;
}

/** Versions 1-2: 2 flexible. A broker has one log directory: a replica can only be told to stay where it is. */
export const alterReplicaLogDirs: Handler<'alterReplicaLogDirs'> = {
  versions: [1, 2],
  *handle(request, { access, node }) {
    if (!access.may('alter', 'cluster')) return { results: yield* refused(request) };
    const results = new Map<string, Map<number, ErrorName>>();
    for (const each of movesOf(request)) {
      yield;
      const { topic, partition } = each;
      const partitions = results.get(topic) ?? new Map<number, ErrorName>();
      results.set(topic, partitions);
      partitions.set(partition, move(each, node));
    }
    const answers = mapEachInSteps(results, function* ([topicName, errors]) {
      const partitions = yield* mapInSteps(errors, ([partitionIndex, error]) => ({
        partitionIndex,
        errorCode: errorCodes[error],
      }));
      return { topicName, partitions };
    });
    return { results: yield* answers };
  },
};

/** As it is asked. [AlterReplicaLogDirsRequest.getErrorResponse] */
function* refused({
  dirs,
}: RequestOf<'alterReplicaLogDirs'>): Steps<NonNullable<Response['results']>> {
  const errorCode = errorCodes.CLUSTER_AUTHORIZATION_FAILED;
  const results: NonNullable<Response['results']>[number][] = [];
  for (const { topics } of dirs)
    for (const { name: topicName, partitions } of topics) {
      const refuse = (partitionIndex: number) => ({ partitionIndex, errorCode });
      results.push({ topicName, partitions: yield* mapInSteps(partitions, refuse) });
      yield;
    }
  return results;
}

function* movesOf({ dirs }: RequestOf<'alterReplicaLogDirs'>): Iterable<Move> {
  for (const { path, topics } of dirs)
    for (const { name: topic, partitions } of topics)
      for (const partition of partitions) yield { topic, partition, path };
}

/** [ReplicaManager.alterReplicaLogDirs] */
function move({ topic, partition, path }: Move, node: RequestContext['node']): ErrorName {
  if (topic.length + movingSuffix(partition).length > maxFolderName)
    return 'INVALID_TOPIC_EXCEPTION';
  if (path !== node.directory) return 'LOG_DIR_NOT_FOUND';
  if (isCordoned(node.cluster.config)) return 'INVALID_REPLICA_ASSIGNMENT';
  try {
    partitionOf(node, topic, partition);
    return 'NONE';
  } catch (error) {
    return answerableError(node, 'moving a replica', error);
  }
}
