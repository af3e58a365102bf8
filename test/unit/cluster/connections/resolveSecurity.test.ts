import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import type {
  SecurityProfile,
  TlsProfile,
  TokenProfile,
} from '../../../../src/cluster/connections/profileSecurity.ts';
import { resolveSecurity } from '../../../../src/cluster/connections/resolveSecurity.ts';

describe('the security of a profile', () => {
  let folder: string;
  const file = (name: string): string => path.join(folder, name);

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kw-profile-'));
    await writeFile(file('ca.pem'), 'CA');
    await writeFile(file('client.pem'), 'CERTIFICATE');
    await writeFile(file('client.key'), 'KEY');
    await writeFile(file('client.p12'), Buffer.from([0x30, 0x82]));
    await writeFile(file('large.pem'), Buffer.alloc(1024 * 1024 + 1));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const ssl = (tls: Partial<TlsProfile>): SecurityProfile => ({
    protocol: 'SSL',
    tls: { checkHostName: true, ...tls },
  });

  it('is read from its files and secrets each time [B2]', async () => {
    const certificate = { file: file('client.pem') };
    const profile: SecurityProfile = {
      protocol: 'SASL_SSL',
      tls: {
        checkHostName: false,
        serverName: 'broker.example',
        authorities: { file: file('ca.pem') },
        clientCertificate: { kind: 'pem', certificate, keyFile: file('client.key') },
      },
      sasl: { mechanism: 'PLAIN', username: 'alice' },
    };
    const secrets = { password: 'wonderland', passphrase: 'sesame' };
    assert.deepEqual(await resolveSecurity(profile, secrets), {
      protocol: 'SASL_SSL',
      tls: {
        checkHostName: false,
        serverName: 'broker.example',
        authorities: 'CA',
        clientCertificate: {
          kind: 'pem',
          certificate: 'CERTIFICATE',
          key: 'KEY',
          passphrase: 'sesame',
        },
      },
      sasl: { mechanism: 'PLAIN', username: 'alice', password: 'wonderland' },
    });
  });

  it('takes PEM text as it is, and the key from the secrets [B3]', async () => {
    const profile = ssl({ clientCertificate: { kind: 'pem', certificate: { pem: 'C' } } });
    const resolved = await resolveSecurity(profile, { privateKey: 'K' });
    assert.deepEqual(resolved, {
      protocol: 'SSL',
      tls: { checkHostName: true, clientCertificate: { kind: 'pem', certificate: 'C', key: 'K' } },
    });
    await assert.rejects(resolveSecurity(profile, {}), /private key .* is not on this machine/);
  });

  it('reads a PKCS12 store as bytes [B2]', async () => {
    const clientCertificate = { kind: 'pkcs12', file: file('client.p12') } as const;
    const resolved = await resolveSecurity(ssl({ clientCertificate }), { passphrase: 'sesame' });
    assert.deepEqual(resolved, {
      protocol: 'SSL',
      tls: {
        checkHostName: true,
        clientCertificate: {
          kind: 'pkcs12',
          store: Buffer.from([0x30, 0x82]),
          passphrase: 'sesame',
        },
      },
    });
  });

  const unreadable: [string, () => string, RegExp][] = [
    ['is missing', () => file('none.pem'), /trusted authorities cannot be read: ENOENT/],
    ['is too large', () => file('large.pem'), /larger than 1 MiB/],
    ['is a folder', () => folder, /is not a file/],
  ];
  for (const [what, name, words] of unreadable) {
    it(`says so where a file ${what} [B2]`, async () => {
      await assert.rejects(resolveSecurity(ssl({ authorities: { file: name() } }), {}), words);
    });
  }

  const oauth = (token: TokenProfile): SecurityProfile => ({
    protocol: 'SASL_PLAINTEXT',
    sasl: { mechanism: 'OAUTHBEARER', token, extensions: { logicalCluster: 'lkc-1' } },
  });
  const issued = {
    kind: 'clientCredentials',
    tokenUrl: 'https://login.example/token',
    clientId: 'orders',
    fields: { audience: 'kafka' },
  } as const;

  it('joins a token endpoint with the secret of the application [B2] [B3]', async () => {
    const profile = oauth({ ...issued, authorities: { file: file('ca.pem') } });
    assert.deepEqual(await resolveSecurity(profile, { clientSecret: 's3cret' }), {
      protocol: 'SASL_PLAINTEXT',
      sasl: {
        mechanism: 'OAUTHBEARER',
        token: { ...issued, clientSecret: 's3cret', authorities: 'CA' },
        extensions: { logicalCluster: 'lkc-1' },
      },
    });
  });

  it('says what is missing for a token, and what to do [B3] [B4]', async () => {
    await assert.rejects(resolveSecurity(oauth(issued), {}), {
      message: 'the client secret of orders is not on this machine',
    });
    await assert.rejects(resolveSecurity(oauth({ kind: 'fixed' }), { password: 'x' }), {
      message: 'the token is not on this machine',
    });
  });
});
