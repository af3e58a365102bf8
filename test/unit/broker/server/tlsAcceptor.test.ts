import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, it } from 'mocha';
import { silentLogger } from '../../../../src/base/logger.ts';
import { ciphersAndProtocols } from '../../../../src/broker/security/ciphersAndProtocols.ts';
import { tlsAcceptor } from '../../../../src/broker/server/tlsAcceptor.ts';
import { freePorts } from '../../../support/process.ts';
import { makeCertificates } from '../../../support/kafka/certificates.ts';

describe('A TLS handshake', () => {
  let store: string;
  let server: Server;

  before(async () => {
    store = await (await makeCertificates()).text('broker.keystore.pem');
  });
  after(() => server.close());

  /** Resolves to its port. */
  async function listen(handshakeMs?: number): Promise<number> {
    const tls = {
      ...{ key: store, cert: store, requestCert: false, rejectUnauthorized: false },
      ...ciphersAndProtocols(() => undefined),
    };
    const nobody = (): never => assert.fail('nobody shakes hands');
    server = createServer(tlsAcceptor(tls, nobody, silentLogger, handshakeMs));
    await once(server.listen(0, '0.0.0.0'), 'listening');
    return (server.address() as AddressInfo).port;
  }

  it('[A9] that takes too long ends with its connection', async () => {
    const port = await listen(1);
    const arrival = once(server, 'connection') as Promise<[Socket]>;
    const client = connect(port, '127.0.0.1');
    const [socket] = await arrival;
    await Promise.all([once(socket, 'close'), once(client.resume(), 'close')]);
    server.close();
  });

  it('[A9] that takes too long byte by byte ends too', async () => {
    const port = await listen(200);
    const client = connect(port, '127.0.0.1');
    await once(client, 'connect');
    // A record of the largest size, which never comes to its end.
    client.write(Buffer.from('1603014000', 'hex'));
    const dribble = setInterval(() => client.write(Buffer.alloc(1)), 10);
    client.on('error', () => undefined); // the byte on its way may meet a closed end
    await once(client.resume(), 'close');
    clearInterval(dribble);
    server.close();
  });

  it('[A9] that is none is answered on its own connection, where two come from one port', async function () {
    if (process.platform !== 'linux') this.skip(); // others have no 127.0.0.2
    const port = await listen();
    const [localPort] = await freePorts(1);
    const clients: Socket[] = [];
    for (const host of ['127.0.0.1', '127.0.0.2']) {
      const client = connect({ port, host, localAddress: '127.0.0.1', localPort: localPort! });
      await Promise.all([once(client, 'connect'), once(server, 'connection')]);
      clients.push(client);
    }
    for (const client of clients) {
      client.write(Buffer.from('0000000c00120000000000070000ffff', 'hex'));
      const received = await client.toArray();
      assert.equal(Buffer.concat(received as Buffer[]).toString('hex'), '15030300020250');
    }
  });
});
