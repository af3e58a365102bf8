import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { importProperties } from '../../../../src/cluster/connections/profileProperties.ts';

const scram = 'org.apache.kafka.common.security.scram.ScramLoginModule';

describe('an imported client configuration', () => {
  it('is a line of addresses by itself [B1]', () => {
    for (const text of [
      'a:9092,b:9092',
      ' a:9092, b:9092\n',
      'PLAINTEXT://a:9092,PLAINTEXT://b:9092',
    ]) {
      assert.deepEqual(importProperties(text), {
        bootstrap: ['a:9092', 'b:9092'],
        security: { protocol: 'PLAINTEXT' },
        secrets: {},
        ignored: [],
      });
    }
  });

  it('is a bootstrap.servers line [B1]', () => {
    const { bootstrap } = importProperties('bootstrap.servers = [::1]:9092 , kafka.example:9093');
    assert.deepEqual(bootstrap, ['[::1]:9092', 'kafka.example:9093']);
  });

  it('says who logs in by its JAAS line, and the password is a secret [B1] [B3]', () => {
    const imported = importProperties(
      [
        '# a comment',
        'bootstrap.servers=a.example:9093,\\',
        '    b.example:9093',
        'security.protocol=SASL_SSL',
        'sasl.mechanism=SCRAM-SHA-512',
        `sasl.jaas.config=${scram} required \\`,
        '  username="al\\\\"ice" password="wonder;land=1";',
      ].join('\n'),
    );
    assert.deepEqual(imported, {
      bootstrap: ['a.example:9093', 'b.example:9093'],
      security: {
        protocol: 'SASL_SSL',
        tls: { checkHostName: true },
        sasl: { mechanism: 'SCRAM-SHA-512', username: 'al"ice' },
      },
      secrets: { password: 'wonder;land=1' },
      ignored: [],
    });
  });

  it('has key and certificates in PEM files, in stores, or in its own lines [B1] [B2]', () => {
    const tlsOf = (...lines: string[]): unknown => {
      const text = ['bootstrap.servers=a:1', 'security.protocol=SSL', ...lines].join('\n');
      const { security, secrets } = importProperties(text, '/conf');
      return { ...('tls' in security && security.tls), secrets };
    };
    assert.deepEqual(
      tlsOf(
        'ssl.truststore.type=PEM',
        'ssl.truststore.location=ca.pem',
        'ssl.keystore.type=PEM',
        'ssl.keystore.location=/keys/me.pem',
        'ssl.key.password=sesame',
        'ssl.endpoint.identification.algorithm=',
      ),
      {
        checkHostName: false,
        authorities: { file: '/conf/ca.pem' },
        clientCertificate: {
          kind: 'pem',
          certificate: { file: '/keys/me.pem' },
          keyFile: '/keys/me.pem',
        },
        secrets: { passphrase: 'sesame' },
      },
    );
    assert.deepEqual(
      tlsOf(
        'ssl.truststore.location=trust.jks',
        'ssl.truststore.password=trusty',
        'ssl.keystore.location=me.p12',
        'ssl.keystore.password=sesame',
        'ssl.key.password=sesame',
      ),
      {
        checkHostName: true,
        authorities: { store: '/conf/trust.jks' },
        clientCertificate: { kind: 'pkcs12', file: '/conf/me.p12' },
        secrets: { trustPassphrase: 'trusty', passphrase: 'sesame' },
      },
    );
    assert.deepEqual(
      tlsOf(
        'ssl.truststore.certificates=-----BEGIN CERTIFICATE----- QUJD REVG -----END CERTIFICATE-----',
        'ssl.keystore.certificate.chain=-----BEGIN CERTIFICATE-----\\nR0hJ\\n-----END CERTIFICATE-----',
        'ssl.keystore.key=-----BEGIN PRIVATE KEY----- SktM -----END PRIVATE KEY-----',
      ),
      {
        checkHostName: true,
        authorities: { pem: '-----BEGIN CERTIFICATE-----\nQUJDREVG\n-----END CERTIFICATE-----\n' },
        clientCertificate: {
          kind: 'pem',
          certificate: { pem: '-----BEGIN CERTIFICATE-----\nR0hJ\n-----END CERTIFICATE-----\n' },
        },
        secrets: { privateKey: '-----BEGIN PRIVATE KEY-----\nSktM\n-----END PRIVATE KEY-----\n' },
      },
    );
  });

  it('may be in the words of librdkafka [B1]', () => {
    const imported = importProperties(
      [
        'bootstrap.servers=a:1',
        'security.protocol=sasl_ssl',
        'sasl.mechanisms=PLAIN',
        'sasl.username=alice',
        'sasl.password=wonderland',
        'ssl.ca.location=/ca.crt',
        'ssl.certificate.location=/me.crt',
        'ssl.key.location=/me.key',
        'ssl.endpoint.identification.algorithm=none',
      ].join('\n'),
    );
    assert.deepEqual(imported.security, {
      protocol: 'SASL_SSL',
      tls: {
        checkHostName: false,
        authorities: { file: '/ca.crt' },
        clientCertificate: { kind: 'pem', certificate: { file: '/me.crt' }, keyFile: '/me.key' },
      },
      sasl: { mechanism: 'PLAIN', username: 'alice' },
    });
    assert.deepEqual(imported.secrets, { password: 'wonderland' });
    assert.deepEqual(imported.ignored, []);
  });

  const bearer = 'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule';
  const saslOf = (...lines: string[]) => {
    const all = ['bootstrap.servers=a:1', 'security.protocol=SASL_PLAINTEXT', ...lines];
    const { security, secrets, ignored } = importProperties(all.join('\n'), '/conf');
    return { ...('sasl' in security ? security.sasl : undefined), secrets, ignored };
  };

  it('may get its token from a token endpoint, in the words of every release of Java [B1] [B2]', () => {
    const expected = {
      mechanism: 'OAUTHBEARER',
      token: {
        kind: 'clientCredentials',
        tokenUrl: 'https://login.example/token',
        clientId: 'orders',
        scope: 'read write',
      },
      secrets: { clientSecret: 's3"cret' },
      ignored: [],
    };
    assert.deepEqual(
      saslOf(
        'sasl.mechanism=OAUTHBEARER',
        'sasl.login.callback.handler.class=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler',
        'sasl.oauthbearer.token.endpoint.url=https://login.example/token',
        `sasl.jaas.config=${bearer} required clientId="orders" clientSecret="s3\\"cret" scope='read write';`.replaceAll(
          '\\',
          '\\\\',
        ),
      ),
      expected,
    );
    assert.deepEqual(
      saslOf(
        'sasl.mechanism=OAUTHBEARER',
        'sasl.oauthbearer.token.endpoint.url=https://login.example/token',
        'sasl.oauthbearer.client.credentials.client.id=orders',
        'sasl.oauthbearer.client.credentials.client.secret=s3"cret',
        'sasl.oauthbearer.scope=read write',
        `sasl.jaas.config=${bearer} required ;`,
      ),
      expected,
    );
  });

  it('may have extensions and authorities for the endpoint beside its client id [B1] [B2]', () => {
    const { token, extensions, secrets } = saslOf(
      'sasl.oauthbearer.token.endpoint.url=https://login.example/token',
      'sasl.oauthbearer.header.urlencode=true',
      `sasl.jaas.config=${bearer} required clientId=a clientSecret=b extension_logicalCluster="lkc-1" ssl.truststore.location="trust.p12" ssl.truststore.password="trusty";`,
    ) as Record<string, unknown>;
    assert.deepEqual(token, {
      kind: 'clientCredentials',
      tokenUrl: 'https://login.example/token',
      clientId: 'a',
      encodesHeader: true,
      authorities: { store: '/conf/trust.p12' },
    });
    assert.deepEqual(extensions, { logicalCluster: 'lkc-1' });
    assert.deepEqual(secrets, { clientSecret: 'b', endpointPassphrase: 'trusty' });
  });

  it('may get its token in the words of librdkafka, or make one that nobody signs [B1] [B2]', () => {
    assert.deepEqual(
      saslOf(
        'sasl.mechanisms=OAUTHBEARER',
        'sasl.oauthbearer.method=oidc',
        'sasl.oauthbearer.token.endpoint.url=https://login.example/token',
        'sasl.oauthbearer.client.id=orders',
        'sasl.oauthbearer.client.secret=s3cret',
        'sasl.oauthbearer.extensions=logicalCluster=lkc-1,identityPoolId=p',
        'https.ca.location=ca.pem',
      ),
      {
        mechanism: 'OAUTHBEARER',
        token: {
          kind: 'clientCredentials',
          tokenUrl: 'https://login.example/token',
          clientId: 'orders',
          authorities: { file: '/conf/ca.pem' },
        },
        extensions: { logicalCluster: 'lkc-1', identityPoolId: 'p' },
        secrets: { clientSecret: 's3cret' },
        ignored: [],
      },
    );
    const unsecured = {
      mechanism: 'OAUTHBEARER',
      token: { kind: 'unsecured', principal: 'alice', scope: 'read write' },
      secrets: {},
      ignored: [],
    };
    assert.deepEqual(
      saslOf(
        'sasl.mechanism=OAUTHBEARER',
        'enable.sasl.oauthbearer.unsecure.jwt=true',
        'sasl.oauthbearer.config=principal=alice scope=read,write',
      ),
      unsecured,
    );
    assert.deepEqual(
      saslOf(
        `sasl.jaas.config=${bearer} required unsecuredLoginStringClaim_sub="alice" unsecuredLoginListClaim_scope="|read|write";`,
      ),
      unsecured,
    );
  });

  it('says that a token in a file is to be given [B1]', () => {
    const { token, ignored } = saslOf(
      'sasl.mechanism=OAUTHBEARER',
      'sasl.oauthbearer.token.endpoint.url=file:///run/token.jwt',
    ) as { token?: unknown; ignored: readonly { reason: string }[] };
    assert.deepEqual(token, { kind: 'fixed' });
    assert.match(ignored[0]?.reason ?? '', /give it in the connection/);
  });

  it('says which lines were not understood, and why, without their values [B1] [B3]', () => {
    const { ignored } = importProperties(
      [
        'bootstrap.servers=a:1',
        'acks=all',
        'security.protocol=SASL_SSL',
        'sasl.mechanism=GSSAPI',
        'sasl.jaas.config=org.example.MyLoginModule required token="s3cret";',
      ].join('\n'),
    );
    assert.deepEqual(ignored.map(({ line, name }) => [line, name]).sort(), [
      [2, 'acks'],
      [4, 'sasl.mechanism'],
      [5, 'sasl.jaas.config'],
    ]);
    assert.doesNotMatch(JSON.stringify(ignored), /s3cret/);
  });

  it('does not take a reference to a secret for the secret [B3]', () => {
    const { secrets, ignored } = importProperties(
      [
        'bootstrap.servers=a:1',
        'security.protocol=SASL_PLAINTEXT',
        `sasl.jaas.config=${scram} required username="alice" password="\${env:PASSWORD}";`,
      ].join('\n'),
    );
    assert.deepEqual(secrets, {});
    assert.deepEqual(
      ignored.map(({ name }) => name),
      ['sasl.jaas.config'],
    );
  });

  it('is read as Java reads it: separators, escapes, the last line of a name [B1]', () => {
    const { bootstrap } = importProperties(
      'bootstrap.servers:old:1\n! comment\n  bootstrap\\u002eservers   \\u0061:1\n',
    );
    assert.deepEqual(bootstrap, ['a:1']);
  });

  it('is refused, in words, without an address [B1]', () => {
    assert.throws(() => importProperties('acks=all'), /no line bootstrap\.servers/);
    assert.throws(() => importProperties(''), /no line bootstrap\.servers/);
    assert.throws(() => importProperties('x'.repeat(600_000)), /too long/);
  });
});
