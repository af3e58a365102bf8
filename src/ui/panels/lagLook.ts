/** A look at what lags are made of, over several partitions, with one budget for all. */
import type { KafkaClient } from '../../client/kafkaClient.ts';
import { throwIfCancelled } from '../../client/kafkaError.ts';
import { mapBounded } from '../../client/outcome.ts';
import { type Looked, readableLag } from '../../cluster/lag/lagReadable.ts';
import type { ReadablePartition } from '../../shared/contracts/lag.ts';
import { readablePartitionOf } from './lagMessages.ts';
import { toUserError } from './words.ts';

/** What one look reads at most, of all partitions together. */
const mostBytes = 64 * 1024 * 1024;
const mostBatches = 200_000;
const partitionsAtOnce = 3;

export interface LookProgress {
  readonly done: bigint;
  readonly total: bigint;
}

/** Each partition has its own outcome. Rejects only where it is cancelled. */
export async function lookAtLag(
  client: KafkaClient,
  partitions: readonly Looked[],
  onProgress: (progress: LookProgress) => void,
  signal: AbortSignal,
): Promise<ReadablePartition[]> {
  const budget = { bytes: mostBytes, batches: mostBatches };
  const total = partitions.reduce((sum, of) => sum + offsetsToRead(of), 0n);
  let done = 0n;
  const more = (offsets: bigint): void => {
    done += offsets;
    onProgress({ done, total });
  };
  return mapBounded(partitions, partitionsAtOnce, async (looked) => {
    try {
      const options = { budget, onProgress: more, signal };
      return readablePartitionOf(await readableLag(client, looked, options));
    } catch (error) {
      throwIfCancelled(signal);
      return { ...nothingOf(looked), error: toUserError(error) };
    }
  });
}

function offsetsToRead({ committed, offsets: { logStart, lastStable } }: Looked): bigint {
  const from = committed < logStart ? logStart : committed;
  return lastStable > from ? lastStable - from : 0n;
}

function nothingOf({ topic, partition, committed, offsets }: Looked): ReadablePartition {
  const [none, end] = ['0', offsets.highWatermark];
  return {
    topic,
    partition,
    committed: committed.toString(),
    end: end.toString(),
    ...{ lost: none, records: none, markers: none, aborted: none, gaps: none, unstable: none },
    unread: (end - committed).toString(),
  };
}
