import { statfs } from 'node:fs/promises';
import { errorCodes } from '../../protocol/errors.ts';
import type { Handler, RequestOf, ResponseOf } from '../handler.ts';
import type { Partition } from '../partition.ts';

type TopicResponse = NonNullable<
  NonNullable<ResponseOf<'describeLogDirs'>['results']>[number]['topics']
>[number];

/** Versions 1-5: 2 flexible; 3 a top-level error; 4 the volume's size (KIP-827); 5 cordoned directories (KIP-1066). */
export const describeLogDirs: Handler<'describeLogDirs'> = {
  versions: [1, 5],
  async handle(request, { node, access }) {
    if (!access.may('describe', 'cluster')) {
      return { errorCode: errorCodes.CLUSTER_AUTHORIZATION_FAILED, results: [] };
    }
    const asked = [...node.partitions()].filter(isAsked(request));
    for (const { log } of asked) await log.open(); // only an open log knows its size
    const volume = await statfs(node.directory, { bigint: true }).catch(() => undefined);
    const result = {
      errorCode: errorCodes.NONE,
      logDir: node.directory,
      topics: byTopic(asked),
      totalBytes: volume ? volume.blocks * volume.bsize : -1n,
      usableBytes: volume ? volume.bavail * volume.bsize : -1n,
    };
    return { results: [result] };
  },
};

function isAsked({ topics }: RequestOf<'describeLogDirs'>): (partition: Partition) => boolean {
  if (topics === null) return () => true;
  const asked = new Map(topics.map(({ topic, partitions }) => [topic, new Set(partitions)]));
  return ({ topic, partition }) => asked.get(topic)?.has(partition) ?? false;
}

function byTopic(partitions: readonly Partition[]): TopicResponse[] {
  const topics = new Map<string, NonNullable<TopicResponse['partitions']>[number][]>();
  for (const { topic, partition: partitionIndex, log } of partitions) {
    const list = topics.get(topic) ?? [];
    topics.set(topic, list);
    list.push({ partitionIndex, partitionSize: BigInt(log.sizeInBytes), offsetLag: 0n });
  }
  return [...topics].map(([name, list]) => ({ name, partitions: list }));
}
