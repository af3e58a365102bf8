import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { maxMessageBytes, socketTransport } from '../../../src/shared/socketTransport.ts';

describe('socket transport', () => {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

  async function pair(): Promise<{ near: Socket; far: Socket }> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [far] = (await once(server, 'connection')) as [Socket];
    near.on('error', () => undefined);
    far.on('error', () => undefined);
    ends.push(() => {
      near.destroy();
      far.destroy();
      server.close();
    });
    return { near, far };
  }

  function received(socket: Socket, count: number): Promise<unknown[]> {
    const messages: unknown[] = [];
    return new Promise((resolve, reject) => {
      socketTransport(socket, (problem) => reject(new Error(problem))).listen((message) => {
        messages.push(message);
        if (messages.length === count) resolve(messages);
      });
    });
  }

  it('carries messages in order, whatever the pieces they arrive in', async () => {
    const { near, far } = await pair();
    const messages = [{ a: 'ü'.repeat(1000) }, [], null, 'text', { b: [1, 2, 3] }];
    const frames = messages.map((message) => {
      const body = Buffer.from(JSON.stringify(message));
      const size = Buffer.alloc(4);
      size.writeUInt32BE(body.length);
      return Buffer.concat([size, body]);
    });
    const arrived = received(far, messages.length);
    near.setNoDelay(true);
    for (const byte of Buffer.concat(frames)) near.write(Buffer.of(byte));
    assert.deepEqual(await arrived, messages);
  });

  it('carries what the other end sends', async () => {
    const { near, far } = await pair();
    const arrived = received(near, 2);
    const transport = socketTransport(far, () => undefined);
    transport.send({ kind: 'call', id: 1 });
    transport.send({ kind: 'answer', id: 1, result: '9223372036854775807' });
    assert.deepEqual(await arrived, [
      { kind: 'call', id: 1 },
      { kind: 'answer', id: 1, result: '9223372036854775807' },
    ]);
  });

  const hostile: [string, Buffer, RegExp][] = [
    ['a size above the bound', Buffer.from('7fffffff', 'hex'), /a message of 2147483647 bytes/],
    [
      'what is not JSON',
      Buffer.from('00000003' + Buffer.from('{a}').toString('hex'), 'hex'),
      /not JSON/,
    ],
  ];
  for (const [name, bytes, problem] of hostile) {
    it(`closes the socket on ${name}, before taking memory for it`, async () => {
      const { near, far } = await pair();
      const problems: string[] = [];
      socketTransport(far, (text) => problems.push(text)).listen(() => assert.fail('a message'));
      near.write(bytes);
      await once(far, 'close');
      assert.match(problems.join(), problem);
    });
  }

  it('refuses to send more than the other end would take', async () => {
    const { near } = await pair();
    const transport = socketTransport(near, () => undefined);
    assert.throws(() => transport.send('x'.repeat(maxMessageBytes)), RangeError);
  });
});
