import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'mocha';
import { certificatesIn, privateKeyIn } from '../../../../src/cluster/connections/pem.ts';

const { privateKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const certificate = '-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n';

describe('PEM in a text', () => {
  it('is found among other things, certificates apart from keys [B3]', () => {
    const text = `Bag Attributes\n${privateKey}subject=CN=me\n${certificate}${certificate}`;
    assert.equal(certificatesIn(text), certificate + certificate);
    assert.equal(privateKeyIn(text), privateKey);
  });

  it('gets back the line breaks that it has lost [B1]', () => {
    assert.equal(privateKeyIn(privateKey.replaceAll('\n', ' ')), privateKey);
    assert.equal(privateKeyIn(privateKey.replaceAll('\n', '\r\n')), privateKey);
    assert.equal(certificatesIn(certificate.replaceAll('\n', '')), certificate);
  });

  it('is none where there is none', () => {
    assert.equal(certificatesIn(privateKey), undefined);
    assert.equal(privateKeyIn(certificate), undefined);
    assert.equal(certificatesIn('-----BEGIN CERTIFICATE-----'), undefined);
  });
});
