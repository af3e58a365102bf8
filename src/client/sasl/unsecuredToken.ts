import type { TokenSource } from '../security.ts';

/** As long as Java's client makes it. [OAuthBearerUnsecuredLoginCallbackHandler] */
export const unsecuredLifetimeMs = 3_600_000;

/** A token that nobody has signed. */
export function unsecuredToken(
  { principal, scope }: TokenSource & { readonly kind: 'unsecured' },
  nowMs: number,
): string {
  const iat = Math.floor(nowMs / 1000);
  const exp = iat + unsecuredLifetimeMs / 1000;
  const scopes = scope?.split(' ').filter(Boolean) ?? [];
  const claims = { sub: principal, iat, exp, ...(scopes.length > 0 && { scope: scopes }) };
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(claims)}.`;
}
