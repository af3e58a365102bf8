import {
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import type { Clock } from '../../../base/clock.ts';
import { errorMessage } from '../../../base/logger.ts';
import { TokenRefusal, type TokenValidator, type ValidToken } from './tokenValidator.ts';

/** sasl.oauthbearer.* of a listener, without the prefix. */
export interface SecuredOptions {
  /** Empty: tokens may be for anybody. */
  readonly expectedAudience: readonly string[];
  /** Undefined: they may be of anybody whose key it is. */
  readonly expectedIssuer: string | undefined;
  readonly clockSkewSeconds: number;
  readonly scopeClaim: string;
  readonly subjectClaim: string;
}

/** Takes tokens that one of the keys has signed. [BrokerJwtValidator, ClaimValidationUtils] */
export function securedValidator(
  options: SecuredOptions,
  key: JWTVerifyGetKey,
  clock: Clock,
): TokenValidator {
  return async (token) => {
    const payload = await verified(token, key, {
      clockTolerance: options.clockSkewSeconds,
      currentDate: new Date(clock.nowMs()),
      requiredClaims: ['exp', 'iat'],
      ...(options.expectedIssuer !== undefined && { issuer: options.expectedIssuer }),
      ...(options.expectedAudience.length > 0 && { audience: [...options.expectedAudience] }),
    });
    return validToken(payload, options);
  };
}

async function verified(
  token: string,
  key: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, key, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys))
      throw new TokenRefusal(errorMessage(error));
    return verifiedBySome(token, error, options);
  }
}

/** A token that does not name its key may be of any that fits. */
async function verifiedBySome(
  token: string,
  keys: errors.JWKSMultipleMatchingKeys,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  for await (const key of keys) {
    try {
      return (await jwtVerify(token, key, options)).payload;
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) continue;
      throw new TokenRefusal(errorMessage(error));
    }
  }
  throw new TokenRefusal('none of the keys has signed it');
}

/** What jose4j, which Kafka uses, looks at beyond what jose does. [NumericDateValidator] */
function validToken(payload: JWTPayload, options: SecuredOptions): ValidToken {
  const { exp = 0, iat = 0, nbf = 0 } = payload;
  if (exp < iat || exp < nbf) throw new TokenRefusal('it ends before it begins');
  if (exp < 0 || iat < 0) throw new TokenRefusal('it is of before 1970');
  checkScopes(payload[options.scopeClaim]);
  const subject = payload[options.subjectClaim];
  if (typeof subject !== 'string' || subject.trim() === '')
    throw new TokenRefusal(`it has no claim ${options.subjectClaim} with a name`);
  return { principal: subject.trim(), expiresAtMs: exp * 1000 };
}

/** Nobody asks for a scope, but what is there has to make sense. */
function checkScopes(claim: unknown): void {
  const scopes: unknown[] = typeof claim === 'string' || Array.isArray(claim) ? [claim].flat() : [];
  const texts = scopes.map((scope) => (typeof scope === 'string' ? scope.trim() : ''));
  if (texts.includes('')) throw new TokenRefusal('one of its scopes is empty or no text');
  if (new Set(texts).size < texts.length) throw new TokenRefusal('it has a scope twice');
}
