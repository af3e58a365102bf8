import type { KafkaClient } from '../../client/kafkaClient.ts';
import { sleep } from '../../client/waiting.ts';
import type { TailFeed } from './tailFeed.ts';
import { readHighWatermarks } from '../topicReads.ts';

/** How often it is looked. */
const intervalMs = 1000;

export interface BehindOptions {
  readonly client: KafkaClient;
  readonly topic: string;
  readonly feed: TailFeed;
  readonly signal: AbortSignal;
  readonly onCount: (behind: bigint) => void;
}

/** Counts again and again how many offsets lie before a feed that stands still, until it is aborted. */
export async function watchBehind(options: BehindOptions): Promise<void> {
  const { client, signal, onCount } = options;
  try {
    for (;;) {
      onCount(await countBehind(options));
      await sleep(client.clock, intervalMs, signal);
    }
  } catch {
    // Aborted, or the cluster is gone: reading will say so when it goes on.
  }
}

async function countBehind({ client, topic, feed, signal }: BehindOptions): Promise<bigint> {
  const { following } = feed;
  const partitions = [...following.keys()].map((partition) => ({ topic, partition }));
  let behind = 0n;
  for (const { partition, value } of await readHighWatermarks(client, partitions, { signal })) {
    const followed = following.get(partition);
    if (!followed) continue;
    const { to } = followed.range;
    const end = to !== null && to < value ? to : value;
    if (end > followed.next) behind += end - followed.next;
  }
  return behind;
}
