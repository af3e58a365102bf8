// What the codec matrix asks of a client: to write with every codec, and to read whatever others wrote.
import type { CompressionType } from '../../../src/protocol/records/compression.ts';

/** In the order of Kafka's ids; the codec is also the number of the partition it is written to. */
export const CODECS: readonly CompressionType[] = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];

/** Values by topic and partition, in the order of their offsets. */
export type ValuesRead = ReadonlyMap<string, readonly Buffer[]>;

export interface CodecClient {
  /** As titles and the matrix name it. */
  readonly name: string;
  /** Writes the values to partition N of the topic with codec N, for each codec. */
  produce(bootstrap: string, topic: string, values: readonly Buffer[]): Promise<void>;
  /** Reads `count` records a partition, from the start of every partition of every topic. */
  consume(bootstrap: string, topics: readonly string[], count: number): Promise<ValuesRead>;
}

export const partitionKey = (topic: string, partition: number): string => `${topic} ${partition}`;

/** Values gathered one by one. */
export class ValueCollector {
  readonly values = new Map<string, Buffer[]>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(topic: string, partition: number, value: Buffer): void {
    this.#count++;
    const key = partitionKey(topic, partition);
    const list = this.values.get(key);
    if (list) list.push(value);
    else this.values.set(key, [value]);
  }
}

/** Reads lines of `topic partition base64`, as the programs in other languages print them. */
export function parseValueLines(output: string): ValuesRead {
  const collector = new ValueCollector();
  for (const line of output.split('\n').filter((text) => text !== '')) {
    const [topic = '', partition, base64 = ''] = line.split(' ');
    collector.add(topic, Number(partition), Buffer.from(base64, 'base64'));
  }
  return collector.values;
}

/** What those programs read: one value a line, in base64. */
export const toValueLines = (values: readonly Buffer[]): string =>
  values.map((value) => `${value.toString('base64')}\n`).join('');
