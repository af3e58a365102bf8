import type { Clock } from '../../base/clock.ts';
import { parseInitialResponse } from './oauth/initialResponse.ts';
import { TokenRefusal, type TokenValidator } from './oauth/tokenValidator.ts';
import {
  InvalidCredentials,
  type SaslExchange,
  SaslRefusal,
  type SaslStep,
} from './saslExchange.ts';

export interface OAuthBearerOptions {
  readonly validate: TokenValidator;
  readonly clock: Clock;
  /** Takes why a token was refused. */
  readonly onRefusal: (reason: string) => void;
}

/**
 * OAUTHBEARER: a client whose token does not hold is told why in JSON, answers with one byte 0x01, and only then is
 * refused. [RFC 7628 3.2.3, OAuthBearerSaslServer]
 */
export function oauthBearerExchange(options: OAuthBearerOptions): SaslExchange {
  let refusal: TokenRefusal | undefined;
  return {
    async step(message) {
      const isAcknowledged = message.length === 1 && message[0] === 1;
      if (refusal !== undefined && isAcknowledged) throw new SaslRefusal(refusal.json);
      refusal = undefined;
      try {
        return await authenticated(message, options);
      } catch (error) {
        if (!(error instanceof TokenRefusal)) throw error;
        options.onRefusal(error.message);
        refusal = error;
        return { token: Buffer.from(error.json) };
      }
    },
  };
}

async function authenticated(
  message: Buffer,
  { validate, clock }: OAuthBearerOptions,
): Promise<SaslStep> {
  const response = parseInitialResponse(message);
  if (response === undefined) throw new InvalidCredentials();
  const { token, authorizationId } = response;
  const { principal, expiresAtMs } = await validate(token);
  if (authorizationId !== '' && authorizationId !== principal)
    throw new SaslRefusal(
      `Authentication failed: Client requested an authorization id (${authorizationId}) that is different from the token's principal name (${principal})`,
    );
  return { token: Buffer.alloc(0), user: principal, lifetimeMs: expiresAtMs - clock.nowMs() };
}
