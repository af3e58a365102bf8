import assert from 'node:assert/strict';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';
import { systemRandom } from '../../../src/base/random.ts';
import { Connection } from '../../../src/client/connection.ts';
import {
  ConnectionError,
  DeadlineError,
  UnsupportedError,
} from '../../../src/client/kafkaError.ts';
import { plaintext } from '../../../src/client/security.ts';
import { apis } from '../../../src/protocol/apis.ts';
import { errorCodes } from '../../../src/protocol/errors.ts';
import { decodeRequest, encodeResponse, type RequestFrame } from '../../../src/protocol/frames.ts';
import { FrameSplitter } from '../../../src/protocol/frameSplitter.ts';

type Answer = (request: RequestFrame, socket: Socket) => void;

const versions = [
  { apiKey: apis.apiVersions.key, minVersion: 0, maxVersion: 4 },
  { apiKey: apis.metadata.key, minVersion: 4, maxVersion: 9 },
];

const answerVersions: Answer = ({ version, correlationId }, socket) => {
  const body = { apiKeys: versions };
  socket.write(encodeResponse({ api: apis.apiVersions, version, correlationId, body }));
};

const answerMetadata: Answer = ({ version, correlationId }, socket) => {
  const body = { clusterId: `answer ${correlationId}` };
  socket.write(encodeResponse({ api: apis.metadata, version, correlationId, body }));
};

describe('a connection', () => {
  let server: Server | undefined;
  const sockets: Socket[] = [];

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server?.close();
  });

  /** A server that answers ApiVersions, and other requests as a test says. */
  const serve = async (answer: Answer, hello: Answer = answerVersions): Promise<number> => {
    server = createServer((socket) => {
      sockets.push(socket);
      const splitter = new FrameSplitter();
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        splitter.push(chunk);
        for (let frame = splitter.next(); frame; frame = splitter.next()) {
          const request = decodeRequest(frame);
          (request.apiKey === apis.apiVersions.key ? hello : answer)(request, socket);
        }
      });
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  };

  const open = (port: number, connectTimeoutMs = 5000): Promise<Connection> =>
    Connection.open({
      address: { host: '127.0.0.1', port },
      clientId: 'test',
      security: plaintext,
      clock: systemClock,
      random: systemRandom,
      connectTimeoutMs,
    });

  const metadata = { topics: [], allowAutoTopicCreation: false };
  const send = { version: 9, timeoutMs: 5000 };

  it('agrees on the highest version that both have, and says what is missing', async () => {
    const connection = await open(await serve(answerMetadata));
    assert.equal(connection.versions.negotiate('metadata'), 9);
    assert.equal(connection.versions.negotiate('metadata', { maxVersion: 6 }), 6);
    assert.throws(
      () => connection.versions.negotiate('metadata', { minVersion: 10 }),
      UnsupportedError,
    );
    assert.throws(() => connection.versions.negotiate('fetch'), /does not have the API “fetch”/);
    connection.dispose();
  });

  it('falls back where a broker lacks our version of ApiVersions (KIP-511)', async () => {
    const asked: number[] = [];
    const refuseNew: Answer = (request, socket) => {
      asked.push(request.version);
      const isKnown = request.version <= 2;
      const body = {
        errorCode: isKnown ? errorCodes.NONE : errorCodes.UNSUPPORTED_VERSION,
        apiKeys: [{ apiKey: apis.apiVersions.key, minVersion: 0, maxVersion: 2 }],
      };
      const version = isKnown ? request.version : 0;
      const { correlationId } = request;
      socket.write(encodeResponse({ api: apis.apiVersions, version, correlationId, body }));
    };
    const connection = await open(await serve(answerMetadata, refuseNew));
    assert.deepEqual(asked, [4, 2]);
    connection.dispose();
  });

  it('answers pipelined requests each with its own', async () => {
    const connection = await open(await serve(answerMetadata));
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => connection.send('metadata', metadata, send)),
    );
    assert.equal(new Set(answers.map(({ clusterId }) => clusterId)).size, 100);
    connection.dispose();
  });

  it('has a bounded number of requests at the broker, and sends the rest as answers come', async () => {
    let waiting: (() => void)[] = [];
    const connection = await open(
      await serve((request, socket) => waiting.push(() => answerMetadata(request, socket))),
    );
    const answers = Promise.all(
      Array.from({ length: 80 }, () => connection.send('metadata', metadata, send)),
    );
    let largest = 0;
    let answered = 0;
    while (answered < 80) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      largest = Math.max(largest, waiting.length);
      for (const answer of waiting) answer();
      answered += waiting.length;
      waiting = [];
    }
    assert.equal((await answers).length, 80);
    assert.equal(largest, 32);
    connection.dispose();
  });

  it('drops the answer to what was cancelled, and goes on', async () => {
    const connection = await open(await serve(answerMetadata));
    const controller = new AbortController();
    const { signal } = controller;
    const cancelled = connection.send('metadata', metadata, { ...send, signal });
    controller.abort();
    await assert.rejects(cancelled, { name: 'AbortError' });
    const next = await connection.send('metadata', metadata, send);
    assert.match(next.clusterId ?? '', /^answer/);
    connection.dispose();
  });

  it('ends at a missed deadline, names it, and tells the others that they may have been carried out', async () => {
    const connection = await open(await serve(() => undefined));
    const late = connection.send('metadata', metadata, { ...send, timeoutMs: 50 });
    const behind = connection.send('metadata', metadata, send);
    await assert.rejects(late, (error) => {
      assert.ok(error instanceof DeadlineError);
      assert.match(error.message, /metadata within 0\.05 s/);
      return true;
    });
    await assert.rejects(behind, (error) => {
      assert.ok(error instanceof ConnectionError);
      return error.mayHaveBeenSent;
    });
    assert.equal(connection.isOpen, false);
  });

  it('names the deadline also of a request that has not had its turn', async () => {
    const connection = await open(await serve(() => undefined));
    const before = Array.from({ length: 32 }, () => connection.send('metadata', metadata, send));
    const lost = Promise.all(before.map((each) => assert.rejects(each, ConnectionError)));
    const late = connection.send('metadata', metadata, { ...send, timeoutMs: 50 });
    await assert.rejects(late, DeadlineError);
    await lost;
  });

  const broken: [string, Answer][] = [
    ['closes', (_request, socket) => socket.destroy()],
    [
      'answers another request',
      ({ version }, socket) => {
        const body = { clusterId: 'x' };
        socket.write(encodeResponse({ api: apis.metadata, version, correlationId: 9999, body }));
      },
    ],
    [
      'sends a frame of an impossible size',
      (_request, socket) => socket.write(Buffer.from('HTTP/1.1')),
    ],
    [
      'sends an answer that is cut off',
      ({ correlationId }, socket) => {
        const frame = Buffer.alloc(10);
        frame.writeInt32BE(6);
        frame.writeInt32BE(correlationId, 4);
        socket.write(frame);
      },
    ],
  ];
  for (const [what, answer] of broken) {
    it(`rejects what waits, in words, where the broker ${what}`, async () => {
      const connection = await open(await serve(answer));
      const closed = new Promise<void>((resolve) => connection.onDidClose(() => resolve()));
      const requests = [1, 2, 3].map(() => connection.send('metadata', metadata, send));
      for (const request of requests) await assert.rejects(request, /lost the connection to 127/);
      await closed;
      await assert.rejects(connection.send('metadata', metadata, send), ConnectionError);
    });
  }

  it('refuses a value that the version cannot carry, and goes on', async () => {
    const connection = await open(await serve(answerMetadata));
    const impossible = { topics: [{ name: null }] };
    await assert.rejects(connection.send('metadata', impossible, send), /MetadataRequest v9/);
    assert.ok(await connection.send('metadata', metadata, send));
    connection.dispose();
  });

  it('does not wait for ever for a server that accepts and says nothing', async () => {
    const port = await serve(answerMetadata, () => undefined);
    await assert.rejects(open(port, 100), /did not answer as a Kafka broker/);
  });
});
