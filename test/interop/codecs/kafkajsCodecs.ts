import kafkajs from 'kafkajs';
import {
  type CompressionType,
  compress,
  decompress,
} from '../../../src/protocol/records/compression.ts';
import { type CodecClient, CODECS, ValueCollector } from './codecClient.ts';

const { CompressionCodecs, CompressionTypes, Kafka, logLevel } = kafkajs;
const MAX_BYTES = 10_000_000;

// kafkajs carries gzip and leaves the others to plug-ins. These are ours, so for them its column proves
// kafkajs's framing of batches, and our codecs against everybody else's.
const plugIn = (codec: CompressionType) => () => ({
  compress: (encoder: { buffer: Buffer }) => Promise.resolve(compress(codec, encoder.buffer)),
  decompress: (bytes: Buffer) => Promise.resolve(decompress(codec, bytes, MAX_BYTES)),
});
const TYPES = {
  none: CompressionTypes.None,
  gzip: CompressionTypes.GZIP,
  snappy: CompressionTypes.Snappy,
  lz4: CompressionTypes.LZ4,
  zstd: CompressionTypes.ZSTD,
};
CompressionCodecs[CompressionTypes.Snappy] = plugIn('snappy');
CompressionCodecs[CompressionTypes.LZ4] = plugIn('lz4');
CompressionCodecs[CompressionTypes.ZSTD] = plugIn('zstd');

const connect = (bootstrap: string) =>
  new Kafka({ clientId: 'codecs', brokers: [bootstrap], logLevel: logLevel.NOTHING });

export const kafkajsCodecs: CodecClient = {
  name: 'kafkajs',

  async produce(bootstrap, topic, values) {
    const producer = connect(bootstrap).producer();
    await producer.connect();
    for (const codec of CODECS) {
      const partition = CODECS.indexOf(codec);
      const messages = values.map((value) => ({ value, partition }));
      await producer.send({ topic, messages, compression: TYPES[codec] });
    }
    await producer.disconnect();
  },

  async consume(bootstrap, topics, count) {
    const groupId = `codecs-${topics[0]}`;
    const consumer = connect(bootstrap).consumer({ groupId });
    const collector = new ValueCollector();
    const wanted = topics.length * CODECS.length * count;
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    const { promise: enough, resolve, reject } = Promise.withResolvers<undefined>();
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    await consumer.run({
      eachMessage: ({ topic, partition, message }) => {
        collector.add(topic, partition, message.value ?? Buffer.alloc(0));
        if (collector.count >= wanted) resolve(undefined);
        return Promise.resolve();
      },
    });
    await enough;
    await consumer.disconnect();
    return collector.values;
  },
};
