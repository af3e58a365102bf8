// Every codec, written and read by every client, through our broker and through Kafka.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import { before, describe, it } from 'mocha';
import { checkPage } from '../support/generatedPage.ts';
import { BROKERS } from './support/describeClient.ts';
import { untilServed } from './support/untilServed.ts';
import { type CodecClient, CODECS, partitionKey } from './codecs/codecClient.ts';
import { javaCodecs } from './codecs/javaCodecs.ts';
import { kafkajsCodecs } from './codecs/kafkajsCodecs.ts';
import { kcatCodecs } from './codecs/kcatCodecs.ts';
import { codecOnDisk } from './codecs/onDisk.ts';
import { ownCodecs } from './codecs/ownCodecs.ts';
import { pythonCodecs } from './codecs/pythonCodecs.ts';

const clients: readonly CodecClient[] = [
  kafkajsCodecs,
  kcatCodecs,
  javaCodecs,
  pythonCodecs,
  ownCodecs,
];

/** All bytes that there are, text of several lengths in UTF-8, and more than one block of any codec. */
const values: readonly Buffer[] = [
  Buffer.from(Array.from({ length: 4096 }, (_, i) => i & 0xff)),
  Buffer.from('고래 ä€🐙\r\n\t\0'.repeat(40)),
  Buffer.from(
    Array.from({ length: 5000 }, (_, i) => `{"order":${i},"amount":${(i * i) % 997}}`).join(),
  ),
  Buffer.alloc(300, 'a'),
];

/** By broker and partition key: how it lies on disk, and who read it as it was written. */
const found = new Map<string, { codec: string; readers: string[] }>();
const cell = (broker: string, client: CodecClient, codec: string) =>
  `${broker} ${client.name} ${codec}`;

for (const [broker, shared] of BROKERS)
  describe(`codecs of every client (${broker})`, function () {
    this.timeout(120_000);
    const prefix = `codecs-${randomUUID()}`;
    const topicOf = (client: CodecClient) => `${prefix}-${clients.indexOf(client)}`;
    let bootstrap: string;
    let dataDir: string;

    before(async () => {
      const server = await shared();
      bootstrap = server.bootstrap;
      dataDir = server.dataDir ?? '';
      await createTopics(bootstrap, clients.map(topicOf));
      for (const client of clients) await client.produce(bootstrap, topicOf(client), values);
    });

    for (const client of clients)
      it(`[A2] keeps what ${client.name} writes in the codec it was written in`, async () => {
        for (const [partition, codec] of CODECS.entries()) {
          const onDisk = await codecOnDisk(dataDir, `${topicOf(client)}-${partition}`);
          assert.equal(onDisk.split(' ')[0], codec);
          found.set(cell(broker, client, codec), { codec: onDisk, readers: [] });
        }
      });

    for (const reader of clients)
      it(`[A2] gives ${reader.name} what every client wrote with every codec, byte for byte`, async () => {
        const read = await reader.consume(bootstrap, clients.map(topicOf), values.length);
        for (const writer of clients)
          for (const [partition, codec] of CODECS.entries()) {
            const got = read.get(partitionKey(topicOf(writer), partition)) ?? [];
            const what = `${codec} of ${writer.name}, read by ${reader.name}`;
            assert.equal(got.length, values.length, what);
            values.forEach((value, i) => assert.ok(got[i]?.equals(value), `${what}: value ${i}`));
            found.get(cell(broker, writer, codec))?.readers.push(reader.name);
          }
      });
  });

describe('docs/codec-matrix.md', () => {
  it('[A2] says what was found, with both framings of snappy (embedded) (Kafka 4.4)', async () => {
    const page = matrixPage();
    assert.match(page, /snappy \(xerial\)/);
    assert.match(page, /snappy \(raw\)/);
    await checkPage('codec-matrix.md', page);
  });
});

async function createTopics(bootstrap: string, topics: readonly string[]): Promise<void> {
  const admin = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const numPartitions = CODECS.length;
  await admin.createTopics({ topics: topics.map((topic) => ({ topic, numPartitions })) });
  await admin.disconnect();
  for (const topic of topics) await untilServed(bootstrap, topic, numPartitions);
}

function matrixPage(): string {
  const brokers = BROKERS.map(([broker]) => broker);
  const rows = clients.flatMap((client) =>
    CODECS.map((codec) => {
      const cells = brokers.map((broker) => {
        const { codec: onDisk = '', readers = [] } = found.get(cell(broker, client, codec)) ?? {};
        return `${onDisk}; ${readers.length} of ${clients.length}`;
      });
      return `| ${client.name} | ${codec} | ${cells.join(' | ')} |`;
    }),
  );
  return `# Codecs

Written by \`test/interop/codecMatrix.test.ts\`, which fails if it finds anything else.

Each client wrote the same ${values.length} values with each codec; each then read all that the others wrote. A
cell says how the batches lie in the broker's log, and how many of the ${clients.length} clients read the values byte
for byte. The readers are the writers: ${clients.map(({ name }) => name).join(', ')}.

| Written by | Codec | ${brokers.join(' | ')} |
| --- | --- | ${brokers.map(() => '---').join(' | ')} |
${rows.join('\n')}

kafkajs brings gzip only. The test gives it our snappy, lz4 and zstd by its documented \`CompressionCodecs\`, so its
rows prove those codecs against the other clients, inside kafkajs's own batches.
`;
}
