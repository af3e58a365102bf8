// What a tail shows of Kafka's own topics beside what Kafka's own tools print of the same records.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kafka, logLevel } from 'kafkajs';
import { after, before, it } from 'mocha';
import type { ClusterSession } from '../../src/cluster/clusterSession.ts';
import { plaintext } from '../../src/client/security.ts';
import { Tails } from '../../src/cluster/tail/tails.ts';
import { buildRecordBatch } from '../../src/protocol/records/recordBatchBuilder.ts';
import { defaultDecoders } from '../../src/shared/contracts/decoders.ts';
import type { RecordDetails } from '../../src/shared/contracts/recordDetails.ts';
import { defaultTailScope } from '../../src/shared/contracts/tailQuery.ts';
import { runKafkaTool } from '../support/kafka/java.ts';
import { eventually, forEachCluster, sessionOn, uniqueName } from './clusters.ts';

type Fields = Record<string, unknown>;

/** A record as Kafka's tools write it. [CoordinatorRecordMessageFormatter] */
interface Printed {
  /** A number, as text where kafka-dump-log writes it. */
  readonly key: { readonly type: number | string; readonly data: Fields };
  readonly value: { readonly data: Fields } | null;
}

const TOOLS = 'org.apache.kafka.tools';
const files = {
  workerPath: path.join(import.meta.dirname, '../../src/worker.ts'),
  quickjsWasmPath: fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')),
};

forEachCluster(
  "a tail of Kafka's own topics",
  (cluster) => {
    const topic = uniqueName('internal');
    const groups = { classic: uniqueName('classic'), consumer: uniqueName('consumer') };
    const transactionalId = uniqueName('own');
    let session: ClusterSession;
    let tails: Tails;

    before(async function () {
      this.timeout(120_000);
      tails = new Tails({ files });
      session = sessionOn(cluster());
      await session.createTopic({ name: topic, partitionCount: 2, replicationFactor: -1 });
      await writeTransactions();
      await Promise.all([consume('classic'), consume('consumer')]);
    });
    after(() => {
      tails.dispose();
      session.dispose();
    });

    /** One committed, one aborted. */
    async function writeTransactions(): Promise<void> {
      const kafka = new Kafka({ brokers: [cluster().bootstrap], logLevel: logLevel.NOTHING });
      const producer = kafka.producer({
        transactionalId,
        idempotent: true,
        maxInFlightRequests: 1,
      });
      await producer.connect();
      for (const end of ['commit', 'abort'] as const) {
        const transaction = await producer.transaction();
        await transaction.send({ topic, messages: [{ value: end }] });
        await transaction[end]();
      }
      await producer.disconnect();
    }

    const tool = async (name: string, args: readonly string[]): Promise<string> => {
      const server = ['--bootstrap-server', cluster().bootstrap];
      const { code, stdout, stderr } = await runKafkaTool(`${TOOLS}.${name}`, [...server, ...args]);
      assert.equal(code, 0, stdout + stderr);
      return stdout;
    };

    /** Reads the committed record as a group, which commits when it leaves. */
    async function consume(protocol: 'classic' | 'consumer'): Promise<void> {
      await tool('consumer.ConsoleConsumer', [
        ...['--topic', topic, '--group', groups[protocol], '--from-beginning'],
        ...['--max-messages', '1', '--timeout-ms', '60000'],
        ...['--command-property', `group.protocol=${protocol}`],
      ]);
    }

    /** The records of one group or transactional id in an internal topic, all of one partition. */
    async function recordsOf(internal: string, filter: string): Promise<RecordDetails[]> {
      const partitions = (await session.partitions(internal)).map(({ partition }) => partition);
      const tail = await tails.open({
        connection: { name: 'own', bootstrap: [cluster().bootstrap], security: plaintext },
        ...{ topic: internal, partitions, session: 1, from: 'earliest', scope: defaultTailScope },
        ...{ filter: `js: ${filter}`, decoders: defaultDecoders },
      });
      await eventually(() => tail.progress.state === 'live');
      await eventually(() => tail.progress.filter?.pending === 0 && tail.progress.held > 0);
      const { rows } = await tail.rows(0, 500);
      const whole = rows.map(({ partition, offset }) => tail.details(partition, BigInt(offset)));
      return (await Promise.all(whole)).map((record) => record ?? assert.fail('it is gone'));
    }

    /** What a formatter prints of the log from the first of these records to the last. */
    async function printed(formatter: string, records: readonly RecordDetails[]) {
      const [first, last] = [records[0], records.at(-1)];
      assert.ok(first && last);
      const count = Number(last.offset) - Number(first.offset) + 1;
      const stdout = await tool('consumer.ConsoleConsumer', [
        ...['--topic', first.topic, '--partition', String(first.partition)],
        ...['--offset', first.offset, '--max-messages', String(count), '--timeout-ms', '15000'],
        ...['--formatter', `${TOOLS}.consumer.${formatter}`],
      ]);
      // It writes one after the other, on one line.
      const lines = stdout.replaceAll('}{"key":', '}\n{"key":').split('\n');
      return lines
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Printed);
    }

    for (const protocol of ['classic', 'consumer'] as const)
      it(`shows commits of a ${protocol} group as OffsetsMessageFormatter prints them [D7]`, async function () {
        this.timeout(90_000);
        const group = groups[protocol];
        const records = await recordsOf('__consumer_offsets', `key.group === "${group}"`);
        const commits = records.filter((record) => typeOf(record) === 'offsetCommit');
        const all = await printed('OffsetsMessageFormatter', commits);
        const own = all.filter(({ key }) => key.data['group'] === group);
        assertAllSame(commits, own);
        assert.ok(commits.map(read).some(({ value }) => Number(value?.['offset']) > 0));
      });

    it('shows a classic group as GroupMetadataMessageFormatter prints it [D7]', async function () {
      this.timeout(90_000);
      const group = groups.classic;
      const records = await recordsOf('__consumer_offsets', `key.group === "${group}"`);
      const states = records.filter((record) => typeOf(record) === 'groupMetadata');
      const all = await printed('GroupMetadataMessageFormatter', states);
      assertAllSame(
        states,
        all.filter(({ key }) => key.data['group'] === group),
      );
      const members = states
        .map(read)
        .flatMap(({ value }) => (value?.['members'] ?? []) as Fields[]);
      assert.ok(members.length > 0);
      for (const { subscription, assignment } of members) {
        assert.deepEqual((subscription as Fields)['topics'], [topic]);
        assert.deepEqual((assignment as Fields)['assignedPartitions'], [
          { topic, partitions: [0, 1] },
        ]);
      }
    });

    it('shows transactions as TransactionLogMessageFormatter prints them [D7]', async function () {
      this.timeout(90_000);
      const filter = `key.transactionalId === "${transactionalId}"`;
      const records = await recordsOf('__transaction_state', filter);
      const all = await printed('TransactionLogMessageFormatter', records);
      assertAllSame(
        records,
        all.filter(({ key }) => key.data['transactionalId'] === transactionalId),
      );
      const states = new Set(records.map(read).map(({ value }) => value?.['transactionStatus']));
      for (const state of ['Ongoing', 'CompleteCommit', 'CompleteAbort'])
        assert.ok(states.has(state), [...states].join());
    });

    it('shows the records of a consumer-protocol group as kafka-dump-log decodes them [D7]', async function () {
      this.timeout(90_000);
      const filter = `key.groupId === "${groups.consumer}"`;
      const records = await recordsOf('__consumer_offsets', filter);
      assertAllSame(records, await dumpOf(records));
      const kinds = new Set(records.map(typeOf));
      for (const kind of ['consumerGroup', 'consumerMember', 'consumerTarget', 'consumerCurrent'])
        assert.ok(kinds.has(kind), [...kinds].join());
    });
  },
  'Kafka 4.4',
);

interface Shown {
  readonly key: Fields;
  readonly value: Fields | null;
}

function read({ decodedKey, decodedValue, value }: RecordDetails): Shown {
  assert.ok(decodedKey && 'text' in decodedKey);
  const key = JSON.parse(decodedKey.text) as Fields;
  if (value === null) return { key, value };
  assert.ok(decodedValue && 'text' in decodedValue);
  return { key, value: JSON.parse(decodedValue.text) as Fields };
}

function typeOf(record: RecordDetails): unknown {
  return read(record).key['type'];
}

/** By their ids in the log. [CoordinatorRecordType] */
const typeIds: Readonly<Record<string, number>> = {
  offsetCommit: 1,
  groupMetadata: 2,
  consumerGroup: 3,
  consumerPartitionMetadata: 4,
  consumerMember: 5,
  consumerTarget: 6,
  consumerTargetMember: 7,
  consumerCurrent: 8,
  consumerRegex: 16,
};

function assertAllSame(records: readonly RecordDetails[], printed: readonly Printed[]): void {
  assert.ok(records.length > 0);
  assert.equal(printed.length, records.length);
  for (const [index, record] of records.entries()) {
    const { key, value } = read(record);
    const of = printed[index] ?? assert.fail('nothing printed');
    const { type = 'none', ...own } = key as { type?: string };
    // Transactions have one kind of record.
    assert.equal(typeIds[type] ?? 0, Number(of.key.type));
    assertFields(own, of.key.data, `${index}: key`);
    if (of.value === null) assert.equal(value, null, `${index}: value`);
    else assertFields(value, of.value.data, `${index}: value`);
  }
}

/** Every field that Kafka prints, as it prints it; those that it leaves out are what they are by default. */
function assertFields(shown: unknown, printed: unknown, at: string): void {
  if (Array.isArray(printed)) {
    assert.ok(Array.isArray(shown) && shown.length === printed.length, at);
    for (const [index, item] of printed.entries())
      assertFields(shown[index], item, `${at}[${index}]`);
  } else if (isFields(printed)) {
    assert.ok(isFields(shown), at);
    for (const [name, value] of Object.entries(printed))
      assertField(name, shown[name], value, `${at}.${name}`);
    for (const [name, value] of Object.entries(shown))
      if (!(name in printed)) assert.ok(isDefault(value), `${at}.${name} is ${String(value)}`);
  } else assert.deepEqual(shown, printed, at);
}

function assertField(name: string, shown: unknown, printed: unknown, at: string): void {
  // Kafka leaves what consumers tell each other as bytes.
  if (name === 'subscription' || name === 'assignment') assert.ok(isFields(shown), at);
  else if (typeof shown === 'string' && shown.startsWith('0x'))
    assert.equal(Buffer.from(shown.slice(2), 'hex').toString('base64'), printed, at);
  else assertFields(shown, printed, at);
}

const zeroUuid = 'AAAAAAAAAAAAAAAAAAAAAA';

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDefault(value: unknown): boolean {
  return value === null || value === 0 || value === -1 || value === zeroUuid;
}

/** What kafka-dump-log says of a segment with these records. */
async function dumpOf(records: readonly RecordDetails[]): Promise<Printed[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'internal-'));
  try {
    await mkdir(path.join(folder, '__consumer_offsets-0'));
    const segment = path.join(folder, '__consumer_offsets-0', '00000000000000000000.log');
    const bytes = (text: string | null): Buffer | null =>
      text === null ? null : Buffer.from(text, 'base64');
    const copies = records.map(({ key, value, timestamp }) => ({
      ...{ key: bytes(key), value: bytes(value), timestamp: BigInt(timestamp) },
    }));
    await writeFile(segment, buildRecordBatch({ records: copies }));
    const args = ['--offsets-decoder', '--files', segment];
    const { code, stdout } = await runKafkaTool(`${TOOLS}.DumpLogSegments`, args);
    assert.equal(code, 0, stdout);
    return [...stdout.matchAll(/ key: (\{.*\}) payload: (.*)$/gm)].map(([, key, payload]) => ({
      key: JSON.parse(key ?? '') as Printed['key'],
      value: payload === '<DELETE>' ? null : (JSON.parse(payload ?? '') as Printed['value']),
    }));
  } finally {
    await rm(folder, { recursive: true });
  }
}
