/** Where the last stable offset stands on partitions that have records beyond it, and who holds it there. */
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { openProducers, transactionsOf } from '../../client/admin/openTransactions.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import { valueOf } from '../../client/outcome.ts';
import type { TopicPartition } from '../../client/partitionMap.ts';
import { sleep } from '../../client/waiting.ts';
import type { HeldBack } from '../../shared/contracts/tailProgress.ts';
import { readOffsets } from '../topicReads.ts';

/** As many as can be listed; a tail of more names the first. */
const mostPartitions = 20;
const lookEveryMs = 2000;
/** Whoever holds it back is asked for less often the longer it stays the same. */
const longestPauseMs = 30_000;

/** Partitions on which an open transaction holds back the last stable offset; none where there is no such. */
export async function readHeldBack(
  client: KafkaClient,
  partitions: readonly TopicPartition[],
  signal?: AbortSignal,
): Promise<HeldBack[]> {
  const held: (TopicPartition & { lastStable: bigint; highWatermark: bigint })[] = [];
  for (const { topic, partition, value } of await readOffsets(client, partitions, { signal })) {
    if (!('value' in value)) continue;
    const { lastStable, highWatermark } = value.value;
    if (lastStable < highWatermark) held.push({ topic, partition, lastStable, highWatermark });
  }
  const named = held.slice(0, mostPartitions);
  if (named.length === 0) return [];
  const holders = await holdersOf(client, named, signal);
  return named.map(({ partition, lastStable, highWatermark }) => ({
    partition,
    lastStableOffset: String(lastStable),
    waiting: String(highWatermark - lastStable),
    ...holders.get(partition),
  }));
}

type Holder = Pick<HeldBack, 'producer' | 'transaction'>;

/** What cannot be told, as an old server has no word for it or forbids it, is left out. */
async function holdersOf(
  client: KafkaClient,
  partitions: readonly TopicPartition[],
  signal?: AbortSignal,
): Promise<Map<number, Holder>> {
  const holders = new Map<number, Holder>();
  try {
    const described = await openProducers(client, partitions, { signal });
    const first = [...described].flatMap(({ partition, value }) => {
      const [producer] = 'value' in value ? valueOf(value) : [];
      return producer ? [{ partition, producer }] : [];
    });
    if (first.length === 0) return holders;
    const ids = [...new Set(first.map(({ producer }) => producer.producerId))];
    const transactions = await transactionsOf(client, ids, { signal });
    for (const { partition, producer } of first) {
      const { producerId, producerEpoch } = producer;
      const transaction = transactions.get(producerId);
      holders.set(partition, {
        producer: { id: String(producerId), epoch: producerEpoch },
        ...(transaction && {
          transaction: {
            id: transaction.transactionalId,
            startTimeMs: Number(transaction.startTimeMs),
            timeoutMs: transaction.timeoutMs,
          },
        }),
      });
    }
  } catch {
    signal?.throwIfAborted();
  }
  return holders;
}

export interface StableWatchOptions {
  readonly client: KafkaClient;
  readonly clock: Clock;
  /** Where records wait for a transaction, as far as is known without asking. None: nobody is asked. */
  readonly suspects: () => readonly TopicPartition[];
  /** Told when something changed. */
  readonly onChange: () => void;
}

/** Looks again and again, for as long as the tail lives. */
export class StableWatch implements Disposable {
  readonly #options: StableWatchOptions;
  readonly #end = new AbortController();
  #heldBack: readonly HeldBack[] = [];
  #suspects = '';
  #pauseMs = 0;
  #askAtMs = 0;

  constructor(options: StableWatchOptions) {
    this.#options = options;
    // Ends with the tail; what a cluster cannot answer now it is asked again.
    this.#run().catch(() => undefined);
  }

  get heldBack(): readonly HeldBack[] {
    return this.#heldBack;
  }

  dispose(): void {
    this.#end.abort();
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#end;
    while (!signal.aborted) {
      await this.#look();
      await sleep(clock, lookEveryMs, signal);
    }
  }

  async #look(): Promise<void> {
    const { client, clock, suspects, onChange } = this.#options;
    const present = suspects();
    const names = JSON.stringify(present);
    if (names !== this.#suspects) this.#pauseMs = this.#askAtMs = 0;
    this.#suspects = names;
    if (clock.monotonicMs() < this.#askAtMs) return;
    try {
      const found = present.length ? await readHeldBack(client, present, this.#end.signal) : [];
      const isSame = JSON.stringify(found) === JSON.stringify(this.#heldBack);
      this.#heldBack = found;
      if (!isSame) {
        this.#pauseMs = 0;
        onChange();
      }
    } catch {
      this.#end.signal.throwIfAborted();
    }
    this.#pauseMs = Math.min(longestPauseMs, Math.max(lookEveryMs, 2 * this.#pauseMs));
    this.#askAtMs = clock.monotonicMs() + this.#pauseMs;
  }
}
