// Members of a group of the consumer protocol (KIP-848), Java's and librdkafka's, while the broker is killed under
// them.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { after, before, describe, it } from 'mocha';
import { fetchGroupOffsets } from '../../../src/client/admin/groupOffsets.ts';
import { createTopic } from '../../../src/client/admin/topics.ts';
import { KafkaClient } from '../../../src/client/kafkaClient.ts';
import { Members, until, untilShared } from '../../interop/support/members.ts';
import { spawnWithConfluent } from '../../interop/support/python.ts';
import { type EmbeddedBroker, startEmbedded } from '../../support/embedded.ts';
import { spawnJavaProgram } from '../../support/kafka/javaPrograms.ts';
import { freePorts } from '../../support/process.ts';

const [topic, group] = ['followed', 'followers'];
const partitionCount = 12;
const perPartition = 20;
const kills = 3;

const config = {
  'group.consumer.session.timeout.ms': '20000',
  'group.consumer.heartbeat.interval.ms': '500',
  'group.consumer.min.session.timeout.ms': '20000',
  'group.consumer.min.heartbeat.interval.ms': '500',
};
const python = path.join(import.meta.dirname, '../../interop/python/members.py');

describe(`a group of the consumer protocol, over ${kills} kills of its broker`, function () {
  this.timeout(600_000);
  let dataDir: string;
  let port: number;
  let broker: EmbeddedBroker;
  const members: Members[] = [];
  /** Values of each partition, by offset: what was acknowledged. */
  let written = 0;

  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'kill-members-'));
    [port = 0] = await freePorts(1);
    broker = await startEmbedded({ dataDir, port, config });
  });
  after(async () => {
    await Promise.all(members.map((each) => each.kill()));
    await broker.kill9();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function join(spawned: Promise<ChildProcess>, ...names: string[]): Promise<void> {
    const joined = new Members(await spawned);
    members.push(joined);
    for (const name of names) joined.add(name);
  }

  async function write(): Promise<void> {
    const kafka = new Kafka({ brokers: [broker.bootstrap], logLevel: logLevel.NOTHING });
    const producer = kafka.producer({ idempotent: true });
    await producer.connect();
    const messages = Array.from({ length: perPartition * partitionCount }, (_, i) => ({
      partition: i % partitionCount,
      value: `${i % partitionCount}:${written + Math.floor(i / partitionCount)}`,
    }));
    await producer.send({ topic, messages });
    await producer.disconnect();
    written += perPartition;
  }

  const valuesRead = (): readonly string[] => members.flatMap(({ values }) => values);

  async function untilAllRead(): Promise<void> {
    const all = written * partitionCount;
    await until(
      () => new Set(valuesRead()).size === all,
      () => `${new Set(valuesRead()).size} of ${all} values were read`,
    );
  }

  /** The offsets that the group has committed, by partition. */
  async function committed(): Promise<ReadonlyMap<number, number>> {
    const client = new KafkaClient({ bootstrap: [broker.bootstrap] });
    const outcome = (await fetchGroupOffsets(client, [group])).get(group);
    client.dispose();
    assert.ok(outcome && 'value' in outcome);
    const offsets = new Map<number, number>();
    for (let partition = 0; partition < partitionCount; partition++) {
      const found = outcome.value.get(topic, partition);
      if (found && 'value' in found) offsets.set(partition, Number(found.value.offset));
    }
    return offsets;
  }

  it('[A4] [A7] reads everything, what was committed once, and all members are back (embedded)', async () => {
    const { bootstrap } = broker;
    const client = new KafkaClient({ bootstrap: [bootstrap] });
    await createTopic(client, { name: topic, partitionCount, replicationFactor: 1 });
    client.dispose();
    const args = [bootstrap, group, topic];
    await join(spawnJavaProgram('ConsumerMembers', args), 'java-1', 'java-2');
    await join(spawnWithConfluent([python, ...args]), 'python-1', 'python-2');
    await untilShared(members, [3, 3, 3, 3]);
    for (let kill = 0; kill < kills; kill++) {
      await write();
      await untilAllRead();
      const safe = await committed();
      const before = valuesRead().length;
      await broker.kill9();
      broker = await startEmbedded({ dataDir, port, config });
      await write();
      await untilAllRead();
      await untilShared(members, [3, 3, 3, 3]);
      const again = valuesRead()
        .slice(before)
        .filter((value) => {
          const [partition = 0, offset = 0] = value.split(':').map(Number);
          return offset < (safe.get(partition) ?? 0);
        });
      assert.deepEqual(again, [], 'committed before the kill, and read again');
    }
    console.log(`      ${valuesRead().length} values were read, of ${written * partitionCount}`);
  });
});
