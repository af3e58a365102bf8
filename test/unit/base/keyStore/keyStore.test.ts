import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { jksKey } from '../../../../src/base/keyStore/keyStore.ts';
import { KeyStoreError } from '../../../../src/base/keyStore/keyStoreError.ts';
import {
  type Certificates,
  makeCertificates,
  passphrase,
} from '../../../support/kafka/certificates.ts';

describe('a Java key store of type JKS', function () {
  this.timeout(60_000);
  let certificates: Certificates;
  let store: Uint8Array;

  before(async () => {
    certificates = await makeCertificates();
    store = await certificates.jks('client');
  });

  it('gives the key and the certificate that keytool put in [B2] [A9]', async () => {
    const found = jksKey(store, { store: passphrase });
    const certificate = new X509Certificate(found?.certificate ?? '');
    assert.equal(certificate.subject, 'CN=plain-client');
    const key = createPrivateKey(found?.key ?? '');
    assert.ok(certificate.checkPrivateKey(key));
    const own = await readFile(path.join(certificates.folder, 'plain-client.key'), 'utf8');
    assert.ok(key.equals(createPrivateKey(own)));
  });

  it('is opened with the passphrase of the key, where that is another [B2]', async () => {
    const other = await certificates.jks('client', 'key passphrase');
    const found = jksKey(other, { store: passphrase, key: 'key passphrase' });
    assert.match(found?.key ?? '', /BEGIN PRIVATE KEY/);
    assert.throws(() => jksKey(other, { store: passphrase }), /passphrase does not open/);
  });

  it('is refused with a wrong passphrase, in words without it [B2]', () => {
    assert.throws(
      () => jksKey(store, { store: 'wr0ng' }),
      (error) => {
        assert.ok(error instanceof KeyStoreError);
        assert.match(error.message, /passphrase does not open/);
        assert.doesNotMatch(`${error.message}${error.hint}`, /wr0ng/);
        return true;
      },
    );
  });

  it('is refused at every length it can be cut to, and with every byte changed', () => {
    for (let length = 5; length < store.length; length += 5)
      assert.throws(() => jksKey(store.subarray(0, length), { store: undefined, key: passphrase }), KeyStoreError); // prettier-ignore
    for (let at = 4; at < store.length; at += 3) {
      const damaged = Buffer.from(store);
      damaged[at] = (damaged[at] ?? 0) ^ 0x55;
      assert.throws(() => jksKey(damaged, { store: passphrase }), KeyStoreError);
    }
  });

  it('is no matter where the store is of another form', async () => {
    assert.equal(jksKey(await certificates.bytes('client.p12'), {}), undefined);
  });
});
