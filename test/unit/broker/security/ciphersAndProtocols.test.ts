import assert from 'node:assert/strict';
import { createSecureContext } from 'node:tls';
import { describe, it } from 'mocha';
import { ciphersAndProtocols } from '../../../../src/broker/security/ciphersAndProtocols.ts';

const of = (texts: Readonly<Record<string, string>>) => ciphersAndProtocols((name) => texts[name]);

const both = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' } as const;
const suiteOf = {
  older: 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  newer: 'TLS_AES_128_GCM_SHA256',
} as const;

describe('The ciphers and versions of TLS', () => {
  it('[A9] are by default those of Java, the strongest first', () => {
    const { ciphers, ...versions } = of({});
    assert.match(
      ciphers,
      /^TLS_AES_256_GCM_SHA384:.*:ECDHE-ECDSA-AES256-GCM-SHA384:.*:AES128-SHA$/,
    );
    assert.deepEqual(versions, { ...both, dhparam: 'auto' });
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
      const { ciphers, ...others } = of({ 'ssl.enabled.protocols': protocols ?? '' });
      assert.notEqual(ciphers, '');
      assert.deepEqual(others, { minVersion, maxVersion, dhparam: 'auto' });
    });

  for (const [suites, minVersion, maxVersion] of [
    [suiteOf.older, 'TLSv1.2', 'TLSv1.2'],
    [suiteOf.newer, 'TLSv1.3', 'TLSv1.3'],
    [`${suiteOf.older},${suiteOf.newer}`, 'TLSv1.2', 'TLSv1.3'],
  ])
    it(`[A9] are ${minVersion} to ${maxVersion} by the suites ${suites}`, () => {
      for (const protocols of [{}, { 'ssl.enabled.protocols': 'TLSv1.2,TLSv1.3' }]) {
        const chosen = of({ 'ssl.cipher.suites': suites ?? '', ...protocols });
        assert.deepEqual([chosen.minVersion, chosen.maxVersion], [minVersion, maxVersion]);
      }
    });

  for (const [protocol, suites] of [
    ['TLSv1.3', suiteOf.older],
    ['TLSv1.2', suiteOf.newer],
  ] as const)
    it(`[A9] cannot be ${protocol} with no suite of it, which is said at the start`, () => {
      assert.throws(
        () => of({ 'ssl.enabled.protocols': protocol, 'ssl.cipher.suites': suites }),
        new RegExp(`^BrokerConfigError: ssl\\.cipher\\.suites: none of them is of ${protocol}`),
      );
    });

  it('[A9] cannot be none', () => {
    assert.throws(() => of({ 'ssl.enabled.protocols': 'TLSv1' }), /ssl\.enabled\.protocols: none/);
    assert.throws(() => of({ 'ssl.cipher.suites': 'x' }), /ssl\.cipher\.suites: none/);
  });
});
