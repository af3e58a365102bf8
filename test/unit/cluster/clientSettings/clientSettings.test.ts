import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  clientKinds,
  clientSettings,
} from '../../../../src/cluster/clientSettings/clientSettings.ts';
import type { ConnectionFacts } from '../../../../src/cluster/clientSettings/facts.ts';
import type {
  TlsProfile,
  TokenProfile,
} from '../../../../src/cluster/connections/profileSecurity.ts';

const plain: ConnectionFacts = {
  bootstrap: ['127.0.0.1:9092'],
  security: { protocol: 'PLAINTEXT' },
};
const ofUser = (username: string): ConnectionFacts => ({
  bootstrap: ['a.example:9093', 'b.example:9093'],
  security: {
    protocol: 'SASL_SSL',
    tls: { checkHostName: true },
    sasl: { mechanism: 'SCRAM-SHA-512', username },
  },
});
const secure = ofUser(`o'ha"ra`);
const mutual = (tls: Partial<TlsProfile>): ConnectionFacts => ({
  bootstrap: ['a.example:9093'],
  security: { protocol: 'SSL', tls: { checkHostName: true, ...tls } },
});

const oauth = (token: TokenProfile): ConnectionFacts => ({
  bootstrap: ['a.example:9093'],
  security: {
    protocol: 'SASL_PLAINTEXT',
    sasl: { mechanism: 'OAUTHBEARER', token, extensions: { logicalCluster: 'lkc-1' } },
  },
});
const issued: TokenProfile = {
  kind: 'clientCredentials',
  tokenUrl: 'https://login.example/token',
  clientId: `o'ha"ra`,
  scope: 'read write',
  fields: { audience: 'kafka' },
  authorities: { file: '/etc/kafka/issuer.pem' },
};

describe('client settings', () => {
  it('say no more than the address for a plaintext cluster', () => {
    assert.equal(
      clientSettings('node', plain),
      `import { Kafka } from 'kafkajs';\n\nconst kafka = new Kafka({\n  brokers: ['127.0.0.1:9092'],\n});\n`,
    );
    assert.equal(clientSettings('properties', plain), 'bootstrap.servers=127.0.0.1:9092\n');
    assert.equal(
      clientSettings('spring', plain),
      'spring:\n  kafka:\n    bootstrap-servers: 127.0.0.1:9092\n',
    );
  });

  for (const kind of clientKinds) {
    it(`name every broker for ${kind}, and leave the password to the environment [B3]`, () => {
      const text = clientSettings(kind, secure);
      for (const address of secure.bootstrap) assert.ok(text.includes(address));
      assert.ok(text.includes('KAFKA_PASSWORD'));
      assert.ok(text.endsWith('\n'));
    });

    it(`name the token endpoint for ${kind}, and leave the client secret to the environment [B3]`, () => {
      const text = clientSettings(kind, oauth(issued));
      for (const part of ['https://login.example/token', 'KAFKA_CLIENT_SECRET', 'lkc-1', 'read'])
        assert.ok(text.includes(part), `${part} in\n${text}`);
      if (kind !== 'go') assert.ok(text.includes('/etc/kafka/issuer.pem'));
      assert.doesNotMatch(text, /undefined|\[object/);
    });

    it(`leave a token to the environment or to a file for ${kind} [B3]`, () => {
      assert.match(clientSettings(kind, oauth({ kind: 'fixed' })), /KAFKA_TOKEN|token\.jwt/);
    });

    it(`name every certificate file for ${kind}, and leave the passphrase to the environment [B3]`, () => {
      const text = clientSettings(
        kind,
        mutual({
          authorities: { file: '/etc/kafka/authority.pem' },
          clientCertificate: { kind: 'pkcs12', file: '/etc/kafka/me.p12' },
        }),
      );
      assert.ok(text.includes('/etc/kafka/authority.pem'));
      assert.ok(text.includes('/etc/kafka/me.p12'));
      assert.ok(text.includes('KAFKA_KEYSTORE_PASSWORD'));
    });

    it(`name a file to save for ${kind} where the certificate is text`, () => {
      const certificate = { pem: 'the text of it' };
      const text = clientSettings(
        kind,
        mutual({ authorities: certificate, clientCertificate: { kind: 'pem', certificate } }),
      );
      assert.doesNotMatch(text, /the text of it/);
      assert.match(text, /Save the brokers' authority as ca\.pem/);
      assert.match(text, /Save the private key as client\.key/);
    });
  }

  it('quote a user name as each language does', () => {
    assert.match(clientSettings('node', secure), /username: 'o\\'ha"ra'/);
    assert.match(clientSettings('java', secure), /username=\\"o'ha\\\\\\"ra\\"/);
    assert.match(clientSettings('spring', secure), /username="o''ha\\"ra"/);
    assert.match(clientSettings('properties', secure), /username="o'ha\\\\"ra"/);
    assert.match(clientSettings('python', secure), /"sasl.username": "o'ha\\"ra"/);
    assert.match(clientSettings('python', ofUser('true')), /"sasl.username": "true"/);
    assert.match(clientSettings('go', secure), /AsSha512Mechanism/);
  });

  it('are a command for kcat, and say which kcat Kafka 4 takes SCRAM from', () => {
    assert.equal(clientSettings('kcat', plain), 'kcat -b 127.0.0.1:9092 \\\n  -L\n');
    const [comment, ...command] = clientSettings('kcat', secure).trimEnd().split('\n');
    assert.equal(
      comment,
      '# Kafka 4 takes SCRAM from librdkafka 2.6.1 on: kcat -V says which one it has.',
    );
    assert.deepEqual(command, [
      'kcat -b a.example:9093,b.example:9093 \\',
      '  -X security.protocol=SASL_SSL \\',
      '  -X sasl.mechanism=SCRAM-SHA-512 \\',
      `  -X 'sasl.username=o'\\''ha"ra' \\`,
      '  -X "sasl.password=$KAFKA_PASSWORD" \\',
      '  -L',
    ]);
  });

  it('say from which number on Python does SCRAM with Kafka 4, and which kcat gets tokens', () => {
    const since = '# Kafka 4 takes SCRAM from confluent-kafka 2.6.1 on.';
    assert.equal(clientSettings('python', secure).split('\n')[0], since);
    assert.ok(!clientSettings('python', plain).includes(since));
    const features = /^# kcat gets tokens where kcat -V has oidc among its features\.$/m;
    assert.match(clientSettings('kcat', oauth(issued)), features);
    assert.doesNotMatch(clientSettings('kcat', oauth({ kind: 'fixed' })), features);
  });

  it('turn the host-name check off as each client does', () => {
    const unchecked = mutual({ checkHostName: false });
    assert.match(clientSettings('node', unchecked), /checkServerIdentity: \(\) => undefined/);
    assert.match(clientSettings('properties', unchecked), /identification\.algorithm=\n/);
    assert.match(clientSettings('python', unchecked), /identification\.algorithm": "none"/);
    assert.match(clientSettings('go', unchecked), /InsecureSkipVerify: true/);
    assert.match(clientSettings('kcat', unchecked), /identification\.algorithm=none/);
  });

  it('are JavaScript that gives kafkajs a token that nobody signed', async () => {
    const text = clientSettings('node', oauth({ kind: 'unsecured', principal: `o'hara` }));
    const body = text.replaceAll(/^import .*$/gm, '').replace('const kafka = new', 'return ');
    interface Options {
      sasl: { oauthBearerProvider: () => Promise<{ value: string }> };
    }
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the text is what is tested
    const run = new Function('Kafka', body) as (kafka: (options: Options) => Options) => Options;
    const { value } = await run((options) => options).sasl.oauthBearerProvider();
    const claims = Buffer.from(value.split('.')[1] ?? '', 'base64url').toString();
    assert.equal((JSON.parse(claims) as { sub: string }).sub, `o'hara`);
  });
});
