import type { Clock } from '../../../base/clock.ts';
import { ClosingError } from '../../requestError.ts';
import { TokenRefusal, type TokenValidator, type ValidToken } from './tokenValidator.ts';

/** The options of `OAuthBearerLoginModule` that say how unsecured tokens are looked at. */
export interface UnsecuredOptions {
  readonly principalClaim: string;
  readonly scopeClaim: string;
  readonly requiredScope: readonly string[];
  readonly allowableClockSkewMs: number;
}

/**
 * Takes tokens that nobody has signed, as long as they are not over: for development, as in Kafka.
 * [OAuthBearerUnsecuredValidatorCallbackHandler]
 */
export function unsecuredValidator(options: UnsecuredOptions, clock: Clock): TokenValidator {
  return (token) => {
    const claims = claimsOf(token);
    const valid = validToken(claims, options, clock.nowMs());
    const scope = scopeIn(claims.get(options.scopeClaim));
    if (options.requiredScope.some((each) => !scope.has(each)))
      throw new TokenRefusal('a scope is missing', `[${options.requiredScope.join(', ')}]`);
    return valid;
  };
}

function validToken(
  claims: Claims,
  { principalClaim, allowableClockSkewMs }: UnsecuredOptions,
  nowMs: number,
): ValidToken {
  const expiresAt = claims.get('exp');
  const issuedAt = claims.get('iat');
  const principal = claims.get(principalClaim);
  if (typeof expiresAt !== 'number') throw new TokenRefusal('it does not say when it ends');
  if (typeof principal !== 'string' || principal.trim() === '')
    throw new TokenRefusal(`it has no claim ${principalClaim} with a name`);
  if (issuedAt !== undefined && typeof issuedAt !== 'number')
    throw new TokenRefusal('its claim iat is no number');
  if (issuedAt !== undefined && 1000 * issuedAt > nowMs + allowableClockSkewMs)
    throw new TokenRefusal('it was issued in the future');
  if (nowMs - allowableClockSkewMs >= 1000 * expiresAt) throw new TokenRefusal('it is over');
  if (issuedAt !== undefined && expiresAt <= issuedAt)
    throw new TokenRefusal('it ends before it begins');
  return { principal, expiresAtMs: Math.round(expiresAt * 1000) };
}

/** A claim as Kafka reads it: a list of texts, a number, or a text. [OAuthBearerUnsecuredJws.convert] */
type Claim = string | number | readonly string[];
type Claims = ReadonlyMap<string, Claim>;

function claimsOf(token: string): Claims {
  const [first = '', second = '', signature, ...more] = token.split('.');
  if (token.includes('..') || signature === undefined || more.length > 0)
    throw new TokenRefusal('it does not have three parts');
  const [header, claims] = [part(first), part(second)];
  const algorithm = header.get('alg');
  if (algorithm === undefined)
    throw new ClosingError('a token does not say how it is signed: Kafka does not answer that');
  if (algorithm !== 'none')
    throw new TokenRefusal('it is signed, and only tokens that are not are taken here');
  if (signature !== '') throw new TokenRefusal('it has a signature, and says that it has none');
  return claims;
}

function part(base64url: string): Claims {
  if (!/^[A-Za-z0-9_-]*$/.test(base64url) || base64url.length % 4 === 1)
    throw new TokenRefusal('it is not in Base64URL');
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(base64url, 'base64url').toString('utf8'));
  } catch {
    throw new TokenRefusal('it is not in JSON');
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return new Map();
  return new Map(
    Object.entries(json).map(([name, value]: [string, unknown]) => [name, claim(value)]),
  );
}

function claim(value: unknown): Claim {
  if (typeof value === 'number') return value;
  return Array.isArray(value) ? value.map(text) : text(value);
}

/** As Jackson's `asText` has it. */
function text(value: unknown): string {
  return typeof value === 'object' && value !== null ? '' : String(value);
}

/** A text is one scope, whatever blanks are in it; several are a list. */
function scopeIn(value: Claim | undefined): ReadonlySet<string> {
  if (typeof value === 'number') throw new TokenRefusal('its scope is a number');
  const scopes = typeof value === 'string' ? [value] : (value ?? []);
  return new Set(scopes.map((scope) => scope.trim()).filter(Boolean));
}
