// What TLS asks of clients, and who they are by their certificates: our broker and Kafka 4.4 with the same configs.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect as connectPlain } from 'node:net';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { after, before, describe, it } from 'mocha';
import { startCluster } from '../../../src/embedded.ts';
import { type Certificates, makeCertificates } from '../../support/kafka/certificates.ts';
import { startKafka } from '../../support/kafka/realKafka.ts';
import { run } from '../../support/process.ts';
import { RawClient } from './support/rawClient.ts';
import { authorizerConfig } from './support/saslClient.ts';
import { createTopic, freshName, patienceMs } from './support/servers.ts';

const protocols = {
  REQUESTED: 'SSL',
  OLDER: 'SSL',
  RSA: 'SSL',
  SASL_SSL: 'SASL_SSL',
  CERTIFIED: 'SASL_SSL',
} as const;
type Listener = keyof typeof protocols;

interface Side {
  readonly bootstrap: string;
  port(listener: Listener): number;
  stop(): Promise<void>;
}

/** The certificate and key of somebody with parts of all kinds in the name. */
const odd = { cert: 'odd.pem', key: 'odd.key' } as const;
const oddSubject = '/C=DE/O=Example, Inc./OU=Shop+CN=ø #1/emailAddress=a@b.c/OU= x ';
const oddUser =
  'User:OU=\\ x\\ ,1.2.840.113549.1.9.1=#16056140622e63,OU=Shop+CN=ø \\#1,O=Example\\, Inc.,C=DE';

const elliptic = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
const oddName = ['-utf8', '-multivalue-rdn', '-subj', oddSubject];

/** `NAME.key` and `NAME.pem`, signed by the authority that all trust. */
async function sign({ folder }: Certificates, name: string, asked: string[]): Promise<void> {
  const openssl = async (...args: string[]): Promise<void> => {
    const { code, stderr } = await run('openssl', args, { cwd: folder });
    assert.equal(code, 0, stderr);
  };
  const [key, request, certificate] = [`${name}.key`, `${name}.csr`, `${name}.pem`];
  await openssl('req', ...asked, '-nodes', '-keyout', key, '-out', request);
  const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-days', '3650', '-copy_extensions', 'copy'];
  await openssl('x509', '-req', '-in', request, ...by, '-out', certificate);
}

/** A broker with an RSA key, as suites with DHE need it. */
async function makeRsaBroker(certificates: Certificates): Promise<void> {
  const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-subj', '/CN=rsa'];
  await sign(certificates, 'rsa', ['-newkey', 'rsa:2048', ...names]);
  const parts = ['rsa.key', 'rsa.pem'].map((file) => readFile(`${certificates.folder}/${file}`));
  await writeFile(rsaStore(certificates), Buffer.concat(await Promise.all(parts)));
}

const rsaStore = ({ folder }: Certificates): string => `${folder}/rsa.keystore.pem`;

const jaasOfAlice =
  'org.apache.kafka.common.security.plain.PlainLoginModule required user_alice="x";';

const configs = (certificates: Certificates): Record<string, string> => ({
  ...authorizerConfig,
  'ssl.keystore.type': 'PEM',
  'ssl.keystore.location': certificates.file('broker.keystore.pem'),
  'ssl.truststore.type': 'PEM',
  'ssl.truststore.location': certificates.file('ca.pem'),
  'ssl.client.auth': 'required',
  'listener.name.requested.ssl.client.auth': 'requested',
  'listener.name.older.ssl.client.auth': 'none',
  'listener.name.older.ssl.enabled.protocols': 'TLSv1.2',
  'listener.name.older.ssl.cipher.suites':
    'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256,TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  'listener.name.rsa.ssl.keystore.location': rsaStore(certificates),
  'listener.name.rsa.ssl.client.auth': 'none',
  'listener.name.rsa.ssl.cipher.suites': 'TLS_DHE_RSA_WITH_AES_256_GCM_SHA384',
  'listener.name.sasl_ssl.sasl.enabled.mechanisms': 'PLAIN',
  'listener.name.sasl_ssl.plain.sasl.jaas.config': jaasOfAlice,
  'listener.name.certified.ssl.client.auth': 'requested',
  'listener.name.certified.ssl.principal.mapping.rules': 'RULE:^CN=nobody$/x/',
  'listener.name.certified.sasl.enabled.mechanisms': 'PLAIN',
  'listener.name.certified.plain.sasl.jaas.config': jaasOfAlice,
});

async function startOurs(certificates: Certificates): Promise<Side> {
  const all = { PLAINTEXT: 'PLAINTEXT', ...protocols };
  const cluster = await startCluster({
    configs: {
      ...configs(certificates),
      listeners: Object.keys(all)
        .map((name) => `${name}://127.0.0.1:0`)
        .join(','),
      'listener.security.protocol.map': Object.entries(all)
        .map(([name, protocol]) => `${name}:${protocol}`)
        .join(','),
    },
  });
  return {
    bootstrap: cluster.bootstrap,
    port: (name) => Number(cluster.listeners[name]?.split(':')[1]),
    stop: () => cluster.stop(),
  };
}

for (const { name, start } of [
  { name: 'embedded', start: startOurs },
  {
    name: 'Kafka 4.4',
    start: (certificates: Certificates): Promise<Side> =>
      startKafka({ config: configs(certificates), listeners: protocols }),
  },
])
  describe(`TLS (${name})`, function () {
    this.timeout(patienceMs);
    let side: Side;
    let certificates: Certificates;

    before(async () => {
      certificates = await makeCertificates();
      await sign(certificates, 'odd', [...elliptic, ...oddName]);
      await makeRsaBroker(certificates);
      side = await start(certificates);
    });
    after(() => side.stop());

    const read = (file: string): Promise<Buffer> => readFile(`${certificates.folder}/${file}`);

    async function shakeHands(
      listener: Listener,
      options: ConnectionOptions = {},
    ): Promise<TLSSocket> {
      const ca = await read('ca.pem');
      const port = side.port(listener);
      const socket = connect({ host: '127.0.0.1', port, ca, ...options });
      await once(socket, 'secureConnect');
      return socket;
    }

    /** The topics that are shown to who comes with this; undefined: it is not let in. */
    async function shown(certificate?: { cert: string; key: string }): Promise<unknown> {
      const { cert, key } = certificate ?? {};
      const socket = await shakeHands('REQUESTED', {
        ...(cert !== undefined && { cert: await read(cert) }),
        ...(key !== undefined && { key: await read(key) }),
      });
      const client = new RawClient(socket, 'tls');
      client.send('metadata', 12, { topics: null });
      const isLetIn = (await client.nextFrame()) !== undefined;
      const topics = isLetIn ? (await client.call('metadata', 12, { topics: null })).topics : [];
      client.close();
      return isLetIn ? topics.map((topic) => topic.name) : undefined;
    }

    it('[A9] a client is called as Java spells the name in its certificate', async () => {
      const admin = await RawClient.open(side.bootstrap);
      const [own, other] = [freshName('own'), freshName('other')];
      for (const topic of [own, other]) await createTopic(admin, topic);
      const acl = {
        resourceType: 2,
        resourceName: own,
        resourcePatternType: 3,
        principal: oddUser,
      };
      const creations = [{ ...acl, host: '*', operation: 8, permissionType: 3 }];
      await admin.call('createAcls', 3, { creations });
      for (let seen: unknown = []; String(seen) !== own;) seen = await shown(odd);
      assert.deepEqual(await shown(odd), [own]);
      admin.close();
    });

    it('[A9] who is only asked for a certificate shows a right one, or none', async () => {
      const admin = await RawClient.open(side.bootstrap);
      const topic = freshName('seen');
      await createTopic(admin, topic);
      admin.close();
      assert.ok(((await shown()) as string[]).includes(topic), 'ANONYMOUS is a super user here');
      assert.equal(await shown({ cert: 'stranger.pem', key: 'stranger.key' }), undefined);
    });

    it('[A9] who comes with SASL shows none unless the listener itself asks for it', async () => {
      const client = new RawClient(await shakeHands('SASL_SSL'), 'tls');
      const { errorCode } = await client.call('apiVersions', 0, {});
      assert.equal(errorCode, 0);
      client.close();
    });

    it('[A9] who comes with SASL and a certificate is not asked for a name in it, only that it is trusted', async () => {
      const isAnswered = async (cert: string, key: string): Promise<boolean> => {
        const shows = { cert: await read(cert), key: await read(key) };
        const client = new RawClient(await shakeHands('CERTIFIED', shows), 'tls');
        client.send('apiVersions', 0, {});
        const frame = await client.nextFrame();
        client.close();
        return frame !== undefined;
      };
      assert.equal(await isAnswered(odd.cert, odd.key), true);
      assert.equal(await isAnswered('stranger.pem', 'stranger.key'), false);
    });

    it('[A9] versions and ciphers are those of the listener, in its order', async () => {
      const chosen = await shakeHands('OLDER');
      assert.equal(chosen.getProtocol(), 'TLSv1.2');
      assert.equal(chosen.getCipher().standardName, 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256');
      chosen.destroy();
      await assert.rejects(shakeHands('OLDER', { minVersion: 'TLSv1.3' }), /protocol version/);
      const strong = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES256-GCM-SHA384' } as const;
      await assert.rejects(shakeHands('OLDER', strong), /handshake failure/);
      const usual = await shakeHands('REQUESTED', { maxVersion: 'TLSv1.2' });
      assert.equal(usual.getCipher().standardName, 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384');
      usual.destroy();
    });

    it('[A9] suites with DHE are spoken, and no newer version than suites are of', async () => {
      const socket = await shakeHands('RSA', { ciphers: 'DHE-RSA-AES256-GCM-SHA384' });
      assert.equal(socket.getProtocol(), 'TLSv1.2');
      assert.equal(socket.getCipher().name, 'DHE-RSA-AES256-GCM-SHA384');
      socket.destroy();
      await assert.rejects(shakeHands('RSA', { minVersion: 'TLSv1.3' }), /protocol version/);
    });

    it('[A9] who does not speak TLS is told so in an alert', async () => {
      const socket = connectPlain(side.port('REQUESTED'), '127.0.0.1');
      socket.write(Buffer.from('0000000c00120000000000070000ffff', 'hex'));
      const received: Buffer[] = [];
      for await (const chunk of socket) received.push(chunk as Buffer);
      assert.equal(Buffer.concat(received).toString('hex'), '15030300020250');
    });
  });
