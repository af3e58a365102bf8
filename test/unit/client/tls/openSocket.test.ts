import assert from 'node:assert/strict';
import { createServer as createTcpServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, before, describe, it } from 'mocha';
import { systemClock } from '../../../../src/base/clock.ts';
import { ConnectionError, SecurityError } from '../../../../src/client/kafkaError.ts';
import type { ClientCertificate, TlsOptions } from '../../../../src/client/security.ts';
import { openSocket } from '../../../../src/client/socket.ts';
import {
  type Certificates,
  makeCertificates,
  passphrase,
} from '../../../support/kafka/certificates.ts';

describe('a socket with TLS', () => {
  let certificates: Certificates;
  const servers: Server[] = [];

  before(async () => {
    certificates = await makeCertificates();
  });
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  const portOf = async (server: Server): Promise<number> => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  };

  const refusal = async (
    port: number,
    tls: TlsOptions,
    connectTimeoutMs = 5000,
  ): Promise<Error> => {
    try {
      const address = { host: '127.0.0.1', port };
      const security = { protocol: 'SSL', tls } as const;
      const socket = await openSocket({ address, security, connectTimeoutMs, clock: systemClock });
      socket.destroy();
    } catch (error) {
      if (error instanceof Error) return error;
    }
    throw new Error('it connected');
  };

  it('is refused where the certificate has expired, in words', async () => {
    const keyStore = await certificates.text('expired.keystore.pem');
    const port = await portOf(createTlsServer({ cert: keyStore, key: keyStore }));
    const authorities = await certificates.text('ca.pem');
    const error = await refusal(port, { authorities, checkHostName: true });
    assert.ok(error instanceof SecurityError);
    assert.match(error.message, /has expired/);
    assert.match(error.hint, /renewed/);
  });

  it('is refused where something else than TLS answers, in words', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    const error = await refusal(await portOf(server), { checkHostName: true });
    assert.ok(error instanceof SecurityError);
    assert.match(error.message, /does not speak TLS/);
  });

  it('does not wait for ever for a handshake', async () => {
    const server = createTcpServer((socket) => socket.on('error', () => undefined));
    const error = await refusal(await portOf(server), { checkHostName: true }, 100);
    assert.ok(error instanceof ConnectionError);
    assert.match(error.message, /did not finish the TLS handshake within 0\.1 s/);
  });

  interface Own {
    readonly certificate: string;
    readonly key: string;
    readonly othersKey: string;
    readonly store: Uint8Array;
  }
  const unusable: [string, (own: Own) => ClientCertificate, RegExp][] = [
    [
      'an encrypted key without its passphrase',
      ({ certificate, key }) => ({ kind: 'pem', certificate, key }),
      /passphrase does not open the private key/,
    ],
    [
      'an encrypted key with a wrong passphrase',
      ({ certificate, key }) => ({ kind: 'pem', certificate, key, passphrase: 'wr0ng' }),
      /passphrase does not open the private key/,
    ],
    [
      'the key of another certificate',
      ({ certificate, othersKey: key }) => ({ kind: 'pem', certificate, key }),
      /not the one of the client certificate/,
    ],
    [
      'a key that is no key',
      ({ certificate }) => ({ kind: 'pem', certificate, key: certificate }),
      /private key is not in PEM/,
    ],
    [
      'a certificate that is none',
      ({ key }) => ({ kind: 'pem', certificate: key, key, passphrase }),
      /client certificate is not in PEM/,
    ],
    [
      'a PKCS12 store with a wrong passphrase',
      ({ store }) => ({ kind: 'pkcs12', store, passphrase: 'wr0ng' }),
      /passphrase does not open the PKCS12 store/,
    ],
    [
      'a JKS store that is cut off',
      () => ({ kind: 'pkcs12', store: Buffer.from('feedfeed00000002', 'hex') }),
      /JKS key store is cut off/,
    ],
    [
      'a store that is none',
      () => ({ kind: 'pkcs12', store: Buffer.from('PK') }),
      /neither in PKCS12 nor in JKS/,
    ],
  ];
  for (const [what, own, words] of unusable) {
    it(`is not even begun with ${what}, and says so without the secret [B2]`, async () => {
      const clientCertificate = own({
        certificate: await certificates.text('client.pem'),
        key: await certificates.text('client.key'),
        othersKey: await certificates.text('stranger.key'),
        store: await certificates.bytes('client.p12'),
      });
      const error = await refusal(1, { checkHostName: true, clientCertificate });
      assert.ok(error instanceof SecurityError, String(error));
      assert.match(error.message, words);
      assert.doesNotMatch(`${error.message} ${error.hint}`, /wr0ng|MII/);
    });
  }

  it('is told of a wrong passphrase also where it makes something of the key, as one in 256 does [B2]', async () => {
    const certificate = await certificates.text('client.pem');
    const key = await certificates.text('client.key');
    for (let n = 0; n < 1000; n++) {
      const clientCertificate = {
        kind: 'pem',
        certificate,
        key,
        passphrase: `wr0ng ${n}`,
      } as const;
      const error = await refusal(1, {
        checkHostName: true,
        authorities: certificate,
        clientCertificate,
      });
      assert.match(String(error), /passphrase does not open the private key/);
    }
  });

  it('is not begun with authorities that are no certificates [B2]', async () => {
    const error = await refusal(1, { checkHostName: true, authorities: 'ca.pem' });
    assert.match(error.message, /trusted authorities are not in PEM/);
  });
});
