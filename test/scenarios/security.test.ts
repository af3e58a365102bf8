import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { before, describe, it } from 'mocha';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { systemRandom } from '../../src/base/random.ts';
import { describeCluster } from '../../src/client/admin/cluster.ts';
import { createTopic, deleteTopics } from '../../src/client/admin/topics.ts';
import { Connection } from '../../src/client/connection.ts';
import { KafkaClient } from '../../src/client/kafkaClient.ts';
import { ConnectionError, SecurityError } from '../../src/client/kafkaError.ts';
import { produceMany, type RecordToProduce } from '../../src/client/produce.ts';
import { readRange } from '../../src/client/readRange.ts';
import type { ClientCertificate, SecurityOptions, TlsOptions } from '../../src/client/security.ts';
import { clientSettings } from '../../src/cluster/clientSettings/clientSettings.ts';
import { importProperties } from '../../src/cluster/connections/profileProperties.ts';
import type { SecurityProfile } from '../../src/cluster/connections/profileSecurity.ts';
import { testProfile } from '../../src/cluster/connections/profileTest.ts';
import { runKafkaTool } from '../support/kafka/java.ts';
import { passphrase } from '../support/kafka/certificates.ts';
import {
  sessionLifetimeMs,
  sharedKafka,
  type SharedKafka,
  user,
} from '../support/kafka/sharedKafka.ts';
import { run } from '../support/process.ts';
import { uniqueName } from './clusters.ts';

for (const version of ['4.4', '3.9'] as const) {
  describe(`a secured connection (Kafka ${version})`, () => {
    let kafka: SharedKafka;
    let tls: TlsOptions;
    let own: Record<'pem' | 'pkcs12' | 'stranger', ClientCertificate>;
    let strangersAuthority: string;

    before(async function () {
      this.timeout(120_000);
      kafka = await sharedKafka(version);
      const { text, bytes } = kafka.certificates;
      tls = { authorities: await text('ca.pem'), checkHostName: true };
      strangersAuthority = await text('other-ca.pem');
      own = {
        pem: {
          kind: 'pem',
          certificate: await text('client.pem'),
          key: await text('client.key'),
          passphrase,
        },
        pkcs12: { kind: 'pkcs12', store: await bytes('client.p12'), passphrase },
        stranger: {
          kind: 'pem',
          certificate: await text('stranger.pem'),
          key: await text('stranger.key'),
        },
      };
    });

    const clientOf = (listener: string, security: SecurityOptions): KafkaClient =>
      new KafkaClient({ bootstrap: [`127.0.0.1:${kafka.port(listener)}`], security });

    /** What fails, with nothing of the secrets in it. */
    const failureOf = async (listener: string, security: SecurityOptions): Promise<Error> => {
      const client = clientOf(listener, security);
      try {
        await client.metadata([]);
      } catch (error) {
        assert.ok(error instanceof Error);
        const everything = inspect(error, { depth: 10 });
        for (const secret of [user.password, 'wr0ng', passphrase]) {
          assert.ok(!everything.includes(secret), everything);
        }
        return error;
      } finally {
        client.dispose();
      }
      throw new Error('it was let in');
    };

    const accepted: [string, string, () => SecurityOptions][] = [
      ['TLS', 'SSL', () => ({ protocol: 'SSL', tls })],
      [
        'TLS with a client certificate in PEM and an encrypted key',
        'MTLS',
        () => ({ protocol: 'SSL', tls: { ...tls, clientCertificate: own.pem } }),
      ],
      [
        'TLS with a client certificate in PKCS12',
        'MTLS',
        () => ({ protocol: 'SSL', tls: { ...tls, clientCertificate: own.pkcs12 } }),
      ],
      [
        'TLS to a host of another name, unchecked',
        'ELSEWHERE',
        () => ({ protocol: 'SSL', tls: { ...tls, checkHostName: false } }),
      ],
      [
        'TLS to a host under the name that it is given',
        'ELSEWHERE',
        () => ({ protocol: 'SSL', tls: { ...tls, serverName: 'elsewhere.example' } }),
      ],
      [
        'SASL PLAIN without TLS',
        'SASL_PLAINTEXT',
        () => ({ protocol: 'SASL_PLAINTEXT', sasl: { mechanism: 'PLAIN', ...user } }),
      ],
      ...(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const).map(
        (mechanism): [string, string, () => SecurityOptions] => [
          `SASL ${mechanism} over TLS`,
          'SASL_SSL',
          () => ({ protocol: 'SASL_SSL', tls, sasl: { mechanism, ...user } }),
        ],
      ),
    ];
    for (const [what, listener, security] of accepted) {
      it(`administers, produces and reads over ${what} [B2] [B4]`, async () => {
        const client = clientOf(listener, security());
        try {
          const name = uniqueName('secure');
          await createTopic(client, { name, partitionCount: 1, replicationFactor: -1 });
          const { brokers } = await describeCluster(client);
          assert.deepEqual(
            brokers.map(({ port }) => port),
            [kafka.port(listener)],
          );
          await produceMany(client, name, ['a', 'b'].map(recordOf));
          assert.deepEqual(await valuesOf(client, name, 2n), ['a', 'b']);
          await deleteTopics(client, [name]);
        } finally {
          client.dispose();
        }
      });
    }

    const sasl = { mechanism: 'SCRAM-SHA-256', ...user } as const;
    const refused: [string, string, () => SecurityOptions, RegExp, RegExp][] = [
      [
        'a certificate that nobody here trusts',
        'SSL',
        () => ({ protocol: 'SSL', tls: { checkHostName: true } }),
        /not signed by an authority that is trusted/,
        /certificate of its authority/,
      ],
      [
        'a certificate of another authority',
        'SSL',
        () => ({ protocol: 'SSL', tls: { ...tls, authorities: strangersAuthority } }),
        /not signed by an authority that is trusted/,
        /certificate of its authority/,
      ],
      [
        'a certificate of another host',
        'ELSEWHERE',
        () => ({ protocol: 'SSL', tls }),
        /certificate is for another host: .*elsewhere\.example/,
        /host-name check/,
      ],
      [
        'no client certificate',
        'MTLS',
        () => ({ protocol: 'SSL', tls }),
        /asks for a client certificate/,
        /client certificate with its key/,
      ],
      [
        'a client certificate that the broker does not trust',
        'MTLS',
        () => ({ protocol: 'SSL', tls: { ...tls, clientCertificate: own.stranger } }),
        /client certificate/,
        /client certificate/,
      ],
      [
        'a wrong password with SCRAM',
        'SASL_SSL',
        () => ({ protocol: 'SASL_SSL', tls, sasl: { ...sasl, password: 'wr0ng' } }),
        /does not let alice in with SCRAM-SHA-256.*SASL_AUTHENTICATION_FAILED/,
        /user name and password/,
      ],
      [
        'a wrong password with PLAIN',
        'SASL_PLAINTEXT',
        () => ({
          protocol: 'SASL_PLAINTEXT',
          sasl: { mechanism: 'PLAIN', username: 'alice', password: 'wr0ng' },
        }),
        /does not let alice in with PLAIN.*SASL_AUTHENTICATION_FAILED/,
        /user name and password/,
      ],
      [
        'a mechanism that is not enabled, naming those that are',
        'SASL_PLAINTEXT',
        () => ({ protocol: 'SASL_PLAINTEXT', sasl }),
        /does not have the SASL mechanism SCRAM-SHA-256 enabled; it has PLAIN$/,
        /Choose one of those/,
      ],
      [
        'TLS on a port without it',
        'PLAINTEXT',
        () => ({ protocol: 'SSL', tls }),
        /as brokers do that listen without TLS|does not speak TLS/,
        /Choose PLAINTEXT/,
      ],
      [
        'SASL on a port without it',
        'SSL',
        () => ({ protocol: 'SASL_SSL', tls, sasl }),
        /listener without SASL/,
        /Choose PLAINTEXT or SSL/,
      ],
    ];
    for (const [what, listener, security, words, hint] of refused) {
      it(`fails at ${what}, and says what to do [B2] [B4]`, async () => {
        const error = await failureOf(listener, security());
        assert.ok(error instanceof SecurityError, inspect(error));
        assert.match(error.message, words);
        assert.match(error.hint, hint);
      });
    }

    it('says that a port expects TLS, when it was talked to without [B2]', async () => {
      const error = await failureOf('SSL', { protocol: 'PLAINTEXT' });
      assert.match(error.message, /expects TLS/);
    });

    it('says that a port expects SASL, when nobody introduced themselves [B2]', async () => {
      const error = await failureOf('SASL_SSL', { protocol: 'SSL', tls });
      assert.ok(error instanceof ConnectionError, inspect(error));
      assert.match(error.message, /expects SASL/);
    });

    it('offers a wrong password once, however many brokers there are [B2]', async () => {
      const port = kafka.port('SASL_PLAINTEXT');
      const client = new KafkaClient({
        bootstrap: [`127.0.0.1:${port}`, `localhost:${port}`],
        security: {
          protocol: 'SASL_PLAINTEXT',
          sasl: { mechanism: 'PLAIN', username: uniqueName('nobody'), password: 'wr0ng' },
        },
      });
      const refusals: Promise<unknown>[] = [client.metadata([]), client.metadata([])];
      for (const refusal of refusals)
        await assert.rejects(refusal, /^SecurityError: 127(?!.*localhost)/);
      client.dispose();
    });

    it('is tried, and found to be what it is [B1] [B4]', async () => {
      const profile = {
        bootstrap: [`127.0.0.1:${kafka.port('SASL_SSL')}`],
        security: {
          protocol: 'SASL_SSL',
          tls: { checkHostName: true, authorities: { file: kafka.certificates.file('ca.pem') } },
          sasl: { mechanism: 'SCRAM-SHA-512', username: user.username },
        },
      } as const;
      const report = await testProfile(profile, { password: user.password });
      assert.match(report.clusterId, /^[\w-]{22}$/);
      assert.deepEqual(
        { ...report, clusterId: '' },
        { clusterId: '', brokerCount: 1, release: version, unreachable: [] },
      );
    });

    it('trusts what a Java trust store holds, in PKCS12 and in JKS [B1] [B2]', async () => {
      for (const type of ['PKCS12', 'JKS']) {
        const store = path.join(kafka.certificates.folder, `${version}.${type}`);
        const args = ['-importcert', '-noprompt', '-storetype', type, '-keystore', store];
        const ca = kafka.certificates.file('ca.pem');
        const made = await run('keytool', [...args, '-file', ca, '-storepass', 'trustworthy']);
        assert.equal(made.code, 0, made.stdout);
        const { bootstrap, security, secrets } = importProperties(
          [
            `bootstrap.servers=127.0.0.1:${kafka.port('SSL')}`,
            'security.protocol=SSL',
            `ssl.truststore.location=${store}`,
            'ssl.truststore.password=trustworthy',
          ].join('\n'),
        );
        const { brokerCount } = await testProfile({ bootstrap, security }, secrets);
        assert.equal(brokerCount, 1);
      }
    });

    it('is what the client settings say, for Kafka’s own tools too [B1] [B2]', async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'kw-settings-'));
      try {
        const file = path.join(folder, 'client.properties');
        const { username } = user;
        const bootstrap = [`127.0.0.1:${kafka.port('SASL_SSL')}`];
        const text = clientSettings('properties', {
          bootstrap,
          security: {
            protocol: 'SASL_SSL',
            tls: { checkHostName: true, authorities: { file: kafka.certificates.file('ca.pem') } },
            sasl: { mechanism: 'SCRAM-SHA-512', username },
          },
        });
        await writeFile(file, text);
        const { code, stdout, stderr } = await runKafkaTool(
          'org.apache.kafka.tools.TopicCommand',
          ['--bootstrap-server', ...bootstrap, '--command-config', file, '--list'],
          { version, env: { ...process.env, KAFKA_PASSWORD: user.password } },
        );
        assert.equal(code, 0, `${stdout}${stderr}`);
      } finally {
        await rm(folder, { recursive: true });
      }
    });

    it('lets kcat in by the command that is copied for it, with a password or a certificate [B3]', async () => {
      const { file } = kafka.certificates;
      const tls = { checkHostName: true, authorities: { file: file('ca.pem') } };
      const pem = { file: file('client.pem') };
      const listed = async (
        listener: 'SASL_SSL' | 'MTLS',
        security: SecurityProfile,
        secrets: Record<string, string>,
        patienceS = 30,
      ): Promise<boolean> => {
        const bootstrap = [`127.0.0.1:${kafka.port(listener)}`];
        const copied = clientSettings('kcat', { bootstrap, security });
        const command = copied.replace('-L', `-L -m ${patienceS}`);
        const env = { ...process.env, ...secrets };
        const { code, stdout } = await run('bash', ['-c', command], { env });
        return code === 0 && /^ 1 brokers:$/m.test(stdout);
      };
      // Kafka 4 takes SCRAM from librdkafka 2.6.1 on only. [confluentinc/librdkafka#4895]
      const mechanism = version === '4.4' ? 'PLAIN' : 'SCRAM-SHA-512';
      const sasl = { mechanism, username: user.username } as const;
      const login = { protocol: 'SASL_SSL', tls, sasl } as const;
      assert.ok(await listed('SASL_SSL', login, { KAFKA_PASSWORD: user.password }));
      assert.equal(await listed('SASL_SSL', login, { KAFKA_PASSWORD: 'wrong' }, 3), false);
      const certificates = [
        { kind: 'pem', certificate: pem, keyFile: file('client.key') },
        { kind: 'pkcs12', file: file('client.p12') },
      ] as const;
      const secrets = { KAFKA_KEY_PASSPHRASE: passphrase, KAFKA_KEYSTORE_PASSWORD: passphrase };
      for (const clientCertificate of certificates) {
        const security = { protocol: 'SSL', tls: { ...tls, clientCertificate } } as const;
        assert.ok(await listed('MTLS', security, secrets), clientCertificate.kind);
      }
    });

    it('authenticates again before its session ends, on the same connection (KIP-368) [B2]', async () => {
      const open = (clock: Clock): Promise<Connection> =>
        Connection.open({
          address: { host: '127.0.0.1', port: kafka.port('SASL_SSL') },
          clientId: 'test',
          security: { protocol: 'SASL_SSL', tls, sasl: { ...user, mechanism: 'PLAIN' } },
          clock,
          random: systemRandom,
          connectTimeoutMs: 10_000,
        });
      const standingStill: Clock = { ...systemClock, monotonicMs: () => 0 };
      const [renewing, lapsing] = await Promise.all([open(systemClock), open(standingStill)]);
      await sleep(sessionLifetimeMs + 100);
      const ask = (connection: Connection): Promise<unknown> =>
        connection.send('metadata', { topics: [] }, { version: 9, timeoutMs: 10_000 });
      // Kafka ends the connection of whoever does not: so the other one did.
      await assert.rejects(ask(lapsing), /lost the connection/);
      await Promise.all([ask(renewing), ask(renewing), ask(renewing)]);
      assert.ok(renewing.isOpen);
      renewing.dispose();
    });
  });
}

function recordOf(text: string): Omit<RecordToProduce, 'topic'> {
  return { partition: 0, key: null, value: Buffer.from(text), headers: [] };
}

async function valuesOf(client: KafkaClient, topic: string, to: bigint): Promise<string[]> {
  const values: string[] = [];
  for await (const batch of readRange(client, { topic, partition: 0, from: 0n, to })) {
    for (const { value } of batch.records()) values.push(Buffer.from(value ?? '').toString());
  }
  return values;
}
