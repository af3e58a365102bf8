import { createHash, timingSafeEqual } from 'node:crypto';
import { parseJaasEntry } from '../../base/jaas.ts';
import { decodeUtf8 } from '../../base/javaUtf8.ts';
import { type SaslExchange, SaslRefusal } from './saslExchange.ts';

/** PLAIN: user and password as they are [RFC 4616, PlainSaslServer]. */
export function plainExchange(passwords: ReadonlyMap<string, string>): SaslExchange {
  return {
    step(token) {
      const parts = decodeUtf8(token).split('\0', 4);
      const [authorizationId = '', user = '', password = ''] = parts;
      if (parts.length !== 3)
        throw new SaslRefusal(
          `Invalid SASL/PLAIN response: expected 3 tokens, got ${parts.length}`,
        );
      if (user === '') throw new SaslRefusal('Authentication failed: username not specified');
      if (password === '') throw new SaslRefusal('Authentication failed: password not specified');
      const expected = passwords.get(user);
      if (!isSame(expected ?? '', password) || expected === undefined)
        throw new SaslRefusal('Authentication failed: Invalid username or password');
      if (authorizationId !== '' && authorizationId !== user)
        throw new SaslRefusal(
          'Authentication failed: Client requested an authorization id that is different from username',
        );
      return { token: Buffer.alloc(0), user };
    },
  };
}

/** `user_NAME="password"` of a JAAS line. */
export function plainUsers(jaasConfig: string): ReadonlyMap<string, string> {
  const options = parseJaasEntry(jaasConfig)?.options ?? new Map<string, string>();
  const users = [...options].filter(([name]) => name.startsWith('user_'));
  return new Map(users.map(([name, password]) => [name.slice('user_'.length), password]));
}

/** In a time that says nothing of how much is the same. */
function isSame(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
