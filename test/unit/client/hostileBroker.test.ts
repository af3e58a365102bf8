import assert from 'node:assert/strict';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';
import { seededRandom, systemRandom } from '../../../src/base/random.ts';
import { AnswerMemory } from '../../../src/client/answerMemory.ts';
import { Connection } from '../../../src/client/connection.ts';
import { KafkaClient } from '../../../src/client/kafkaClient.ts';
import { plaintext, type SecurityOptions } from '../../../src/client/security.ts';
import { apiByKey } from '../../../src/protocol/apiIndex.ts';
import { apis } from '../../../src/protocol/apis.ts';
import { errorCodes } from '../../../src/protocol/errors.ts';
import { decodeRequest, encodeResponse, type RequestFrame } from '../../../src/protocol/frames.ts';
import { FrameSplitter } from '../../../src/protocol/frameSplitter.ts';
import { allVersions } from '../../support/scriptedBroker.ts';
import { until } from '../../support/until.ts';

type Answer = (request: RequestFrame, socket: Socket) => void;

const greet: Answer = ({ version, correlationId }, socket) => {
  const body = allVersions();
  socket.write(encodeResponse({ api: apis.apiVersions, version, correlationId, body }));
};

/** The beginning of an answer that is said to be so long. */
function beginning({ correlationId }: RequestFrame, bytes: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeInt32BE(bytes);
  head.writeInt32BE(correlationId, 4);
  return head;
}

const mebibyte = 1024 * 1024;

describe('what a hostile broker does to a client', () => {
  const ends: (() => void)[] = [];

  afterEach(() => {
    for (const end of ends.splice(0).reverse()) end();
  });

  /** A server that greets, and answers other requests as a test says. */
  const serve = async (answer: Answer, hello: Answer = greet): Promise<number> => {
    const server: Server = createServer((socket) => {
      ends.push(() => socket.destroy());
      const splitter = new FrameSplitter();
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        splitter.push(chunk);
        for (let frame = splitter.next(); frame; frame = splitter.next()) {
          const request = decodeRequest(frame);
          (request.api === apis.apiVersions ? hello : answer)(request, socket);
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => server.close());
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  };

  const open = async (
    port: number,
    more: { readonly security?: SecurityOptions; readonly memory?: AnswerMemory } = {},
  ): Promise<Connection> => {
    const connection = await Connection.open({
      address: { host: '127.0.0.1', port },
      clientId: 'test',
      security: plaintext,
      clock: systemClock,
      random: systemRandom,
      connectTimeoutMs: 60_000,
      ...more,
    });
    ends.push(() => connection.dispose());
    return connection;
  };

  const ask = (connection: Connection): Promise<unknown> =>
    connection.send('metadata', { topics: [] }, { version: 9, timeoutMs: 60_000 });

  it('ends with an answer that is too short to say what it answers', async () => {
    const port = await serve((_request, socket) => socket.write(Buffer.from([0, 0, 0, 2, 7, 7])));
    await assert.rejects(ask(await open(port)), /not Kafka's protocol/);
  });

  it('ends with an answer that has no bytes at all', async () => {
    const port = await serve((_request, socket) => socket.write(Buffer.alloc(4)));
    await assert.rejects(ask(await open(port)), /not Kafka's protocol/);
  });

  it('ends in the middle of an answer, and what waited has its error', async () => {
    const port = await serve((request, socket) => socket.end(beginning(request, 1000)));
    await assert.rejects(ask(await open(port)), /lost the connection/);
  });

  it('ends with an answer that nobody has asked for, however large it is said to be', async () => {
    const port = await serve(
      () => undefined,
      (request, socket) => {
        greet(request, socket);
        socket.write(beginning({ ...request, correlationId: 77 }, 64 * mebibyte));
      },
    );
    const connection = await open(port);
    await until(
      () => !connection.isOpen,
      () => 'it is still open',
    );
  });

  it('ends with an answer that comes twice', async () => {
    const twice: Answer = ({ version, correlationId }, socket) => {
      const answer = encodeResponse({ api: apis.metadata, version, correlationId, body: {} });
      socket.write(Buffer.concat([answer, answer]));
    };
    const connection = await open(await serve(twice));
    await ask(connection);
    await until(
      () => !connection.isOpen,
      () => 'it is still open',
    );
  });

  const tooLarge: [string, number][] = [
    ['an answer of 100 MiB that is no fetch', 100 * mebibyte],
    ['an answer of two gigabytes', 0x7fffffff],
    ['an answer of a negative size', -1],
  ];
  for (const [what, bytes] of tooLarge) {
    it(`refuses ${what} at its first bytes`, async () => {
      const port = await serve((request, socket) => socket.write(beginning(request, bytes)));
      const connection = await open(port);
      await assert.rejects(ask(connection), new RegExp(`a frame of ${bytes} bytes`));
      assert.ok(connection.heldBytes < mebibyte);
    });
  }

  it('holds no more than has arrived of an answer that is said to be large', async () => {
    const port = await serve((request, socket) => {
      socket.write(beginning(request, 60 * mebibyte));
      socket.write(Buffer.alloc(200_000));
    });
    const connection = await open(port);
    const lost = assert.rejects(ask(connection), /closed here/);
    await until(
      () => connection.heldBytes > 200_000,
      () => `${connection.heldBytes} bytes are held`,
    );
    assert.equal(connection.heldBytes, 200_004);
    connection.dispose();
    await lost;
  });

  it('holds no more of all its connections than may be, and ends the one that holds the most', async () => {
    const sizes = [3 * mebibyte, 2 * mebibyte];
    const memory = new AnswerMemory(4 * mebibyte);
    const begin: Answer = (request, socket) => {
      socket.write(beginning(request, 60 * mebibyte));
      socket.write(Buffer.alloc(sizes.shift() ?? 0));
    };
    const port = await serve(begin);
    const large = await open(port, { memory });
    const lost = assert.rejects(ask(large), /answers of 4 MiB are waiting to be read/);
    await until(
      () => large.heldBytes > 3 * mebibyte,
      () => `${large.heldBytes} bytes are held`,
    );
    const small = await open(port, { memory });
    const closed = assert.rejects(ask(small), /closed here/);
    await lost;
    await until(
      () => small.heldBytes > 2 * mebibyte,
      () => `${small.heldBytes} bytes are held`,
    );
    assert.equal(small.isOpen, true);
    small.dispose();
    await closed;
  });

  it('reads one large answer at a time', async () => {
    const topics = Array.from({ length: 4000 }, (_, index) => ({
      ...{ errorCode: 0, name: `topic-${index}-${'x'.repeat(60)}`, isInternal: false },
      ...{ topicAuthorizedOperations: 0, partitions: [] },
    }));
    const answers: Buffer[] = [];
    const port = await serve(({ version, correlationId }, socket) => {
      const body = { topics };
      answers.push(encodeResponse({ api: apis.metadata, version, correlationId, body }));
      if (answers.length === 8) socket.write(Buffer.concat(answers));
    });
    const connection = await open(port);
    let most = 0;
    const asked = Array.from({ length: 8 }, () =>
      ask(connection).finally(() => (most = Math.max(most, connection.heldBytes))),
    );
    const read = (await Promise.all(asked)) as { topics: unknown[] }[];
    assert.ok(read.every((answer) => answer.topics.length === 4000));
    const [answer = Buffer.alloc(0)] = answers;
    assert.ok(most < 3 * answer.length, `${most} of ${8 * answer.length} bytes were held`);
  });

  it('refuses a list of versions of absurd length, and takes one of absurd content', async () => {
    const long: Answer = (request, socket) => socket.write(beginning(request, 2 * mebibyte));
    await assert.rejects(open(await serve(neverAsked, long)), /a frame of 2097152 bytes/);
    const odd: Answer = ({ version, correlationId }, socket) => {
      const apiKeys = [
        ...Array.from({ length: 20_000 }, () => ({ apiKey: 0, minVersion: 9, maxVersion: 1 })),
        { apiKey: apis.metadata.key, minVersion: -32768, maxVersion: 32767 },
        { apiKey: apis.fetch.key, minVersion: 300, maxVersion: 301 },
        { apiKey: -5, minVersion: 0, maxVersion: 0 },
      ];
      const body = { apiKeys };
      socket.write(encodeResponse({ api: apis.apiVersions, version, correlationId, body }));
    };
    const { versions } = await open(await serve(neverAsked, odd));
    assert.equal(versions.negotiate('metadata'), 13);
    assert.throws(() => versions.negotiate('fetch'), /has versions 300 to 301/);
    assert.throws(() => versions.negotiate('produce'), /has versions 9 to 1/);
  });

  it('gives up on a broker that takes no version of ApiVersions', async () => {
    const asked: number[] = [];
    const refuse: Answer = ({ version, correlationId }, socket) => {
      asked.push(version);
      const apiKeys = [{ apiKey: apis.apiVersions.key, minVersion: -9, maxVersion: -7 }];
      const body = { errorCode: errorCodes.UNSUPPORTED_VERSION, apiKeys };
      socket.write(encodeResponse({ api: apis.apiVersions, version: 0, correlationId, body }));
    };
    await assert.rejects(open(await serve(neverAsked, refuse)), /UNSUPPORTED_VERSION/);
    assert.deepEqual(asked, [4, 0]);
  });

  it('refuses a SASL challenge of 100 MB', async () => {
    const sasl = { mechanism: 'SCRAM-SHA-256', username: 'a', password: 'b' } as const;
    const port = await serve((request, socket) => {
      const { version, correlationId } = request;
      if (request.api === apis.saslHandshake) {
        const body = { mechanisms: [sasl.mechanism] };
        socket.write(encodeResponse({ api: apis.saslHandshake, version, correlationId, body }));
      } else socket.write(beginning(request, 100_000_000));
    });
    const security = { protocol: 'SASL_PLAINTEXT', sasl } as const;
    await assert.rejects(open(port, { security }), /frame of 100000000 b/);
  });

  it('does not wait because of a throttle time of 24 days: brokers hold back by themselves [KIP-219]', async () => {
    const port = await serve(({ version, correlationId }, socket) => {
      const body = { throttleTimeMs: 0x7fffffff };
      socket.write(encodeResponse({ api: apis.metadata, version, correlationId, body }));
    });
    const connection = await open(port);
    await ask(connection);
    await ask(connection);
  });

  it('says in words that a broker is said to listen where nothing can', async () => {
    const port = await serve(({ version, correlationId }, socket) => {
      const body = { brokers: [{ nodeId: 1, host: 'localhost', port: 99_999 }] };
      socket.write(encodeResponse({ api: apis.metadata, version, correlationId, body }));
    });
    const client = new KafkaClient({ bootstrap: [`127.0.0.1:${port}`] });
    ends.push(() => client.dispose());
    await assert.rejects(client.request('describeConfigs', {}, { to: 1 }), {
      name: 'ConnectionError',
      message: /localhost:99999/,
    });
  });

  it('leaves a request that it does not read where it is, and writes no more', async () => {
    const server = createServer({ pauseOnConnect: false }, (socket) => {
      ends.push(() => socket.destroy());
      socket.on('error', () => undefined);
      socket.once('data', (chunk) => {
        greet(decodeRequest(chunk.subarray(4)), socket);
        socket.pause();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => server.close());
    const address = server.address();
    const connection = await open(typeof address === 'object' && address ? address.port : 0);
    const records = Buffer.alloc(4 * mebibyte);
    const partitionData = [{ index: 0, records }];
    const body = { acks: 0, timeoutMs: 1000, topicData: [{ name: 'a', partitionData }] };
    const options = { version: 9, timeoutMs: 60_000, expectsResponse: false };
    let sent = 0;
    const all = Array.from({ length: 30 }, () =>
      connection.send('produce', body, options).then(
        () => sent++,
        () => undefined,
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(sent < 30, `${sent} were written`);
    connection.dispose();
    await Promise.all(all);
  });

  it('survives any bytes at all: each request has its answer or its error', async () => {
    const seed = 20_261_130;
    const random = seededRandom(seed);
    const port = await serve((request, socket) => {
      const noise = Buffer.from(random.bytes(random.below(60)));
      const head = beginning(request, noise.length + 4);
      socket.write(Buffer.concat([head, noise]));
    });
    for (let round = 0; round < 100; round++) {
      const connection = await open(port);
      const [outcome] = await Promise.allSettled([ask(connection)]);
      assert.ok(
        outcome.status === 'fulfilled' || String(outcome.reason).includes('lost the connection'),
        `seed ${seed}, round ${round}: ${String(outcome.status === 'rejected' && outcome.reason)}`,
      );
      connection.dispose();
    }
  });
});

/** No request comes so far. */
const neverAsked: Answer = ({ apiKey }) => {
  throw new Error(`asked for ${apiByKey(apiKey)?.name}`);
};
