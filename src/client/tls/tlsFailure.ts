/** What a TLS handshake failed at, in words, with what to do next. */
export interface TlsFailure {
  readonly reason: string;
  readonly hint: string;
}

const untrusted: TlsFailure = {
  reason: 'its certificate is not signed by an authority that is trusted here',
  hint: 'Give the certificate of its authority (CA, in PEM) in the connection.',
};

const ownRefused: TlsFailure = {
  reason: 'it does not accept the client certificate',
  hint: "Give a client certificate that an authority in the brokers' ssl.truststore has signed.",
};

const ownMissing: TlsFailure = {
  reason: 'it asks for a client certificate that it trusts',
  hint: 'Give a client certificate with its key, signed by an authority that the brokers trust.',
};

const noCommonGround: TlsFailure = {
  reason: 'the two sides have no TLS version or cipher in common',
  hint: 'Have the brokers allow TLSv1.2 or TLSv1.3 (ssl.enabled.protocols).',
};

const noTls: TlsFailure = {
  reason: 'it does not speak TLS on this port',
  hint: 'Choose PLAINTEXT or SASL_PLAINTEXT, or the port of a listener with TLS.',
};

/** By the codes of Node and of OpenSSL's verification and alerts. */
const failures: Readonly<Record<string, TlsFailure>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  CERT_UNTRUSTED: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  INVALID_CA: untrusted,
  CERT_HAS_EXPIRED: {
    reason: 'its certificate, or one that it depends on, has expired',
    hint: 'Have the certificate renewed, and check the clock of this machine.',
  },
  CERT_NOT_YET_VALID: {
    reason: 'its certificate is not valid yet',
    hint: 'Check the clock of this machine.',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: noCommonGround,
  ERR_SSL_UNSUPPORTED_PROTOCOL: noCommonGround,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: noCommonGround,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: ownMissing,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: ownMissing,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: ownRefused,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: ownRefused,
  ERR_SSL_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE: ownRefused,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: ownRefused,
  ERR_SSL_TLSV1_ALERT_ACCESS_DENIED: ownRefused,
};

/** What is wrong between the two sides; undefined where the network is at fault, or it is not about TLS. */
export function tlsFailure(error: unknown): TlsFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, reason } = error as NodeJS.ErrnoException & { readonly reason?: string };
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return {
      reason: `its certificate is for another host: ${reason ?? error.message}`,
      hint: 'Use the name in the certificate as the address, give it as the server name, or turn the host-name check off.',
    };
  }
  if (code === 'ECONNRESET' && /before secure TLS connection/.test(error.message)) {
    return {
      reason: 'it closed the connection during the TLS handshake, as brokers do that listen without TLS',
      hint: noTls.hint,
    };
  }
  const known = failures[code ?? ''];
  if (known) return known;
  if (!code?.startsWith('ERR_SSL_')) return undefined;
  return { reason: `TLS failed: ${error.message}`, hint: 'See the log of the brokers for the other side.' };
}
