import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { KeyStoreError } from '../../../../src/base/keyStore/keyStoreError.ts';
import { authoritiesIn } from '../../../../src/base/keyStore/trustStore.ts';
import { type Certificates, makeCertificates } from '../../../support/kafka/certificates.ts';
import { run } from '../../../support/process.ts';

const passphrase = 'trust me, and him';

describe('a Java trust store', function () {
  this.timeout(60_000);
  let certificates: Certificates;
  const stores = new Map<string, Buffer>();

  before(async () => {
    certificates = await makeCertificates();
    for (const type of ['JKS', 'PKCS12'] as const) {
      for (const authority of ['ca', 'other-ca'] as const) {
        await keytool(
          ...['-importcert', '-noprompt', '-storetype', type, '-alias', authority],
          ...['-file', certificates.file(`${authority}.pem`), '-keystore', `trust.${type}`],
        );
      }
      stores.set(type, await readFile(path.join(certificates.folder, `trust.${type}`)));
    }
  });

  async function keytool(...args: string[]): Promise<void> {
    const { code, stdout } = await run('keytool', [...args, '-storepass:env', 'STORE_PASS'], {
      cwd: certificates.folder,
      env: { ...process.env, STORE_PASS: passphrase },
    });
    assert.equal(code, 0, stdout);
  }

  const storeOf = (type: string): Buffer => stores.get(type) ?? Buffer.alloc(0);

  for (const type of ['JKS', 'PKCS12']) {
    it(`of type ${type} gives the authorities that keytool put in [B2]`, async () => {
      const pem = await authoritiesIn(storeOf(type), passphrase);
      const subjects = pem
        .split(/(?<=-----END CERTIFICATE-----\n)/)
        .map((each) => new X509Certificate(each).subject);
      assert.deepEqual(subjects.sort(), ['CN=ca', 'CN=other-ca']);
    });

    it(`of type ${type} is refused with a wrong passphrase, in words [B2]`, async () => {
      await assert.rejects(authoritiesIn(storeOf(type), 'wr0ng'), (error) => {
        assert.ok(error instanceof KeyStoreError, String(error));
        assert.match(error.message, /passphrase does not open/);
        assert.doesNotMatch(`${error.message}${error.hint}`, /wr0ng/);
        return true;
      });
    });

    it(`of type ${type} is refused at every length it can be cut to, and in no other way`, async () => {
      const store = storeOf(type);
      for (let length = 0; length < store.length; length += 7) {
        await assert.rejects(authoritiesIn(store.subarray(0, length), passphrase), KeyStoreError);
      }
    });
  }

  it('of type JKS is read without a passphrase too, as Java does [B2]', async () => {
    assert.match(await authoritiesIn(storeOf('JKS')), /BEGIN CERTIFICATE/);
  });

  it('that is something else is refused in words', async () => {
    await assert.rejects(authoritiesIn(Buffer.from('PK\x03\x04')), /neither PKCS12 nor JKS/);
  });
});
