// One scenario for every client, run against our broker and against Apache Kafka, and the two compared.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import { describe, it } from 'mocha';
import { sharedEmbedded } from '../../support/embedded.ts';
import { sharedKafka } from '../../support/kafka/sharedKafka.ts';
import { untilServed } from './untilServed.ts';

/** A record as every client can tell it. `null` for no key and for a tombstone. */
export interface Sent {
  readonly key: string | null;
  readonly value: string | null;
  readonly headers: readonly (readonly [string, string])[];
}

export interface Received extends Sent {
  readonly partition: number;
  readonly offset: string;
}

/** What a client library has to be able to do. Each call starts and ends its own connections. */
export interface ClientDriver {
  createTopic(topic: string, partitions: number): Promise<void>;
  produce(topic: string, records: readonly Sent[]): Promise<void>;
  /** Joins the group, reads `count` records (from the start where nothing is committed), commits, leaves. */
  consume(group: string, topic: string, count: number): Promise<Received[]>;
}

export interface ClientDescription {
  /** As titles name it. */
  readonly name: string;
  readonly connect: (bootstrap: string) => ClientDriver;
  readonly records?: readonly Sent[];
  /** What kafkajs, which knows classic groups alone, says of the group at the end. Default: Empty. */
  readonly stateAtEnd?: 'Empty' | 'Dead';
  /** Where a first run has to compile the client. */
  readonly timeoutMs?: number;
  /** Default: Kafka 4.4, and ours. */
  readonly brokers?: readonly [reference: NamedBroker, ours: NamedBroker];
  /** What is proven, as in titles. */
  readonly rows?: string;
}

/** What titles call a broker, and how to have it. */
export type NamedBroker = readonly [
  name: string,
  shared: () => Promise<{ readonly bootstrap: string }>,
];

/** What is compared: nothing that a clock or a random id has a part in. */
interface Observation {
  readonly first: readonly Received[];
  readonly second: readonly Received[];
  readonly committed: Readonly<Record<number, string>>;
  readonly ends: Readonly<Record<number, string>>;
  readonly group: { readonly state: string; readonly protocolType: string };
}

const PARTITIONS = 3;
const TIMEOUT_MS = 120_000;

/** Twelve keyed records with a header each, a few without key, and a tombstone. */
export const sampleRecords: readonly Sent[] = [
  ...Array.from({ length: 12 }, (_, i) => ({
    key: `key-${i}`,
    value: `value ${i}: ${'ä€🐙'.repeat(i)}`,
    headers: [['trace', `t-${i}`] as const],
  })),
  { key: 'key-0', value: null, headers: [] },
  { key: 'key-1', value: '', headers: [] },
];

/** What titles call the brokers, and how to have them. The reference comes first. */
export const BROKERS = [
  ['Kafka 4.4', sharedKafka],
  ['embedded', sharedEmbedded],
] as const;

/** Defines the client's tests: the scenario on each broker, held against what Kafka itself does. */
export function describeClient({
  name,
  connect,
  records = sampleRecords,
  stateAtEnd = 'Empty',
  timeoutMs = TIMEOUT_MS,
  brokers = BROKERS,
  rows = '[A2] [A7]',
}: ClientDescription) {
  const [[, sharedReference]] = brokers;
  let reference: Promise<Observation> | undefined;
  const expected = () =>
    (reference ??= sharedReference().then(({ bootstrap }) => observe(bootstrap, connect, records)));
  describe('a client on both brokers', function () {
    this.timeout(timeoutMs);
    for (const [broker, shared] of brokers)
      it(`${rows} ${name} produces, consumes in a group, commits and resumes (${broker})`, async () => {
        const { bootstrap } = await shared();
        const isReference = shared === sharedReference;
        const seen = await (isReference ? expected() : observe(bootstrap, connect, records));
        checkAgainstSent(seen, records);
        assert.equal(seen.group.state, stateAtEnd);
        assert.deepEqual(seen, await expected());
      });
  });
}

async function observe(
  bootstrap: string,
  connect: (bootstrap: string) => ClientDriver,
  records: readonly Sent[],
): Promise<Observation> {
  const [topic, group] = [`interop-${randomUUID()}`, `group-${randomUUID()}`];
  const client = connect(bootstrap);
  await client.createTopic(topic, PARTITIONS);
  await untilServed(bootstrap, topic, PARTITIONS);
  await client.produce(topic, records);
  const first = await client.consume(group, topic, records.length);
  await client.produce(topic, records.slice(0, 5));
  // Only what came after the commit: 5 records, not 5 of those before.
  const second = await client.consume(group, topic, 5);
  return { first: sort(first), second: sort(second), ...(await askAdmin(bootstrap, topic, group)) };
}

/** What kafkajs's admin client says afterwards: a second opinion from outside the client under test. */
async function askAdmin(bootstrap: string, topic: string, group: string) {
  const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  try {
    const ends = await admin.fetchTopicOffsets(topic);
    const [offsets] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
    const { groups } = await admin.describeGroups([group]);
    const committed = offsets?.partitions.filter(({ offset }) => offset !== '-1') ?? [];
    return {
      committed: byPartition(committed.map((entry) => [entry.partition, entry.offset])),
      ends: byPartition(ends.map(({ partition, high }) => [partition, high])),
      group: { state: groups[0]?.state ?? '', protocolType: groups[0]?.protocolType ?? '' },
    };
  } finally {
    await admin.disconnect();
  }
}

function checkAgainstSent(seen: Observation, records: readonly Sent[]): void {
  const bare = ({ key, value, headers }: Sent) => JSON.stringify([key, value, headers]);
  assert.deepEqual(seen.first.map(bare).sort(), records.map(bare).sort());
  assert.deepEqual(seen.second.map(bare).sort(), records.slice(0, 5).map(bare).sort());
  const committed = Object.values(seen.committed).reduce((sum, offset) => sum + Number(offset), 0);
  assert.equal(committed, records.length + 5);
}

const byPartition = (entries: readonly (readonly [number, string])[]) =>
  Object.fromEntries([...entries].sort(([a], [b]) => a - b));

const sort = (records: readonly Received[]) =>
  [...records].sort((a, b) => a.partition - b.partition || Number(a.offset) - Number(b.offset));
