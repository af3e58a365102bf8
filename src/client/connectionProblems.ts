/** Why a connection did not come about, in words: brokers close one that is not as they expect, and do not say why. */
import { t } from '../base/l10n.ts';
import { ConnectionError, SecurityError } from './kafkaError.ts';
import { saslOf, type SecurityOptions, tlsOf } from './security.ts';
import { tlsFailure } from './tls/tlsFailure.ts';

/** How far a connection has come. */
export interface Acquaintance {
  /** The broker has sent something. */
  readonly hasBeenHeard: boolean;
  /** It has said what it speaks. */
  readonly isNegotiated: boolean;
  /** It has answered a request that is not part of getting acquainted. */
  readonly hasServed: boolean;
  /** Requests wait for its answer. */
  readonly isAsked: boolean;
}

/** Why a broker has probably closed the connection. */
export function whyClosed(security: SecurityOptions, acquaintance: Acquaintance): string {
  const { hasBeenHeard, isNegotiated, hasServed, isAsked } = acquaintance;
  if (!hasBeenHeard && !tlsOf(security)) {
    return t('the broker closed the connection without a word, as one does that expects TLS');
  }
  if (isNegotiated && !hasServed && !saslOf(security) && isAsked) {
    return t(
      'the broker closed the connection at the first request, as one does that expects SASL',
    );
  }
  return t('the broker closed the connection');
}

/** A record of TLS with an alert: content type 21, version 3.x. As a frame's size it is out of all bounds. */
export function isTlsAlert(chunk: Buffer): boolean {
  return chunk[0] === 21 && chunk[1] === 3;
}

export function expectsTls(address: string): SecurityError {
  return new SecurityError(t('{0} expects TLS', address), {
    address,
    hint: t('Choose SSL or SASL_SSL, or the port of a listener without TLS.'),
  });
}

/** The error of a connection that was lost before the two sides were acquainted. */
export function handshakeProblem(
  lost: ConnectionError,
  security: SecurityOptions,
): ConnectionError | SecurityError {
  const { address, cause } = lost;
  // With TLS 1.3 a broker looks at the client's certificate after the handshake is over for the client.
  const failure = tlsFailure(cause);
  if (failure) {
    const { reason, hint } = failure;
    return new SecurityError(t('cannot connect to {0}: {1}', address, reason), {
      address,
      hint,
      cause,
    });
  }
  return new ConnectionError(
    t(
      '{0} accepted the connection but did not answer as a Kafka broker with {1} would: {2}',
      address,
      security.protocol,
      lost.message,
    ),
    { address, cause },
  );
}
