import type { KafkaClient } from './kafkaClient.ts';

export interface RecordHeader {
  readonly key: string;
  readonly value: Uint8Array | null;
}

export interface RecordToProduce {
  readonly topic: string;
  /** Null: chosen from the key (murmur2), or at random without a key. */
  readonly partition: number | null;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: readonly RecordHeader[];
  /** Milliseconds since the epoch; left out: now. */
  readonly timestamp?: bigint;
}

export interface ProduceOptions {
  /** -1 (all): every in-sync replica. Default -1. */
  readonly acks?: -1 | 0 | 1;
  readonly compression?: 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd';
  readonly signal?: AbortSignal | undefined;
}

export interface ProducedRecord {
  readonly partition: number;
  /** -1 with acks 0. */
  readonly offset: bigint;
  readonly timestamp: bigint;
}

/** Sends one record and waits for its acknowledgement. */
export function produce(
  _client: KafkaClient,
  _record: RecordToProduce,
  _options?: ProduceOptions,
): Promise<ProducedRecord> {
  return Promise.reject(new Error('not there yet'));
}
