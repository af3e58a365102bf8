import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { createTopic } from '../../src/client/admin/topics.ts';
import { KafkaClient } from '../../src/client/kafkaClient.ts';
import { keyPartitioners } from '../../src/client/partitioner.ts';
import { readRange } from '../../src/client/readRange.ts';
import {
  type CommandRecord,
  consoleProducerCommand,
  kcatCommand,
} from '../../src/cluster/produce/produceCommands.ts';
import type { KafkaRecord } from '../../src/protocol/records/recordReader.ts';
import { sharedEmbedded } from '../support/embedded.ts';
import { kafkaHome } from '../support/kafka/home.ts';
import { javaArguments } from '../support/kafka/java.ts';
import { run } from '../support/process.ts';

const plain: Omit<CommandRecord, 'topic'> = {
  partition: null,
  key: Buffer.from('O-1182'),
  value: Buffer.from('{"total": 42.5, "note": "100% of Ann\'s \\"order\\""}'),
  headers: [],
  timestamp: null,
  acks: 'all',
  compression: 'none',
  isIdempotent: false,
};

/** Records that a shell could spoil. */
const records: Record<string, Omit<CommandRecord, 'topic'>> = {
  'text with quotes, backslashes and percent signs': plain,
  'no key': { ...plain, key: null },
  'a tombstone with headers': {
    ...plain,
    value: null,
    headers: [
      { key: 'trace', value: Buffer.from('a b') },
      { key: 'trace', value: null },
      { key: 'name', value: Buffer.from("it's 日本") },
    ],
  },
  'compressed, idempotent': { ...plain, compression: 'gzip', isIdempotent: true },
  'acks 1': { ...plain, acks: '1' },
};
const bytes: Omit<CommandRecord, 'topic'> = {
  ...plain,
  partition: 2,
  key: Buffer.from([0xff, 0x27, 0x0a]),
  value: Buffer.from([0, 1, 0x0a, 0xff, 0x25, 0x5c]),
  headers: [{ key: 'raw', value: Buffer.from([0x80, 0x09]) }],
};

describe('the command that sends the same record [E1]', () => {
  let client: KafkaClient;
  let bootstrap: string;
  let tools: string;

  before(async function () {
    this.timeout(120_000);
    bootstrap = (await sharedEmbedded()).bootstrap;
    client = new KafkaClient({ bootstrap: [bootstrap] });
    tools = await mkdtemp(path.join(tmpdir(), 'kw-tools-'));
    const main = 'org.apache.kafka.tools.ConsoleProducer';
    const java = javaArguments(await kafkaHome(), main).map((word) => `'${word}'`);
    const script = path.join(tools, 'kafka-console-producer.sh');
    await writeFile(script, `#!/bin/sh\nexec java ${java.join(' ')} "$@"\n`);
    await chmod(script, 0o755);
  });
  after(async () => {
    client.dispose();
    await rm(tools, { recursive: true, force: true });
  });

  async function newTopic(): Promise<string> {
    const name = `commands-${randomUUID()}`;
    await createTopic(client, { name, partitionCount: 3, replicationFactor: -1 });
    return name;
  }

  async function runCommand(command: string): Promise<void> {
    const PATH = `${tools}:${process.env['PATH'] ?? ''}`;
    const { code, stdout, stderr } = await run('bash', ['-c', command], {
      env: { ...process.env, PATH },
      timeoutMs: 60_000,
    });
    assert.equal(code, 0, `${command}\n${stdout}\n${stderr}`);
  }

  async function readBack(topic: string): Promise<[partition: number, record: KafkaRecord][]> {
    const found: [number, KafkaRecord][] = [];
    for (const partition of [0, 1, 2]) {
      const range = { topic, partition, from: 0n, to: 100n };
      for await (const batch of readRange(client, range)) {
        for (const record of batch.records()) found.push([partition, record]);
      }
    }
    return found;
  }

  async function checkCommand(
    of: typeof kcatCommand,
    record: Omit<CommandRecord, 'topic'>,
  ): Promise<void> {
    const topic = await newTopic();
    const command = of(bootstrap, { topic, ...record });
    assert.ok('text' in command, 'problem' in command ? command.problem : '');
    await runCommand(command.text);
    const [found, ...more] = await readBack(topic);
    assert.deepEqual(more, []);
    assert.ok(found);
    const [partition, { key, value, headers }] = found;
    const sent = record.headers.map((header) => ({
      key: Buffer.from(header.key),
      value: header.value,
    }));
    assert.deepEqual(
      { key, value, headers },
      { key: record.key, value: record.value, headers: sent },
    );
    if (record.partition !== null) assert.equal(partition, record.partition);
  }

  for (const [name, record] of Object.entries(records)) {
    it(`of kcat: ${name}`, () => checkCommand(kcatCommand, record));
    it(`of Kafka's console producer: ${name}`, () => checkCommand(consoleProducerCommand, record));
  }

  it('of kcat: bytes that are no text, to a partition', () => checkCommand(kcatCommand, bytes));

  it('is not offered where the tool cannot send the record', () => {
    const topic = 't';
    const cannot = [
      kcatCommand(bootstrap, { topic, ...plain, timestamp: 1n }),
      kcatCommand(bootstrap, { topic, ...plain, value: Buffer.from('') }),
      kcatCommand(bootstrap, { topic, ...plain, key: Buffer.from([0]) }),
      consoleProducerCommand(bootstrap, { topic, ...bytes, partition: null }),
      consoleProducerCommand(bootstrap, { topic, ...plain, partition: 1 }),
      consoleProducerCommand(bootstrap, { topic, ...plain, value: Buffer.from('two\nlines') }),
    ];
    for (const command of cannot) assert.ok('problem' in command);
  });

  it('goes to the partition that librdkafka is said to choose for the key', async () => {
    const librdkafka = keyPartitioners.find(({ hash }) => hash === 'CRC-32');
    for (const key of ['a', 'O-1182', '日本']) {
      const topic = await newTopic();
      const command = kcatCommand(bootstrap, { topic, ...plain, key: Buffer.from(key) });
      assert.ok('text' in command);
      await runCommand(command.text);
      const [found] = await readBack(topic);
      assert.equal(found?.[0], librdkafka?.partitionFor(Buffer.from(key), 3), key);
    }
  });
});
