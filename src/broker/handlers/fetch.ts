import { deferred } from '../../base/deferred.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { StorageError } from '../../storage/storageError.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { checkLeaderEpoch } from '../leaderEpochCheck.ts';
import { type Partition, PartitionError } from '../partition.ts';
import { timeLimit } from '../timeLimit.ts';

type FetchRequest = RequestOf<'fetch'>;
type TopicAnswer = NonNullable<ResponseOf<'fetch'>['responses']>[number];
type PartitionAnswer = NonNullable<TopicAnswer['partitions']>[number];

const firstVersionWithTopicIds = 13;
const readCommitted = 1;
const noEpoch = -1;

/** One partition that is asked for, and where it is. */
interface Target {
  readonly topic: { readonly name: string; readonly topicId: string };
  readonly asked: FetchRequest['topics'][number]['partitions'][number];
  /** What stands in the way of reading it. */
  readonly problem?: ErrorName;
  readonly partition?: Partition;
}

interface Answer {
  readonly target: Target;
  readonly body: PartitionAnswer;
}

/**
 * Versions 4-18: 4 isolation; 5 log start offset; 7 sessions (KIP-227); 9 leader epochs (KIP-320); 11 rack;
 * 12 flexible, diverging epochs (KIP-595); 13 topic ids (KIP-516); 15 replica state; 16 node endpoints
 * (KIP-951); 17 directory ids; 18 high watermark of followers. Every answer is a full one: session id 0 tells
 * the client that there is no session, as Kafka does when its slots are taken.
 */
export const fetch: Handler<'fetch'> = {
  versions: [4, 18],
  async handle(request, context) {
    if (request.sessionId !== 0 && request.sessionEpoch > 0) {
      return { errorCode: errorCodes.FETCH_SESSION_ID_NOT_FOUND };
    }
    const targets = findTargets(request, context);
    return { responses: byTopic(await readWhenReady(request, targets, context)) };
  },
};

function findTargets(request: FetchRequest, { node, apiVersion }: RequestContext): Target[] {
  const usesIds = apiVersion >= firstVersionWithTopicIds;
  return request.topics.flatMap(({ topic: name, topicId, partitions }) => {
    const known = usesIds ? node.image.topicById(topicId) : node.image.topic(name);
    const topic = { name, topicId };
    return partitions.map((asked): Target => {
      if (!known) {
        const problem = usesIds ? 'UNKNOWN_TOPIC_ID' : 'UNKNOWN_TOPIC_OR_PARTITION';
        return { topic, asked, problem };
      }
      const partition = node.partition(known.name, asked.partition);
      if (!partition) return { topic, asked, problem: 'UNKNOWN_TOPIC_OR_PARTITION' };
      const problem = checkLeaderEpoch(partition, asked.currentLeaderEpoch);
      return problem ? { topic, asked, problem, partition } : { topic, asked, partition };
    });
  });
}

/** Reads at once, or when there is enough, or when the time is over. [DelayedFetch] */
async function readWhenReady(
  request: FetchRequest,
  targets: readonly Target[],
  context: RequestContext,
): Promise<Answer[]> {
  const { maxWaitMs, minBytes } = request;
  const limit = timeLimit(context.node.cluster.clock, Math.max(0, maxWaitMs), context.signal);
  const watch = watchForChanges(targets, context);
  try {
    for (;;) {
      const changed = watch.next();
      const answers = await readTargets(request, targets, context);
      const isReady =
        maxWaitMs <= 0 ||
        answers.length === 0 ||
        answers.some(endsTheWait) ||
        sizeOf(answers) >= minBytes;
      if (isReady) return answers;
      const isOver = await Promise.race([limit.over.then(() => true), changed.then(() => false)]);
      if (isOver) return await readTargets(request, targets, context);
    }
  } finally {
    watch.dispose();
    limit.dispose();
  }
}

function endsTheWait({ body }: Answer): boolean {
  return body.errorCode !== errorCodes.NONE || body.divergingEpoch !== undefined;
}

function sizeOf(answers: readonly Answer[]): number {
  return answers.reduce((sum, { body }) => sum + (body.records?.length ?? 0), 0);
}

/** Tells when any of the partitions has more to read; a change between two waits is not lost. */
function watchForChanges(
  targets: readonly Target[],
  { node }: RequestContext,
): { next(): Promise<void>; dispose(): void } {
  const store = new DisposableStore();
  let change = deferred<undefined>();
  const fire = (): void => change.resolve(undefined);
  for (const { partition } of targets) if (partition) store.add(partition.log.onDidChange(fire));
  store.add(node.onWillClose(fire));
  return {
    next() {
      change = deferred<undefined>();
      return change.promise;
    },
    dispose: () => store.dispose(),
  };
}

/** In order, each within what the ones before have left; the first that has data may go over all limits. [KIP-74] */
async function readTargets(
  request: FetchRequest,
  targets: readonly Target[],
  context: RequestContext,
): Promise<Answer[]> {
  let left = Math.min(request.maxBytes, context.node.cluster.config.number('fetch.max.bytes'));
  let isFirst = true;
  const answers: Answer[] = [];
  for (const target of targets) {
    const maxBytes = Math.min(Math.max(0, left), target.asked.partitionMaxBytes);
    const body = await readTarget(target, request, { maxBytes, minOneBatch: isFirst });
    const size = body.records?.length ?? 0;
    left -= size;
    if (size > 0) isFirst = false;
    answers.push({ target, body });
  }
  return answers;
}

async function readTarget(
  { partition, problem, asked }: Target,
  request: FetchRequest,
  limits: { maxBytes: number; minOneBatch: boolean },
): Promise<PartitionAnswer> {
  const partitionIndex = asked.partition;
  if (problem || !partition) return refused(partitionIndex, problem ?? 'UNKNOWN_SERVER_ERROR');
  const { log } = partition;
  try {
    const diverging = await divergingEpoch(partition, asked);
    if (diverging)
      return {
        ...offsetsOf(partition),
        partitionIndex,
        divergingEpoch: diverging,
        records: Buffer.alloc(0),
      };
    const isCommitted = request.isolationLevel === readCommitted;
    const result = await log.read({
      offset: asked.fetchOffset,
      upTo: isCommitted ? 'lastStable' : 'highWatermark',
      ...limits,
    });
    return {
      partitionIndex,
      highWatermark: result.highWatermark,
      lastStableOffset: result.lastStableOffset,
      logStartOffset: result.logStartOffset,
      abortedTransactions: isCommitted ? result.abortedTransactions : null,
      records: result.records,
    };
  } catch (error) {
    if (error instanceof StorageError) return refused(partitionIndex, error.error);
    if (error instanceof PartitionError) return refused(partitionIndex, error.error);
    throw error;
  }
}

/** Where the log parted from what the reader has: it must go back there. [KIP-595] */
async function divergingEpoch(
  partition: Partition,
  { lastFetchedEpoch, fetchOffset }: Target['asked'],
): Promise<{ epoch: number; endOffset: bigint } | undefined> {
  if (lastFetchedEpoch === noEpoch) return undefined;
  const { leaderEpoch, endOffset } = await partition.log.endOffsetForEpoch(lastFetchedEpoch);
  if (leaderEpoch === noEpoch) {
    throw new PartitionError('OFFSET_OUT_OF_RANGE', `epoch ${lastFetchedEpoch} is not known here`);
  }
  const isDiverging = leaderEpoch < lastFetchedEpoch || endOffset < fetchOffset;
  return isDiverging ? { epoch: leaderEpoch, endOffset } : undefined;
}

function offsetsOf({
  log,
}: Partition): Pick<PartitionAnswer, 'highWatermark' | 'lastStableOffset' | 'logStartOffset'> {
  const { highWatermark, lastStableOffset, logStartOffset } = log;
  return { highWatermark, lastStableOffset, logStartOffset };
}

function refused(partitionIndex: number, error: ErrorName): PartitionAnswer {
  return {
    partitionIndex,
    errorCode: errorCodes[error],
    highWatermark: -1n,
    lastStableOffset: -1n,
    logStartOffset: -1n,
    records: Buffer.alloc(0),
  };
}

function byTopic(answers: readonly Answer[]): TopicAnswer[] {
  const topics = new Map<Target['topic'], PartitionAnswer[]>();
  for (const { target, body } of answers) {
    const partitions = topics.get(target.topic);
    if (partitions) partitions.push(body);
    else topics.set(target.topic, [body]);
  }
  return [...topics].map(([{ name, topicId }, partitions]) => ({
    topic: name,
    topicId,
    partitions,
  }));
}
