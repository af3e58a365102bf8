import { statfs } from 'node:fs/promises';
import { filterInSteps, type Steps, workOnEach } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { isCordoned } from '../config/cordonedLogDirs.ts';
import type { BrokerNode } from '../brokerNode.ts';
import type { Handler, RequestOf, ResponseOf } from '../handler.ts';
import type { Partition } from '../partition.ts';

type TopicResponse = NonNullable<
  NonNullable<ResponseOf<'describeLogDirs'>['results']>[number]['topics']
>[number];

/** Versions 1-5: 2 flexible; 3 a top-level error; 4 the volume's size (KIP-827); 5 cordoned directories (KIP-1066). */
export const describeLogDirs: Handler<'describeLogDirs'> = {
  versions: [1, 5],
  isReport: () => true,
  async handle(request, { node, access, inTurns }) {
    if (!access.may('describe', 'cluster')) {
      return { errorCode: errorCodes.CLUSTER_AUTHORIZATION_FAILED, results: [] };
    }
    const asked = await inTurns(askedPartitions(node, request));
    // Only an open log knows its size.
    await workOnEach(asked, ({ log }) => log.tryOpen(), inTurns);
    const online = await inTurns(filterInSteps(asked, ({ log }) => log.problem === undefined));
    const volume = await statfs(node.directory, { bigint: true }).catch(() => undefined);
    const result = {
      errorCode: errorCodes.NONE,
      logDir: node.directory,
      isCordoned: isCordoned(node.cluster.config),
      topics: await inTurns(byTopic(online)),
      totalBytes: volume ? volume.blocks * volume.bsize : -1n,
      usableBytes: volume ? volume.bavail * volume.bsize : -1n,
    };
    return { results: [result] };
  },
};

function* askedPartitions(
  node: BrokerNode,
  { topics }: RequestOf<'describeLogDirs'>,
): Steps<Partition[]> {
  if (topics === null) return [...node.partitions()];
  const asked = new Map<string, Set<number>>();
  for (const { topic, partitions } of topics) {
    const indexes = asked.get(topic) ?? new Set<number>();
    asked.set(topic, indexes);
    for (const index of partitions) {
      indexes.add(index);
      yield;
    }
    yield;
  }
  return yield* filterInSteps(
    [...node.partitions()],
    ({ topic, partition }) => asked.get(topic)?.has(partition) ?? false,
  );
}

function* byTopic(partitions: readonly Partition[]): Steps<TopicResponse[]> {
  const topics = new Map<string, NonNullable<TopicResponse['partitions']>[number][]>();
  for (const { topic, partition: partitionIndex, log } of partitions) {
    const list = topics.get(topic) ?? [];
    topics.set(topic, list);
    list.push({ partitionIndex, partitionSize: BigInt(log.sizeInBytes), offsetLag: 0n });
    yield;
  }
  return [...topics].map(([name, list]) => ({ name, partitions: list }));
}
