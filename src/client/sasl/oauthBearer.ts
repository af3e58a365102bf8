import { t } from '../../base/l10n.ts';
import { SaslError, type SaslExchange } from './saslMechanism.ts';

/**
 * SASL OAUTHBEARER: the token, so only ever over TLS or on loopback. A broker that does not take it says why, and
 * waits for one byte before it refuses. [RFC 7628, OAuthBearerSaslClient]
 */
export function oauthBearer(
  token: string,
  extensions: Readonly<Record<string, string>> = {},
): SaslExchange {
  if (!/^[-_~+/.a-zA-Z0-9]+=*$/.test(token)) {
    throw new SaslError(t('the token has characters that no token has'));
  }
  const pairs = Object.entries(extensions).map(([name, value]) => extension(name, value));
  return {
    first: () => Buffer.from(`n,,\x01auth=Bearer ${token}\x01${pairs.join('')}\x01`),
    next: (challenge) => Promise.resolve(challenge.length === 0 ? undefined : Buffer.from([1])),
  };
}

function extension(name: string, value: string): string {
  if (!/^[A-Za-z]+$/.test(name) || name === 'auth' || !/^[\x21-\x7e \t\r\n]+$/.test(value)) {
    throw new SaslError(t('the extension {0} cannot be sent', name));
  }
  return `${name}=${value}\x01`;
}
