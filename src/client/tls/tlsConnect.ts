import { isIP } from 'node:net';
import {
  checkServerIdentity,
  connect,
  type ConnectionOptions,
  getCACertificates,
  type TLSSocket,
} from 'node:tls';
import { jksKey } from '../../base/keyStore/keyStore.ts';
import { KeyStoreError, type StoreProblem } from '../../base/keyStore/keyStoreError.ts';
import { t } from '../../base/l10n.ts';
import { errorMessage } from '../../base/logger.ts';
import { type Address, formatAddress } from '../address.ts';
import { SecurityError } from '../kafkaError.ts';
import type { TlsOptions } from '../security.ts';
import { certificateFormProblem } from './certificateForms.ts';

/** Begins a TLS connection. Throws a SecurityError at once where the certificates given cannot be used. */
export function tlsConnect(address: Address, tls: TlsOptions): TLSSocket {
  const { host, port } = address;
  const name = tls.serverName ?? host;
  const problem = certificateFormProblem(tls);
  if (problem) throw unusable(address, problem);
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
    throw unusable(address, loadProblem(error, tls.clientCertificate), error);
  }
}

/** Mozilla's list, as Node carries it, with what the system's administrator has added. */
export function trustedByDefault(): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
}

function ownCertificate({ clientCertificate: own }: TlsOptions): ConnectionOptions {
  if (own === undefined) return {};
  const passphrase = own.passphrase === undefined ? {} : { passphrase: own.passphrase };
  if (own.kind === 'pem') return { cert: own.certificate, key: own.key, ...passphrase };
  const java = jksKey(own.store, { store: own.passphrase });
  if (java) return { cert: java.certificate, key: java.key };
  return { pfx: Buffer.from(own.store), ...passphrase };
}

/** What OpenSSL and BoringSSL say of certificates and keys they cannot load, by a part of the message. */
const loadProblems = (): readonly (readonly [part: RegExp, reason: string, hint: string])[] => [
  [
    /mac verify failure|incorrect password/i,
    t('the passphrase does not open the PKCS12 store'),
    t('Give the passphrase that the store was made with.'),
  ],
  [
    /bad decrypt|bad password read|interrupted or cancelled/i,
    t('the passphrase does not open the private key'),
    t('Give the passphrase that the key was encrypted with.'),
  ],
  [
    /key values mismatch/i,
    t('the private key is not the one of the client certificate'),
    t('Give the key that belongs to the certificate.'),
  ],
  [
    /unsupported/i,
    t('the key or the PKCS12 store is encrypted in an old way that is not supported any more'),
    t('Make it again with a current keytool or openssl.'),
  ],
];

/** One time in some hundred a wrong passphrase decrypts a key to what looks like one of an unknown kind. */
const maybeWrongPassphrase = (): StoreProblem => ({
  reason: t('the passphrase does not open the private key, or the key is encrypted in an old way'),
  hint: t(
    'Give the passphrase that the key was encrypted with. If it is right, make the key again with a current openssl.',
  ),
});

function loadProblem(error: unknown, own: TlsOptions['clientCertificate']): StoreProblem {
  if (error instanceof KeyStoreError) return { reason: error.message, hint: error.hint };
  const text = errorMessage(error).replaceAll('_', ' ');
  if (own?.kind === 'pem' && own.passphrase !== undefined && /unsupported/i.test(text))
    return maybeWrongPassphrase();
  const known = loadProblems().find(([part]) => part.test(text));
  if (known) return { reason: known[1], hint: known[2] };
  return {
    reason: t('the certificates cannot be used: {0}', text),
    hint: t('Check the certificate files of the connection.'),
  };
}

function unusable(
  address: Address,
  { reason, hint }: StoreProblem,
  cause?: unknown,
): SecurityError {
  const name = formatAddress(address);
  return new SecurityError(t('cannot connect to {0}: {1}', name, reason), {
    address: name,
    hint,
    cause,
  });
}
