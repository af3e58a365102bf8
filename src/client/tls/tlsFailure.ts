import type { PeerCertificate } from 'node:tls';
import { t } from '../../base/l10n.ts';

/** What a TLS handshake failed at, in words, with what to do next. */
export interface TlsFailure {
  readonly reason: string;
  readonly hint: string;
}

const untrusted = (): TlsFailure => ({
  reason: t('its certificate is not signed by an authority that is trusted here'),
  hint: t('Give the certificate of its authority (CA, in PEM) in the connection.'),
});

const expired = (): TlsFailure => ({
  reason: t('its certificate, or one that it depends on, has expired'),
  hint: t('Have the certificate renewed, and check the clock of this machine.'),
});

const noTls = (): TlsFailure => ({
  reason: t('it does not speak TLS on this port'),
  hint: t('Choose PLAINTEXT or SASL_PLAINTEXT, or the port of a listener with TLS.'),
});

const noCommonGround = (): TlsFailure => ({
  reason: t('the two sides have no TLS version or cipher in common'),
  hint: t('Have the brokers allow TLSv1.2 or TLSv1.3 (ssl.enabled.protocols).'),
});

/** What we say of the broker's certificate, and what a handshake breaks at, by Node's codes. */
const codes: Readonly<Record<string, () => TlsFailure>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  CERT_UNTRUSTED: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  INVALID_CA: untrusted,
  CERT_HAS_EXPIRED: expired,
  CERT_NOT_YET_VALID: () => ({
    reason: t('its certificate is not valid yet'),
    hint: t('Check the clock of this machine.'),
  }),
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  ERR_SSL_UNSUPPORTED_PROTOCOL: noCommonGround,
};

const ownMissing = (): TlsFailure => ({
  reason: t('it asks for a client certificate that it trusts'),
  hint: t('Give a client certificate with its key, signed by an authority that the brokers trust.'),
});

const ownRefused = (): TlsFailure => ({
  reason: t('it does not accept the client certificate'),
  hint: t(
    "Give a client certificate that an authority in the brokers' ssl.truststore has signed, and that has not expired.",
  ),
});

/** What the broker says of us, by the alert's name; OpenSSL and BoringSSL put different words before it. */
const alerts: Readonly<Record<string, () => TlsFailure>> = {
  CERTIFICATE_REQUIRED: ownMissing,
  BAD_CERTIFICATE: ownMissing,
  CERTIFICATE_UNKNOWN: ownRefused,
  CERTIFICATE_EXPIRED: ownRefused,
  CERTIFICATE_REVOKED: ownRefused,
  UNSUPPORTED_CERTIFICATE: ownRefused,
  UNKNOWN_CA: ownRefused,
  ACCESS_DENIED: ownRefused,
  HANDSHAKE_FAILURE: noCommonGround,
  PROTOCOL_VERSION: noCommonGround,
};

/** What is wrong between the two sides; undefined where the network is at fault, or it is not about TLS. */
export function tlsFailure(error: unknown): TlsFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return wrongHost(error);
  if (code === 'ECONNRESET' && error.message.includes('before secure TLS connection')) {
    const { hint } = noTls();
    return {
      reason: t(
        'it closed the connection during the TLS handshake, as brokers do that listen without TLS',
      ),
      hint,
    };
  }
  const alert = /_ALERT_([A-Z_]+)$/.exec(code)?.[1] ?? '';
  const known = codes[code] ?? alerts[alert];
  if (known) return known();
  if (!code.startsWith('ERR_SSL_')) return undefined;
  const reason = t(
    'TLS failed: {0}',
    code.slice('ERR_SSL_'.length).toLowerCase().replaceAll('_', ' '),
  );
  return { reason, hint: t('The log of the brokers may say more.') };
}

function wrongHost(error: Error): TlsFailure {
  const { host = t('this host'), cert } = error as Error & {
    readonly host?: string;
    readonly cert?: PeerCertificate;
  };
  const names = cert?.subjectaltname ?? `CN ${[cert?.subject.CN].flat().join(', ')}`;
  return {
    reason: t('its certificate is for another host: {0}, not {1}', names, host),
    hint: t(
      'Use a name in the certificate as the address, give it as the server name, or turn the host-name check off.',
    ),
  };
}
