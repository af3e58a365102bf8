// The broker's memory while clients send faster than it can write, or do not read what they asked for.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, afterEach, before, describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { memoryBounds } from '../../../src/broker/memoryBounds.ts';
import { Listener } from '../../../src/broker/server/listener.ts';
import { RequestMemory } from '../../../src/broker/server/requestMemory.ts';
import { apis } from '../../../src/protocol/apis.ts';
import { encodeRequest } from '../../../src/protocol/frames.ts';
import { type EmbeddedBroker, startEmbedded } from '../../support/embedded.ts';
import { RawClient } from './support/rawClient.ts';
import { batchOf, createTopic, errorName } from './support/servers.ts';

const mebibyte = 1 << 20;
/** Both bounds of src/broker/memoryBounds.ts, a request of the largest size and its copy, and the process itself. */
const mostMiB = 64 + 64 + 2 * 64 + 150;

describe('The memory of a broker that is flooded (embedded)', function () {
  this.timeout(120_000);
  let broker: EmbeddedBroker;
  const attackers: RawClient[] = [];

  before(async () => {
    broker = await startEmbedded({
      inMemory: true,
      config: { 'socket.request.max.bytes': 64 * mebibyte, 'message.max.bytes': 8 * mebibyte },
    });
  });
  afterEach(() => {
    for (const attacker of attackers.splice(0)) attacker.close();
  });
  after(() => broker.kill9());

  async function attack(count: number): Promise<readonly RawClient[]> {
    for (let i = 0; i < count; i++) attackers.push(await RawClient.open(broker.bootstrap));
    return attackers;
  }

  function produceFrame(topic: string, bytes: number): Buffer {
    return encodeRequest({
      api: apis.produce,
      version: 9,
      correlationId: 1,
      clientId: 'flood',
      body: {
        acks: 1,
        timeoutMs: 10_000,
        topicData: [
          { name: topic, partitionData: [{ index: 0, records: batchOf(['x'.repeat(bytes)]) }] },
        ],
      },
    });
  }

  /** The most that was seen while small requests went through one after the other. */
  async function mostWhileServing(topic: string, requests: number): Promise<number> {
    const client = await RawClient.open(broker.bootstrap);
    let most = 0;
    for (let i = 0; i < requests; i++) {
      const { responses } = await client.call('produce', 9, {
        acks: 1,
        timeoutMs: 10_000,
        topicData: [{ name: topic, partitionData: [{ index: 0, records: batchOf(['small']) }] }],
      });
      assert.equal(errorName(responses[0]?.partitionResponses[0]?.errorCode), 'NONE');
      most = Math.max(most, await broker.residentMiB());
    }
    client.close();
    return most;
  }

  async function topic(name: string): Promise<string> {
    const client = await RawClient.open(broker.bootstrap);
    await createTopic(client, name);
    client.close();
    return name;
  }

  it('[A3] stays within its bounds where 50 clients each leave a large request unfinished', async () => {
    const name = await topic('unfinished');
    const frame = produceFrame(name, 60 * mebibyte);
    const most = frame.subarray(0, frame.length - 1);
    for (const attacker of await attack(50)) attacker.write(most);
    const resident = await mostWhileServing(name, 100);
    assert.ok(resident < mostMiB, `${resident} MiB`);
  });

  it('[A3] stays within its bounds where 50 clients do not read what they fetch', async () => {
    const name = await topic('unread');
    const writer = await RawClient.open(broker.bootstrap);
    for (let i = 0; i < 20; i++) {
      writer.write(produceFrame(name, 2 * mebibyte));
      assert.ok(await writer.nextFrame());
    }
    writer.close();
    const partitionMaxBytes = 50 * mebibyte;
    for (const attacker of await attack(50)) {
      attacker.pause();
      attacker.send('fetch', 11, {
        maxWaitMs: 0,
        minBytes: 1,
        topics: [
          { topic: name, partitions: [{ partition: 0, fetchOffset: 0n, partitionMaxBytes }] },
        ],
      });
    }
    const resident = await mostWhileServing(name, 100);
    assert.ok(resident < mostMiB + 50 * 2, `${resident} MiB`);
  });
});

describe('The heap of a broker that is asked for too much at once (embedded)', function () {
  this.timeout(300_000);
  const heapMiB = 150;
  let broker: EmbeddedBroker;

  before(async () => {
    const env = { ...process.env, NODE_OPTIONS: `--max-old-space-size=${heapMiB}` };
    broker = await startEmbedded({ inMemory: true, env });
  });
  after(() => broker.kill9());

  it('[A3] holds few of 30 requests with 400,000 items each, and outlives them', async () => {
    const partitions = Array.from({ length: 400_000 }, (_, index) => index);
    const frame = encodeRequest({
      api: apis.addPartitionsToTxn,
      version: 5,
      correlationId: 1,
      clientId: 'flood',
      body: {
        transactions: [
          {
            transactionalId: 'flood',
            producerId: 1n,
            producerEpoch: 0,
            verifyOnly: false,
            topics: [{ name: 'none', partitions }],
          },
        ],
      },
    });
    const clients = await Promise.all(
      Array.from({ length: 30 }, () => RawClient.open(broker.bootstrap)),
    );
    for (const client of clients) client.write(frame);
    assert.ok(await Promise.any(clients.map((client) => client.nextFrame(240_000))));
    for (const client of clients) client.close();
    const other = await RawClient.open(broker.bootstrap);
    const { errorCode } = await other.call('apiVersions', 3, {
      clientSoftwareName: 'other',
      clientSoftwareVersion: '1',
    });
    assert.equal(errorName(errorCode), 'NONE');
    other.close();
  });

  it('[A3] cuts off who asks for more items than fit', async () => {
    const client = await RawClient.open(broker.bootstrap);
    client.send('deleteTopics', 5, {
      topicNames: new Array<string>(1_000_000).fill(''),
      timeoutMs: 1000,
    });
    assert.ok(await client.isClosedByServer());
    assert.match(broker.output(), /1000000 array items take more memory than a request may have/);
  });
});

describe('A listener that is flooded', function () {
  this.timeout(120_000);
  const maxRequestBytes = 4 * mebibyte;
  const queuedMaxBytes = 8 * mebibyte;
  const clients = 40;
  const requests = 3;

  it('[A3] holds no more than its bound, a request and a little a connection, and serves every request', async () => {
    const memory = new RequestMemory({
      queuedMaxBytes,
      maxRequestBytes,
      clock: systemClock,
      logger: silentLogger,
    });
    let most = 0;
    let served = 0;
    const listener = await Listener.listen({
      principalOf: () => undefined,
      gate: {
        open: () => (arrival) => {
          arrival.serve();
          return () => undefined;
        },
      },
      name: 'PLAINTEXT',
      host: '127.0.0.1',
      port: 0,
      maxRequestBytes,
      memory,
      maxIdleMs: 60_000,
      logger: silentLogger,
      async answer(frame) {
        most = Math.max(most, memory.heldBytes);
        await new Promise((resolve) => setTimeout(resolve, 1)); // slower than they send
        assert.equal(frame.length, 3 * mebibyte);
        served++;
        return [Buffer.from([served])];
      },
    });
    const frame = Buffer.alloc(4 + 3 * mebibyte);
    frame.writeInt32BE(3 * mebibyte);
    const sockets = Array.from({ length: clients }, () => connect(listener.port, '127.0.0.1'));
    await Promise.all(
      sockets.map(async (socket) => {
        let answers = 0;
        for (let i = 0; i < requests; i++) socket.write(frame);
        for await (const chunk of socket) {
          answers += (chunk as Buffer).length;
          if (answers === requests) break;
        }
      }),
    );
    assert.equal(served, clients * requests);
    const perConnection = 2 * memoryBounds.freeBytesPerConnection;
    assert.ok(most > queuedMaxBytes / 2, `it was never flooded: ${most}`);
    assert.ok(most <= queuedMaxBytes + maxRequestBytes + clients * perConnection, String(most));
    await listener.close();
  });
});
