import { isIP } from 'node:net';
import {
  checkServerIdentity,
  connect,
  type ConnectionOptions,
  getCACertificates,
  type TLSSocket,
} from 'node:tls';
import { errorMessage } from '../../base/logger.ts';
import { type Address, formatAddress } from '../address.ts';
import { SecurityError } from '../kafkaError.ts';
import type { TlsOptions } from '../security.ts';

/** Begins a TLS connection. Throws a SecurityError at once where the certificates given cannot be used. */
export function tlsConnect(address: Address, tls: TlsOptions): TLSSocket {
  const { host, port } = address;
  const name = tls.serverName ?? host;
  try {
    return connect({
      host,
      port,
      // SNI carries no IP addresses (RFC 6066); the certificate is checked against them all the same.
      servername: isIP(name) ? '' : name,
      ca: tls.authorities ?? trustedByDefault(),
      ...ownCertificate(tls),
      checkServerIdentity: (_host, certificate) =>
        tls.checkHostName ? checkServerIdentity(name, certificate) : undefined,
    });
  } catch (error) {
    throw unusable(address, error);
  }
}

/** Mozilla's list, as Node carries it, with what the system's administrator has added. */
function trustedByDefault(): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
}

function ownCertificate({ clientCertificate: own }: TlsOptions): ConnectionOptions {
  if (own === undefined) return {};
  const passphrase = own.passphrase === undefined ? {} : { passphrase: own.passphrase };
  return own.kind === 'pem'
    ? { cert: own.certificate, key: own.key, ...passphrase }
    : { pfx: Buffer.from(own.store), ...passphrase };
}

/** What OpenSSL and BoringSSL say of certificates and keys they cannot load, by a part of the message. */
const loadFailures: readonly (readonly [part: RegExp, reason: string, hint: string])[] = [
  [
    /mac verify failure|incorrect password/i,
    'the passphrase does not open the PKCS12 store',
    'Give the passphrase that the store was made with.',
  ],
  [
    /bad decrypt|bad password read|interrupted or cancelled|maybe wrong password/i,
    'the passphrase does not open the private key',
    'Give the passphrase that the key was encrypted with.',
  ],
  [
    /key values mismatch/i,
    'the private key is not the one of the client certificate',
    'Give the key that belongs to the certificate.',
  ],
  [
    /unsupported/i,
    'the PKCS12 store or key uses a cipher that OpenSSL 3 does not read any more',
    'Make it again with a current tool: keytool -importkeystore, or openssl pkcs12 -legacy and -export.',
  ],
  [
    /not enough data|wrong tag|asn1|header too long/i,
    'the PKCS12 store cannot be read',
    'Give a file in PKCS12 format (.p12, .pfx); a JKS store is converted with keytool -importkeystore -deststoretype PKCS12.',
  ],
  [
    /no start line|bad end line|PEM/i,
    'a certificate or key is not in PEM format',
    'Give text with -----BEGIN CERTIFICATE----- or -----BEGIN PRIVATE KEY-----.',
  ],
];

function unusable(address: Address, error: unknown): SecurityError {
  const text = errorMessage(error).replaceAll('_', ' ');
  const known = loadFailures.find(([part]) => part.test(text));
  const reason = known?.[1] ?? `the certificates cannot be used: ${text}`;
  return new SecurityError(`cannot connect to ${formatAddress(address)}: ${reason}`, {
    address: formatAddress(address),
    hint: known?.[2] ?? 'Check the certificate files of the connection.',
    cause: error,
  });
}
