// What a restart of a broker does to its partitions' leader epochs, asked of ours and of Kafka 4.4 in the same words.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { defined } from '../../../src/base/assert.ts';
import { startCluster } from '../../../src/embedded.ts';
import { startKafka } from '../../support/kafka/realKafka.ts';
import { RawClient } from './support/rawClient.ts';
import { batchOf, createTopic, errorName, patienceMs } from './support/servers.ts';

interface Started {
  readonly bootstrap: string;
  stop(): Promise<void>;
}

interface Topic {
  readonly name: string;
  readonly id: string;
}

const topics = ['written', 'empty'];
const starts: Record<string, (dataDir: string) => Promise<Started>> = {
  embedded: (dataDir) => startCluster({ dataDir }),
  'Kafka 4.4': (dataDir) => startKafka({ dataDir }),
};

/** What clients are told about the epochs of both topics, and what they get who know another epoch. */
async function told(client: RawClient): Promise<unknown> {
  const { topics: described } = await client.call('metadata', 12, {
    topics: topics.map((name) => ({ name })),
  });
  const epochs = described.map(({ name, partitions }) => [name, partitions[0]?.leaderEpoch]);
  const answers: unknown[] = [];
  for (const topic of topics) {
    const id = defined(described.find(({ name }) => name === topic)?.topicId, `id of ${topic}`);
    for (let leaderEpoch = 0; leaderEpoch < 8; leaderEpoch++)
      answers.push(await endOf(client, topic, { leaderEpoch }));
    for (let currentLeaderEpoch = 0; currentLeaderEpoch < 6; currentLeaderEpoch++) {
      answers.push(await endOf(client, topic, { currentLeaderEpoch, leaderEpoch: 0 }));
      answers.push(await latestOf(client, topic, currentLeaderEpoch));
      answers.push(await fetched(client, { name: topic, id }, currentLeaderEpoch));
    }
    answers.push(await latestOf(client, topic, -1, -2n));
  }
  return { epochs, answers };
}

async function endOf(
  client: RawClient,
  topic: string,
  epochs: { currentLeaderEpoch?: number; leaderEpoch: number },
) {
  const answer = await client.call('offsetForLeaderEpoch', 4, {
    topics: [{ topic, partitions: [{ partition: 0, ...epochs }] }],
  });
  return answer.topics[0]?.partitions[0];
}

async function latestOf(
  client: RawClient,
  name: string,
  currentLeaderEpoch: number,
  timestamp = -1n,
) {
  const answer = await client.call('listOffsets', 9, {
    replicaId: -1,
    topics: [{ name, partitions: [{ partitionIndex: 0, currentLeaderEpoch, timestamp }] }],
  });
  return answer.topics[0]?.partitions[0];
}

/**
 * By name, and by id with the hints of KIP-951, which Kafka gives from version 16 on though 12 has a field for them.
 */
async function fetched(client: RawClient, topic: Topic, currentLeaderEpoch: number) {
  const answers: unknown[] = [];
  for (const version of [12, 16, 18] as const) {
    const partitions = [{ partition: 0, currentLeaderEpoch, partitionMaxBytes: 1000 }];
    const answer = await client.call('fetch', version, {
      maxWaitMs: 0,
      minBytes: 0,
      topics: [
        version < 13 ? { topic: topic.name, partitions } : { topicId: topic.id, partitions },
      ],
    });
    const [partition] = answer.responses[0]?.partitions ?? [];
    const leaders = answer.nodeEndpoints.map(({ nodeId, rack }) => ({ nodeId, rack }));
    const error = errorName(partition?.errorCode);
    answers.push([error, partition?.currentLeader, partition?.highWatermark, leaders]);
  }
  return answers;
}

async function write(client: RawClient): Promise<void> {
  const { responses } = await client.call('produce', 9, {
    acks: -1,
    timeoutMs: 5000,
    topicData: [{ name: 'written', partitionData: [{ index: 0, records: batchOf(['a', 'b']) }] }],
  });
  assert.equal(responses[0]?.partitionResponses[0]?.errorCode, 0);
}

/** Real Kafka says that it has started before it leads. */
async function untilLed(client: RawClient): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const codes: (number | undefined)[] = [];
    for (const topic of topics) codes.push((await latestOf(client, topic, -1))?.errorCode);
    if (codes.every((code) => code === 0)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the partitions have no leader after 20 s');
}

async function story(start: (typeof starts)[string], dataDir: string): Promise<unknown[]> {
  const chapters: unknown[] = [];
  for (const chapter of ['made', 'restarted', 'restarted and written']) {
    const broker = await start(dataDir);
    const client = await RawClient.open(broker.bootstrap);
    try {
      if (chapter === 'made') for (const name of topics) await createTopic(client, name);
      await untilLed(client);
      if (chapter !== 'restarted') await write(client);
      chapters.push({ chapter, told: await told(client) });
    } finally {
      client.close();
      await broker.stop();
    }
  }
  return chapters;
}

describe('a restart', function () {
  this.timeout(patienceMs);
  let folder: string;
  before(async () => (folder = await mkdtemp(path.join(tmpdir(), 'restart-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  it('[A3] [A4] raises leader epochs as Kafka does: who knows an older one is fenced, and told of the leader (embedded) (Kafka 4.4)', async () => {
    const [ours, kafkas] = await Promise.all(
      Object.entries(starts).map(([name, start]) =>
        story(start, path.join(folder, name.replaceAll(' ', '-'))),
      ),
    );
    assert.deepEqual(ours, kafkas);
    const fenced = JSON.stringify(ours, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    assert.match(fenced, /"epochs":\[\["written",4\],\["empty",4\]\].*FENCED_LEADER_EPOCH/);
    assert.match(fenced, /"FENCED_LEADER_EPOCH",\{"leaderId":1,"leaderEpoch":4\}/);
  });
});
