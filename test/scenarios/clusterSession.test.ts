import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'mocha';
import { commitGroupOffsets } from '../../src/client/admin/groupOffsets.ts';
import { produceMany } from '../../src/client/produce.ts';
import { ClusterSession } from '../../src/cluster/clusterSession.ts';
import type { ConnectionState } from '../../src/cluster/model.ts';
import { setTopicConfig, topicConfigs } from '../../src/cluster/topicConfigs.ts';
import { toProblem } from '../../src/cluster/problems.ts';
import { forEveryCluster, sessionOn, uniqueName } from './clusters.ts';

forEveryCluster('a session', (cluster) => {
  let session: ClusterSession;

  before(() => {
    session = sessionOn(cluster());
  });
  after(() => session.dispose());

  const newTopic = async (recordCount: number, partitionCount = 2): Promise<string> => {
    const name = uniqueName('session');
    await session.createTopic({ name, partitionCount, replicationFactor: -1 });
    const record = { partition: 0, key: null, value: Buffer.from('v'), headers: [] };
    const records = new Array<typeof record>(recordCount).fill(record);
    await session.use((client) => produceMany(client, name, records));
    return name;
  };

  it('lists brokers, topics and partitions with their offsets [C1] [C2]', async () => {
    const name = await newTopic(7);
    const [broker] = await session.brokers();
    assert.equal(`${broker?.host}:${broker?.port}`, cluster().bootstrap);
    const topic = (await session.topics()).find((candidate) => candidate.name === name);
    assert.deepEqual(
      [topic?.partitionCount, topic?.isInternal, topic?.underReplicated, topic?.offline],
      [2, false, 0, 0],
    );
    const rows = await session.partitions(name);
    assert.deepEqual(
      rows.map(({ partition, offsets }) => [partition, offsets]),
      [
        [0, { value: { logStart: 0n, lastStable: 7n, highWatermark: 7n } }],
        [1, { value: { logStart: 0n, lastStable: 0n, highWatermark: 0n } }],
      ],
    );
  });

  it('shows each group’s commit and lag on a topic; no commit is not 0, lag is not floored [C1] [C2] [G1]', async () => {
    const topic = await newTopic(7);
    const [behind, ahead] = [uniqueName('behind'), uniqueName('zahead')];
    const commit = { topic, leaderEpoch: -1, metadata: '' };
    await session.use(async (client) => {
      await commitGroupOffsets(client, behind, [{ ...commit, partition: 0, offset: 0n }]);
      await commitGroupOffsets(client, ahead, [
        { ...commit, partition: 0, offset: 9n },
        { ...commit, partition: 1, offset: 0n },
      ]);
    });
    session.forgetCommits();
    const rows = await session.committedOn(topic);
    assert.deepEqual(
      rows.map(({ group, partition, committed, lag }) => [group, partition, committed, lag]),
      [
        [behind, 0, 0n, 7n],
        [ahead, 0, 9n, -2n],
        [behind, 1, null, null],
        [ahead, 1, 0n, 0n],
      ],
    );
    const view = await session.group(behind);
    assert.deepEqual([view.details.state, view.lag], ['Empty', 7n]);
  });

  it('sets a config of a topic and takes it back, and lists first what was set', async () => {
    const topic = await newTopic(0);
    const name = 'retention.ms';
    const own = async (): Promise<unknown> =>
      (await topicConfigs(session, topic))
        .filter(({ isDefault }) => !isDefault)
        .map((entry) => [entry.name, entry.value]);
    assert.deepEqual(await own(), []);
    await setTopicConfig(session, topic, { name, before: null, value: '60000' });
    assert.deepEqual(await own(), [[name, '60000']]);
    const all = (await topicConfigs(session, topic)).map((entry) => entry.name);
    assert.equal(all[0], name);
    assert.deepEqual(all.slice(1), all.slice(1).sort());
    const wrong = { name, before: '60000', value: 'a day' };
    await assert.rejects(setTopicConfig(session, topic, wrong), /retention\.ms/);
    await setTopicConfig(session, topic, { name, before: '60000', value: null });
    assert.deepEqual(await own(), []);
  });

  it('creates no group and no topic by looking [C1] [D1]', async () => {
    const [topicsBefore, groupsBefore] = await Promise.all([session.topics(), session.groups()]);
    const name = uniqueName('typo');
    await assert.rejects(session.partitions(name));
    await assert.rejects(session.committedOn(name));
    assert.equal((await session.group(name)).details.state, 'Dead');
    const named = (topics: readonly { name: string }[]): string[] =>
      topics.map((topic) => topic.name).filter((topic) => !topic.startsWith('__'));
    assert.deepEqual(named(await session.topics()), named(topicsBefore));
    assert.deepEqual(await session.groups(), groupsBefore);
  });

  it('changes nothing in a cluster that is marked read-only [B5]', async () => {
    const profile = { ...session.profile, bootstrap: [cluster().bootstrap], readOnly: true };
    const readOnly = new ClusterSession(profile);
    try {
      const name = uniqueName('readonly');
      const topic = { name, partitionCount: 1, replicationFactor: -1 };
      await assert.rejects(readOnly.createTopic(topic), /read-only/);
      await assert.rejects(readOnly.deleteTopics([name]), /read-only/);
      assert.equal(
        (await readOnly.topics()).some((found) => found.name === name),
        false,
      );
    } finally {
      readOnly.dispose();
    }
  });
});

describe('a session with nothing to connect to', () => {
  const sessionWith = (bootstrap: readonly string[]): ClusterSession =>
    new ClusterSession({ id: 'x', name: 'x', kind: 'remote', bootstrap, readOnly: false });

  it('says which address cannot be reached and why, and fails with the same words [B6]', async () => {
    const session = sessionWith(['127.0.0.1:1']);
    const states: ConnectionState[] = [];
    session.onDidChangeState((state) => states.push(state));
    const error: unknown = await session.topics().catch((failure: unknown) => failure);
    session.dispose();
    assert.match(toProblem(error).message, /cannot reach 127\.0\.0\.1:1: connection refused/);
    assert.deepEqual(
      states.slice(0, 2).map(({ kind }) => kind),
      ['connecting', 'failed'],
    );
  });

  it('says of a server that is no Kafka that it did not answer as one', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const session = sessionWith([`127.0.0.1:${port}`]);
    try {
      await assert.rejects(session.connect(), /did not answer as a Kafka broker/);
    } finally {
      session.dispose();
      server.close();
    }
  });

  it('can be cancelled while it connects', async () => {
    const server = createServer((socket) => void socket.on('error', () => undefined));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const session = sessionWith([`127.0.0.1:${port}`]);
    const controller = new AbortController();
    const connecting = session.connect(controller.signal);
    controller.abort();
    await assert.rejects(connecting, { name: 'AbortError' });
    session.dispose();
    server.close();
  });
});
