// Listeners with TLS and SASL: our broker and Kafka 4.4 with the same configs, asked by the same clients.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Kafka, logLevel, type SASLOptions } from 'kafkajs';
import { after, before, describe, it } from 'mocha';
import { type EmbeddedKafka, startCluster } from '../../../src/embedded.ts';
import { type Certificates, makeCertificates } from '../../support/kafka/certificates.ts';
import { runKafkaTool } from '../../support/kafka/java.ts';
import { secureConfig, sharedKafka, user } from '../../support/kafka/sharedKafka.ts';
import { run } from '../../support/process.ts';
import { RawClient, type RequestInput } from './support/rawClient.ts';
import { errorName, freshName, patienceMs } from './support/servers.ts';

const protocols = {
  PLAINTEXT: 'PLAINTEXT',
  SSL: 'SSL',
  MTLS: 'SSL',
  ELSEWHERE: 'SSL',
  SASL_PLAINTEXT: 'SASL_PLAINTEXT',
  SASL_SSL: 'SASL_SSL',
};

interface Secured {
  readonly certificates: Certificates;
  port(listener: string): number;
  stop(): Promise<void>;
}

async function startOurs(): Promise<Secured> {
  const certificates = await makeCertificates();
  const names = Object.keys(protocols);
  const configs: Record<string, string | number> = {
    ...secureConfig(certificates),
    listeners: names.map((name) => `${name}://127.0.0.1:0`).join(','),
    'listener.security.protocol.map': Object.entries(protocols)
      .map(([name, protocol]) => `${name}:${protocol}`)
      .join(','),
  };
  const texts = Object.entries(configs).map(([name, value]) => [name, String(value)]);
  const cluster: EmbeddedKafka = await startCluster({
    configs: Object.fromEntries(texts) as Record<string, string>,
  });
  const port = (name: string): number => Number(cluster.listeners[name]?.split(':')[1]);
  return { certificates, port, stop: () => cluster.stop() };
}

async function startKafkas(): Promise<Secured> {
  const kafka = await sharedKafka();
  return {
    certificates: kafka.certificates,
    port: (name) => kafka.port(name),
    stop: () => Promise.resolve(),
  };
}

for (const { name, start } of [
  { name: 'embedded', start: startOurs },
  { name: 'Kafka 4.4', start: startKafkas },
])
  describe(`Secured listeners (${name})`, function () {
    this.timeout(patienceMs);
    let server: Secured;
    let folder: string;
    const carol = freshName('carol');
    const at = (listener: string): string => `127.0.0.1:${server.port(listener)}`;

    before(async () => {
      server = await start();
      folder = await mkdtemp(path.join(tmpdir(), 'security-'));
      // Both at once is refused, by Kafka as well.
      for (const each of [
        'SCRAM-SHA-256=[iterations=4096,password=carols]',
        'SCRAM-SHA-512=[password=carols]',
      ]) {
        // prettier-ignore
        const { code, stderr } = await configsTool('--alter', '--add-config', each);
        assert.equal(code, 0, stderr);
      }
    });
    after(async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    });

    const configsTool = (...args: string[]) =>
      runKafkaTool('org.apache.kafka.tools.ConfigCommand', ['--bootstrap-server', at('PLAINTEXT'), '--entity-type', 'users', '--entity-name', carol, ...args]); // prettier-ignore

    const tls = (): string[] => ['-X', `ssl.ca.location=${server.certificates.file('ca.pem')}`];

    /** What `kcat -L` says of the brokers, or its first complaint. */
    async function kcat(listener: string, ...settings: string[]): Promise<string> {
      const args = ['-L', '-m', '3', '-b', at(listener), ...settings];
      const { code, stdout, stderr } = await run('kcat', args, { timeoutMs: 60_000 });
      if (code !== 0) return stderr;
      return /broker 1 at \S+/.exec(stdout)?.[0] ?? stdout;
    }

    const sasl = (protocol: string, mechanism: string, username: string, password: string) =>
      ['security.protocol=' + protocol, 'sasl.mechanism=' + mechanism, 'sasl.username=' + username, 'sasl.password=' + password].flatMap((each) => ['-X', each]); // prettier-ignore

    it('[A9] tells clients the port of the listener that they came by', async () => {
      for (const [listener, protocol] of [['SSL', 'ssl'], ['PLAINTEXT', 'plaintext']] as const) // prettier-ignore
        assert.equal(await kcat(listener, '-X', `security.protocol=${protocol}`, ...tls()), `broker 1 at ${at(listener)}`); // prettier-ignore
    });

    it('[A9] lets librdkafka in by TLS only where the certificates are right', async () => {
      const ssl = ['-X', 'security.protocol=ssl'];
      assert.match(await kcat('SSL', ...ssl), /certificate verify failed|SSL handshake failed/i);
      assert.match(await kcat('MTLS', ...ssl, ...tls()), /certificate required|bad certificate|SSL handshake|handshake failure|Disconnected|terminated/i); // prettier-ignore
      const own = ['-X', `ssl.certificate.location=${server.certificates.file('client.pem')}`, '-X', `ssl.key.location=${server.certificates.file('client.key')}`, '-X', 'ssl.key.password=open sesame, please']; // prettier-ignore
      assert.equal(await kcat('MTLS', ...ssl, ...tls(), ...own), `broker 1 at ${at('MTLS')}`);
    });

    it('[A9] lets librdkafka in with PLAIN, and keeps wrong passwords out', async () => {
      const { username, password } = user;
      const right = sasl('sasl_plaintext', 'PLAIN', username, password);
      assert.equal(await kcat('SASL_PLAINTEXT', ...right), `broker 1 at ${at('SASL_PLAINTEXT')}`);
      const encrypted = [...sasl('sasl_ssl', 'PLAIN', username, password), ...tls()];
      assert.equal(await kcat('SASL_SSL', ...encrypted), `broker 1 at ${at('SASL_SSL')}`);
      const wrong = await kcat('SASL_PLAINTEXT', ...sasl('sasl_plaintext', 'PLAIN', username, 'x'));
      assert.match(wrong, /Authentication failed: Invalid username or password/);
      const guessed = [...sasl('sasl_ssl', 'SCRAM-SHA-512', carol, 'x'), ...tls()];
      assert.match(
        await kcat('SASL_SSL', ...guessed),
        /invalid credentials with SASL mechanism SCRAM-SHA-512/,
      );
    });

    it('[A9] lets Java in with SCRAM, and tells it why not', async () => {
      const list = async (secret: string): Promise<string> => {
        const settings = path.join(folder, 'client.properties');
        await writeFile(
          settings,
          `security.protocol=SASL_SSL
sasl.mechanism=SCRAM-SHA-256
sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="${carol}" password="${secret}";
ssl.truststore.type=PEM
ssl.truststore.location=${server.certificates.file('ca.pem')}
request.timeout.ms=5000
default.api.timeout.ms=15000
`,
        );
        const { code, stdout, stderr } = await runKafkaTool('org.apache.kafka.tools.TopicCommand', ['--bootstrap-server', at('SASL_SSL'), '--command-config', settings, '--list']); // prettier-ignore
        return code === 0 ? 'in' : stdout + stderr;
      };
      assert.equal(await list('carols'), 'in');
      assert.match(await list('wrong'), /SaslAuthenticationException: Authentication failed during authentication due to invalid credentials with SASL mechanism SCRAM-SHA-256/); // prettier-ignore
    });

    it('[A9] lets kafkajs in', async () => {
      const connect = async (listener: string, options: SASLOptions): Promise<void> => {
        const ca = [await server.certificates.text('ca.pem')];
        const kafka = new Kafka({
          brokers: [at(listener)],
          ...(listener === 'SASL_SSL' && { ssl: { ca } }),
          sasl: options,
          retry: { retries: 0 },
          logLevel: logLevel.NOTHING,
        });
        const admin = kafka.admin();
        await admin.connect();
        await admin.listTopics().finally(() => admin.disconnect());
      };
      const { username, password } = user;
      const scram = { username: carol, password: 'carols' };
      await connect('SASL_PLAINTEXT', { mechanism: 'plain', username, password });
      await connect('SASL_SSL', { mechanism: 'scram-sha-256', ...scram });
      await connect('SASL_SSL', { mechanism: 'scram-sha-512', ...scram });
      const wrong = { mechanism: 'plain', username, password: 'no' } as const;
      await assert.rejects(connect('SASL_PLAINTEXT', wrong), /Invalid username or password/);
    });

    it('[A9] describes credentials without secrets, and forgets those deleted', async () => {
      const client = await RawClient.open(at('PLAINTEXT'));
      const found = await client.call('describeUserScramCredentials', 0, {
        users: [{ name: carol }],
      });
      const infos = found.results[0]?.credentialInfos.map((each) => [
        each.mechanism,
        each.iterations,
      ]);
      assert.deepEqual(infos?.sort(), [[1, 4096], [2, 4096]]); // prettier-ignore
      const alter = async (name: string, mechanism: number, iterations: number) => {
        const upsertion = { name, mechanism, iterations, salt: Buffer.from('salt'), saltedPassword: Buffer.alloc(32) }; // prettier-ignore
        const answer = await client.call('alterUserScramCredentials', 0, { deletions: [], upsertions: [upsertion] }); // prettier-ignore
        return answer.results.map(({ errorCode, errorMessage }) => `${errorName(errorCode)}: ${errorMessage}`); // prettier-ignore
      };
      assert.deepEqual(await alter('', 1, 4096), ['UNACCEPTABLE_CREDENTIAL: Username must not be empty']); // prettier-ignore
      assert.deepEqual(await alter('u', 7, 4096), ['UNSUPPORTED_SASL_MECHANISM: Unknown SCRAM mechanism']); // prettier-ignore
      assert.deepEqual(await alter('u', 1, 4095), ['UNACCEPTABLE_CREDENTIAL: Too few iterations']);
      assert.deepEqual(await alter('u', 2, 16_385), ['UNACCEPTABLE_CREDENTIAL: Too many iterations']); // prettier-ignore
      const gone = freshName('gone');
      const deletion = { name: gone, mechanism: 1 };
      const { results } = await client.call('alterUserScramCredentials', 0, { deletions: [deletion], upsertions: [] }); // prettier-ignore
      assert.equal(errorName(results[0]?.errorCode), 'RESOURCE_NOT_FOUND');
      const unknown = await client.call('describeUserScramCredentials', 0, { users: [{ name: gone }] }); // prettier-ignore
      assert.equal(errorName(unknown.results[0]?.errorCode), 'RESOURCE_NOT_FOUND');
      client.close();
    });

    it('[A9] answers nothing before a client has authenticated, but how it may', async () => {
      const early = await RawClient.open(at('SASL_PLAINTEXT'));
      const { apiKeys } = await early.call('apiVersions', 0, {});
      assert.ok(apiKeys.length > 10);
      early.send('metadata', 4, { topics: null });
      assert.equal(await early.nextFrame(), undefined);
      const other = await RawClient.open(at('SASL_PLAINTEXT'));
      const refused = await other.call('saslHandshake', 1, { mechanism: 'SCRAM-SHA-256' });
      assert.deepEqual([errorName(refused.errorCode), refused.mechanisms], ['UNSUPPORTED_SASL_MECHANISM', ['PLAIN']]); // prettier-ignore
      assert.equal(await other.nextFrame(), undefined);
      const plain = await RawClient.open(at('PLAINTEXT'));
      const pointless = await plain.call('saslHandshake', 1, { mechanism: 'PLAIN' });
      assert.equal(errorName(pointless.errorCode), 'ILLEGAL_SASL_STATE');
      plain.close();
    });

    it('[A9] says why it refuses, then closes', async () => {
      const client = await RawClient.open(at('SASL_PLAINTEXT'));
      const shake = await client.call('saslHandshake', 1, { mechanism: 'PLAIN' });
      assert.equal(errorName(shake.errorCode), 'NONE');
      const authBytes = Buffer.from(`\0${user.username}\0wrong`);
      const answer = await client.call('saslAuthenticate', 2, { authBytes });
      assert.deepEqual([errorName(answer.errorCode), answer.errorMessage], ['SASL_AUTHENTICATION_FAILED', 'Authentication failed: Invalid username or password']); // prettier-ignore
      assert.equal(await client.nextFrame(), undefined);
    });

    it('[A9] says in the words of each API that a token should have come', async () => {
      const asked = async <A extends 'findCoordinator' | 'describeCluster'>(
        api: A,
        version: number,
        body: RequestInput<A>,
      ) => {
        const client = await RawClient.open(at('SASL_PLAINTEXT'));
        await client.call('saslHandshake', 1, { mechanism: 'PLAIN' });
        const { errorMessage } = await client.call(api, version, body);
        client.close();
        return errorMessage;
      };
      assert.equal(await asked('findCoordinator', 3, { key: 'a', keyType: 0 }), 'Request is not valid given the current SASL state.'); // prettier-ignore
      assert.equal(await asked('describeCluster', 0, {}), 'Unexpected Kafka request of type DESCRIBE_CLUSTER during SASL authentication.'); // prettier-ignore
    });

    it('[A9] takes bare tokens after version 0 of the handshake', async () => {
      const client = await RawClient.open(at('SASL_PLAINTEXT'));
      await client.call('saslHandshake', 0, { mechanism: 'PLAIN' });
      const token = Buffer.from(`\0${user.username}\0${user.password}`);
      const size = Buffer.alloc(4);
      size.writeInt32BE(token.length);
      client.write(Buffer.concat([size, token]));
      assert.equal((await client.nextFrame())?.length, 0);
      const { brokers } = await client.call('metadata', 4, { topics: [] });
      assert.equal(brokers[0]?.port, server.port('SASL_PLAINTEXT'));
      client.close();
    });
  });
