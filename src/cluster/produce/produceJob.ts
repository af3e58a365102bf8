import type { KafkaClient } from '../../client/kafkaClient.ts';
import { produceMany, type ProduceOptions, type RecordToProduce } from '../../client/produce.ts';
import { sleep } from '../../client/waiting.ts';

type Input = Omit<RecordToProduce, 'topic'>;

export interface ProduceJobOptions extends Omit<ProduceOptions, 'stamp'> {
  readonly topic: string;
  /** Records a second; null: as fast as the cluster takes them. */
  readonly perSecond: number | null;
  /** Told how many records have been acknowledged so far. */
  readonly onProgress: (acknowledged: number) => void;
}

/** Records that are under way at once. */
const chunkRecords = 1000;
const chunkBytes = 512 * 1024;
/** A slow rate still shows something moving. */
const chunksPerSecond = 10;

/**
 * Sends records one chunk after another, at a rate, until they end or the signal says so. Those of a partition
 * stay in order. Throws the first failure; what was acknowledged until then has been told.
 */
export async function produceAll(
  client: KafkaClient,
  records: AsyncIterable<Input> | Iterable<Input>,
  { topic, perSecond, onProgress, ...options }: ProduceJobOptions,
): Promise<void> {
  const { clock } = client;
  const startMs = clock.monotonicMs();
  const most =
    perSecond === null
      ? chunkRecords
      : Math.min(chunkRecords, Math.max(1, Math.ceil(perSecond / chunksPerSecond)));
  let acknowledged = 0;
  for await (const chunk of chunksOf(records, most)) {
    options.signal?.throwIfAborted();
    await produceMany(client, topic, chunk, {
      ...options,
      onProgress: (count) => onProgress(acknowledged + count),
    });
    acknowledged += chunk.length;
    if (perSecond === null) continue;
    const dueMs = startMs + (acknowledged / perSecond) * 1000;
    await sleep(clock, Math.max(0, dueMs - clock.monotonicMs()), options.signal);
  }
}

async function* chunksOf(
  records: AsyncIterable<Input> | Iterable<Input>,
  most: number,
): AsyncGenerator<Input[]> {
  let chunk: Input[] = [];
  let bytes = 0;
  for await (const record of records) {
    chunk.push(record);
    bytes += (record.key?.length ?? 0) + (record.value?.length ?? 0);
    if (chunk.length < most && bytes < chunkBytes) continue;
    yield chunk;
    chunk = [];
    bytes = 0;
  }
  if (chunk.length > 0) yield chunk;
}
