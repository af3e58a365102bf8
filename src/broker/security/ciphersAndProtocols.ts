import { getCiphers, type SecureVersion } from 'node:tls';
import { BrokerConfigError } from '../config/brokerConfigs.ts';
import { listItems } from '../config/configText.ts';
import type { TextOf } from './stores.ts';

/** What Node's `tls.createServer` takes. */
export interface CiphersAndProtocols {
  readonly ciphers: string;
  readonly minVersion: SecureVersion;
  readonly maxVersion: SecureVersion;
  /** Without it no suite with DHE is chosen. */
  readonly dhparam: 'auto';
}

/** Java has older versions too, and refuses to speak them. */
const spoken: readonly SecureVersion[] = ['TLSv1.2', 'TLSv1.3'];

/** Java's own order; the server's counts. [SSLContext.getDefaultSSLParameters] */
const javasSuites = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_AES_128_GCM_SHA256',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
  'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
  'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_DHE_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
  'TLS_DHE_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384',
  'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384',
  'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256',
  'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256',
  'TLS_DHE_RSA_WITH_AES_256_CBC_SHA256',
  'TLS_DHE_RSA_WITH_AES_128_CBC_SHA256',
  'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA',
  'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA',
  'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA',
  'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA',
  'TLS_DHE_RSA_WITH_AES_256_CBC_SHA',
  'TLS_DHE_RSA_WITH_AES_128_CBC_SHA',
  'TLS_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_RSA_WITH_AES_256_CBC_SHA256',
  'TLS_RSA_WITH_AES_128_CBC_SHA256',
  'TLS_RSA_WITH_AES_256_CBC_SHA',
  'TLS_RSA_WITH_AES_128_CBC_SHA',
];

/**
 * As `ssl.enabled.protocols` and `ssl.cipher.suites` say: only versions that a suite is of, as else OpenSSL takes
 * suites of its own for them. Throws a BrokerConfigError; where there is no such version, Kafka starts, and every
 * handshake fails. [HandshakeContext.getActiveProtocols]
 */
export function ciphersAndProtocols(text: TextOf): CiphersAndProtocols {
  const protocols = listItems(text('ssl.enabled.protocols') ?? '');
  const suites = listItems(text('ssl.cipher.suites') ?? '');
  const enabled = protocols.length > 0 ? versionsOf(protocols) : spoken;
  const ciphers = ciphersOf(suites.length > 0 ? suites : javasSuites);
  const versions = enabled.filter((version) => ciphers.some((name) => versionOf(name) === version));
  const [minVersion] = versions;
  const maxVersion = versions.at(-1);
  if (minVersion === undefined || maxVersion === undefined)
    throw new BrokerConfigError(
      `ssl.cipher.suites: none of them is of ${enabled.join(' or ')}, as ssl.enabled.protocols asks`,
    );
  return { ciphers: ciphers.join(':'), minVersion, maxVersion, dhparam: 'auto' };
}

function versionsOf(protocols: readonly string[]): readonly SecureVersion[] {
  const versions = spoken.filter((version) => protocols.includes(version));
  if (versions.length === 0)
    throw new BrokerConfigError(`ssl.enabled.protocols: none of them is ${spoken.join(' or ')}`);
  return versions;
}

/** Suites that Java has and OpenSSL has not, as those with DSS, are left out. */
function ciphersOf(suites: readonly string[]): string[] {
  const known = suites.map(openSslName).filter((name) => getCiphers().includes(name.toLowerCase()));
  if (known.length === 0)
    throw new BrokerConfigError('ssl.cipher.suites: none of them is known here');
  return known;
}

const versionOf = (cipher: string): SecureVersion =>
  cipher.startsWith('TLS_') ? 'TLSv1.3' : 'TLSv1.2';

/** OpenSSL names the suites of TLS 1.2 in its own way, those of 1.3 as Java does. */
function openSslName(suite: string): string {
  if (!suite.includes('_WITH_')) return suite;
  return suite
    .replace(/^TLS_(?:RSA_WITH_)?/, '')
    .replace('_WITH_', '_')
    .replace('AES_', 'AES')
    .replace('_CBC', '')
    .replace('POLY1305_SHA256', 'POLY1305')
    .replaceAll('_', '-');
}
