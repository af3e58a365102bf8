import { addToSequence, noSequence } from '../protocol/records/recordBatch.ts';

/** Batches that are remembered of each producer, so that retries of them are known [ProducerStateEntry]. */
const rememberedBatches = 5;

/** What is remembered of a batch. */
export interface BatchMetadata {
  readonly lastSequence: number;
  readonly lastOffset: bigint;
  /** Last offset minus first offset, and likewise for the sequences. */
  readonly offsetDelta: number;
  readonly timestamp: bigint;
}

/** The state of one producer in one partition. */
export interface ProducerEntry {
  readonly producerId: bigint;
  /** -1: nothing was written under any epoch yet. */
  readonly producerEpoch: number;
  /** Epoch of the transaction coordinator that sent the last marker, -1 before the first. */
  readonly coordinatorEpoch: number;
  readonly lastTimestamp: bigint;
  /** Where the open transaction began, undefined where none is open. */
  readonly transactionFirstOffset: bigint | undefined;
  /** Oldest first, at most five, all of `producerEpoch`. */
  readonly batches: readonly BatchMetadata[];
}

export function newProducer(producerId: bigint): ProducerEntry {
  return {
    producerId,
    producerEpoch: -1,
    coordinatorEpoch: -1,
    lastTimestamp: -1n,
    transactionFirstOffset: undefined,
    batches: [],
  };
}

export function firstSequence(batch: BatchMetadata): number {
  // Adding 2^31 before subtracting walks back over the wrap from 0 to 2^31 - 1.
  return addToSequence(batch.lastSequence, 2 ** 31 - batch.offsetDelta);
}

export function firstOffset(batch: BatchMetadata): bigint {
  return batch.lastOffset - BigInt(batch.offsetDelta);
}

export function lastSequence(entry: ProducerEntry): number {
  return entry.batches.at(-1)?.lastSequence ?? noSequence;
}

/** The producer after one more batch of data. A new epoch forgets the batches of the old one. */
export function withBatch(
  entry: ProducerEntry,
  producerEpoch: number,
  batch: BatchMetadata,
): ProducerEntry {
  const earlier = producerEpoch === entry.producerEpoch ? entry.batches : [];
  return {
    ...entry,
    producerEpoch,
    lastTimestamp: batch.timestamp,
    batches: [...earlier.slice(1 - rememberedBatches), batch],
  };
}

/** The producer after the marker that ends its transaction [ProducerStateEntry.update]. */
export function withMarker(
  entry: ProducerEntry,
  marker: { producerEpoch: number; coordinatorEpoch: number; timestamp: bigint },
): ProducerEntry {
  return {
    ...entry,
    producerEpoch: marker.producerEpoch,
    coordinatorEpoch: marker.coordinatorEpoch,
    lastTimestamp: marker.timestamp,
    transactionFirstOffset: undefined,
    batches: marker.producerEpoch === entry.producerEpoch ? entry.batches : [],
  };
}
