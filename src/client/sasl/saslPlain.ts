import { t } from '../../base/l10n.ts';
import { type SaslCredentials, SaslError, type SaslExchange } from './saslMechanism.ts';

/** SASL PLAIN: the password as it is, so only ever over TLS or on loopback. [RFC 4616] */
export function saslPlain({ username, password }: SaslCredentials): SaslExchange {
  if (username.includes('\0') || password.includes('\0')) {
    throw new SaslError(t('a user name or password with a NUL character cannot be sent as PLAIN'));
  }
  return {
    first: () => Buffer.from(`\0${username}\0${password}`),
    next: () => Promise.resolve(undefined),
  };
}
