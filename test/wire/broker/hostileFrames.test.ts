// What a broken or malicious client can send. The broker closes that connection, and serves all others.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, beforeEach, describe, it } from 'mocha';
import { seededRandom } from '../../../src/base/random.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { launchCluster, type LaunchedCluster } from '../../../src/broker/launch.ts';
import { apiByKey } from '../../../src/protocol/apiIndex.ts';
import { type Api, type ApiName, apis } from '../../../src/protocol/apis.ts';
import { encodeRequest } from '../../../src/protocol/frames.ts';
import { handlers } from '../../../src/broker/handlers/index.ts';
import { RawClient } from './support/rawClient.ts';
import { batchOf, createTopic, errorName } from './support/servers.ts';

const maxRequestBytes = 1_000_000;

describe('A client that misbehaves (embedded)', () => {
  const logged: string[] = [];
  let launched: LaunchedCluster;
  let healthy: RawClient;
  let client: RawClient;

  before(async () => {
    const log = (message: string): unknown => logged.push(message);
    const logger: Logger = { debug: () => undefined, info: () => undefined, warn: log, error: log };
    launched = await launchCluster({
      dataDir: null,
      port: 0,
      version: 'test',
      configs: {
        'socket.request.max.bytes': String(maxRequestBytes),
        'connections.max.idle.ms': '400',
      },
      logger,
      onStopRequest: () => undefined,
    });
  });
  after(() => launched.stop('the test is over'));

  beforeEach(async () => {
    logged.length = 0;
    client = await RawClient.open(launched.cluster.bootstrap);
    healthy = await RawClient.open(launched.cluster.bootstrap);
  });

  async function assertClosed(): Promise<void> {
    assert.equal(await client.isClosedByServer(), true);
    const { brokers } = await healthy.call('metadata', 12, { topics: [] });
    assert.equal(brokers.length, 1);
    healthy.close();
  }

  function sized(size: number, ...rest: Buffer[]): Buffer {
    const head = Buffer.alloc(4);
    head.writeInt32BE(size);
    return Buffer.concat([head, ...rest]);
  }

  const frames: [string, () => Buffer, RegExp][] = [
    ['a negative size', () => sized(-1), /a frame of -1 bytes/],
    [
      'a size over socket.request.max.bytes',
      () => sized(maxRequestBytes + 1),
      /a frame of 1000001 bytes/,
    ],
    ['the largest size there is', () => sized(2 ** 31 - 1), /a frame of 2147483647 bytes/],
    ['an empty request', () => sized(0), /closing/],
    ['a header that is cut off', () => sized(3, Buffer.from([0, 3, 0])), /closing/],
    [
      'a client id longer than the request',
      () => sized(10, Buffer.from('00030009000000017fff', 'hex')),
      /closing/,
    ],
    [
      'HTTP',
      () => Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
      /a frame of 1195725856 bytes/,
    ],
    ['TLS', () => Buffer.from('16030100f8010000f40303', 'hex'), /a frame of 369295616 bytes/],
  ];
  for (const [what, frame, problem] of frames) {
    it(`[A3] closes the connection on ${what}, and says so in the log`, async () => {
      client.write(frame());
      await assertClosed();
      assert.match(logged.join('\n'), problem);
    });
  }

  it('[A3] closes the connection on a body that claims more items than it has bytes', async () => {
    const request = encodeRequest({
      api: apis.metadata,
      version: 1,
      correlationId: 1,
      clientId: 'x',
      body: { topics: [] },
    });
    request.writeInt32BE(2 ** 31 - 1, request.length - 4);
    client.write(request);
    await assertClosed();
    assert.match(logged.join('\n'), /MetadataRequest v1\.topics/);
  });

  it('[A3] closes the connection on a body that is cut off, in every API that it serves', async () => {
    for (const name of Object.keys(handlers) as ApiName[]) {
      const api: Api = apis[name];
      const version = handlers[name]?.versions[1] ?? 0;
      const whole = encodeRequest({ api, version, correlationId: 1, clientId: 'x', body: {} });
      // ApiVersions and the like have bodies that may be left out but for their tags.
      const cut = whole.subarray(0, whole.length - 1);
      cut.writeInt32BE(cut.length - 4, 0);
      client = await RawClient.open(launched.cluster.bootstrap);
      client.write(cut);
      assert.equal(await client.isClosedByServer(), true, name);
    }
    await healthy.call('metadata', 12, { topics: [] });
  });

  it('[A3] lives through random bytes in every API that it serves', async function () {
    this.timeout(60_000);
    const seed = Date.now() % 1_000_000;
    const random = seededRandom(seed);
    const keys = Object.keys(handlers) as ApiName[];
    for (let round = 0; round < 600; round++) {
      const name = keys[random.below(keys.length)] ?? 'metadata';
      const [min, max] = handlers[name]?.versions ?? [0, 0];
      const header = Buffer.alloc(15);
      header.writeInt16BE(apis[name].key, 0);
      header.writeInt16BE(min + random.below(max - min + 1), 2);
      header.writeInt32BE(round, 4);
      header.writeInt16BE(5, 8);
      header.write('fuzzy', 10);
      const body = random.bytes(random.below(200));
      const frame = Buffer.concat([header, body]);
      client = await RawClient.open(launched.cluster.bootstrap);
      client.write(sized(frame.length, frame));
      await Promise.race([client.nextFrame(), sleep(20)]);
      client.close();
    }
    client = await RawClient.open(launched.cluster.bootstrap);
    const answer = await client.call('apiVersions', 0, {});
    assert.equal(errorName(answer.errorCode), 'NONE', `seed ${seed}`);
    const unexpected = logged.filter((line) =>
      /Error: |TypeError|RangeError|AssertionError/.test(line),
    );
    assert.deepEqual(unexpected, [], `seed ${seed}`);
  });

  it('[A3] lives through requests with a byte turned, in every API that it serves', async function () {
    this.timeout(60_000);
    const seed = Date.now() % 1_000_000;
    const random = seededRandom(seed);
    const keys = Object.keys(handlers) as ApiName[];
    await createTopic(healthy, 'turned');
    for (let round = 0; round < 600; round++) {
      const name = keys[random.below(keys.length)] ?? 'metadata';
      const { api } = apiByKey(apis[name].key) ?? {};
      assert.ok(api);
      const [min, max] = handlers[name]?.versions ?? [0, 0];
      const version = min + random.below(max - min + 1);
      const body =
        name === 'produce'
          ? {
              acks: -1,
              timeoutMs: 100,
              topicData: [
                { name: 'turned', partitionData: [{ index: 0, records: batchOf(['x']) }] },
              ],
            }
          : {};
      const frame = encodeRequest({ api, version, correlationId: 1, clientId: 'x', body });
      const at = 8 + random.below(frame.length - 8);
      frame[at] = random.below(256);
      client = await RawClient.open(launched.cluster.bootstrap);
      client.write(frame);
      await Promise.race([client.nextFrame(), sleep(20)]);
      client.close();
    }
    const unexpected = logged.filter((line) =>
      /Error: |TypeError|RangeError|AssertionError/.test(line),
    );
    assert.deepEqual(unexpected, [], `seed ${seed}`);
    client = await RawClient.open(launched.cluster.bootstrap);
    assert.equal(
      errorName((await client.call('apiVersions', 0, {})).errorCode),
      'NONE',
      `seed ${seed}`,
    );
  });

  it('[A3] serves a request that comes byte by byte', async () => {
    const request = encodeRequest({
      api: apis.metadata,
      version: 12,
      correlationId: 1,
      clientId: 'slow',
      body: { topics: [] },
    });
    for (const byte of request) {
      client.write(Buffer.of(byte));
      await sleep(1);
    }
    assert.ok(await client.nextFrame());
  });

  it('[A3] closes a connection that has been idle for connections.max.idle.ms', async () => {
    await client.call('apiVersions', 0, {});
    assert.equal(await client.isClosedByServer(), true);
  });

  it('[A3] takes a long poll for idleness, as Kafka does [Selector.IdleExpiryManager]', async () => {
    const topic = 'patient';
    await createTopic(client, topic);
    client.send('fetch', 11, {
      maxWaitMs: 600_000,
      minBytes: 1,
      sessionEpoch: -1,
      topics: [{ topic, partitions: [{ fetchOffset: 0n, partitionMaxBytes: 1 }] }],
    });
    assert.equal(await client.isClosedByServer(), true);
  });

  it('[A3] forgets a long poll whose client has gone', async () => {
    const topic = 'gone';
    await createTopic(client, topic);
    client.send('fetch', 11, {
      maxWaitMs: 600_000,
      minBytes: 1,
      sessionEpoch: -1,
      topics: [{ topic, partitions: [{ partitionMaxBytes: 1000 }] }],
    });
    await sleep(50);
    client.close();
    // The stop below would otherwise have to wait for it.
    const other = await RawClient.open(launched.cluster.bootstrap);
    assert.equal(errorName((await other.call('apiVersions', 0, {})).errorCode), 'NONE');
  });

  it('[A4] writes what was sent before the client went, without acknowledgement', async () => {
    const topic = 'farewell';
    await createTopic(client, topic);
    for (let i = 0; i < 50; i++) {
      client.send('produce', 9, {
        acks: 0,
        timeoutMs: 1000,
        topicData: [{ name: topic, partitionData: [{ index: 0, records: batchOf([`${i}`]) }] }],
      });
    }
    client.end();
    for (let attempt = 0; attempt < 100; attempt++) {
      const other = await RawClient.open(launched.cluster.bootstrap);
      const { topics } = await other.call('listOffsets', 7, {
        replicaId: -1,
        topics: [{ name: topic, partitions: [{ partitionIndex: 0, timestamp: -1n }] }],
      });
      other.close();
      if (topics[0]?.partitions[0]?.offset === 50n) return;
      await sleep(20);
    }
    assert.fail('not all of the records arrived');
  });

  it('[A3] reads no more from a client that does not read its answers', async () => {
    const topic = 'deaf';
    await createTopic(client, topic);
    await client.call('produce', 9, {
      acks: -1,
      timeoutMs: 1000,
      topicData: [
        { name: topic, partitionData: [{ index: 0, records: batchOf(['x'.repeat(500_000)]) }] },
      ],
    });
    client.pause();
    const request = {
      maxWaitMs: 0,
      minBytes: 1,
      sessionEpoch: -1,
      topics: [{ topic, partitions: [{ fetchOffset: 0n, partitionMaxBytes: 1_000_000 }] }],
    };
    for (let i = 0; i < 200; i++) client.send('fetch', 11, request);
    await sleep(200);
    const before = process.memoryUsage().arrayBuffers;
    assert.ok(before < 200_000_000, `${before} bytes are held for one client`);
    assert.equal(errorName((await healthy.call('apiVersions', 0, {})).errorCode), 'NONE');
  });
});
