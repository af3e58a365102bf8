import assert from 'node:assert/strict';
import { createSecureContext } from 'node:tls';
import { describe, it } from 'mocha';
import { ciphersAndProtocols } from '../../../../src/broker/security/ciphersAndProtocols.ts';

const of = (texts: Readonly<Record<string, string>>) => ciphersAndProtocols((name) => texts[name]);

describe('The ciphers and versions of TLS', () => {
  it('[A9] are by default those of Java, the strongest first', () => {
    const { ciphers, ...versions } = of({});
    assert.match(
      ciphers,
      /^TLS_AES_256_GCM_SHA384:.*:ECDHE-ECDSA-AES256-GCM-SHA384:.*:AES128-SHA$/,
    );
    assert.deepEqual(versions, {});
    createSecureContext({ ciphers });
  });

  it('[A9] are asked for by the names that Java has for them', () => {
    const suites = [
      'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256',
      'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
      'TLS_DHE_DSS_WITH_AES_128_CBC_SHA',
      'TLS_RSA_WITH_AES_256_GCM_SHA384',
      'TLS_AES_128_GCM_SHA256',
    ].join(' , ');
    const expected =
      'ECDHE-RSA-AES128-SHA256:ECDHE-ECDSA-CHACHA20-POLY1305:AES256-GCM-SHA384:TLS_AES_128_GCM_SHA256';
    assert.equal(of({ 'ssl.cipher.suites': suites }).ciphers, expected);
  });

  for (const [protocols, minVersion, maxVersion] of [
    ['TLSv1.2', 'TLSv1.2', 'TLSv1.2'],
    ['TLSv1.3, TLSv1.1', 'TLSv1.3', 'TLSv1.3'],
    ['TLSv1.3,TLSv1.2', 'TLSv1.2', 'TLSv1.3'],
  ])
    it(`[A9] are ${minVersion} to ${maxVersion} by ${protocols}`, () => {
      const { ciphers, ...versions } = of({ 'ssl.enabled.protocols': protocols ?? '' });
      assert.notEqual(ciphers, '');
      assert.deepEqual(versions, { minVersion, maxVersion });
    });

  it('[A9] cannot be none', () => {
    assert.throws(() => of({ 'ssl.enabled.protocols': 'TLSv1' }), /ssl\.enabled\.protocols: none/);
    assert.throws(() => of({ 'ssl.cipher.suites': 'x' }), /ssl\.cipher\.suites: none/);
  });
});
