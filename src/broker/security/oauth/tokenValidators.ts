import type { Clock } from '../../../base/clock.ts';
import { parseJaasEntry } from '../../../base/jaas.ts';
import { errorMessage, type Logger } from '../../../base/logger.ts';
import type { FileSystem } from '../../../storage/fileSystem.ts';
import { BrokerConfigError } from '../../config/brokerConfigs.ts';
import { booleanOf, listItems, numberOf } from '../../config/configText.ts';
import { unsecuredValidatorClass } from '../../config/oauthConfigs.ts';
import { trustedAuthorities } from '../stores.ts';
import { openJwks } from './jwks.ts';
import { securedValidator } from './securedJwt.ts';
import type { TokenValidator } from './tokenValidator.ts';
import { unsecuredValidator } from './unsecuredJws.ts';

export interface TokenContext {
  /** A config of the mechanism on the listener, of the listener, or of the broker. */
  readonly text: (name: string) => string | null;
  readonly fileSystem: FileSystem;
  /** The machine's: tokens are from outside, where the cluster's clock is not moved. */
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How tokens are looked at, by the configs. Rejects with a BrokerConfigError. [SaslChannelBuilder] */
export function tokenValidator(context: TokenContext): Promise<TokenValidator> {
  const { text } = context;
  const jaas = parseJaasEntry(text('sasl.jaas.config') ?? '');
  const option = (name: string): string | undefined => jaas?.options.get(name)?.trim() || undefined;
  const handler = text('sasl.server.callback.handler.class') ?? unsecuredValidatorClass;
  return handler === unsecuredValidatorClass
    ? Promise.resolve(unsecured(context, option))
    : secured(context, option);
}

type Option = (name: string) => string | undefined;

function unsecured({ text, clock, logger }: TokenContext, option: Option): TokenValidator {
  if (text('sasl.oauthbearer.jwks.endpoint.url') !== null)
    logger.warn(
      'sasl.oauthbearer.jwks.endpoint.url has no effect, and tokens that nobody signed are taken: set oauthbearer.sasl.server.callback.handler.class to OAuthBearerValidatorCallbackHandler',
    );
  const skew = option('unsecuredValidatorAllowableClockSkewMs') ?? '0';
  if (!/^\d{1,9}$/.test(skew))
    throw new BrokerConfigError(
      `sasl.jaas.config: unsecuredValidatorAllowableClockSkewMs is a number of milliseconds, not "${skew}"`,
    );
  const options = {
    principalClaim: option('unsecuredValidatorPrincipalClaimName') ?? 'sub',
    scopeClaim: option('unsecuredValidatorScopeClaimName') ?? 'scope',
    requiredScope: (option('unsecuredValidatorRequiredScope') ?? '').split(' ').filter(Boolean),
    allowableClockSkewMs: Number(skew),
  };
  return unsecuredValidator(options, clock);
}

async function secured(context: TokenContext, option: Option): Promise<TokenValidator> {
  const { text, clock } = context;
  const named = (name: string): string | null => text(`sasl.oauthbearer.${name}`);
  const options = {
    expectedAudience: listItems(named('expected.audience') ?? ''),
    expectedIssuer: named('expected.issuer') ?? undefined,
    clockSkewSeconds: numberOf(named('clock.skew.seconds') ?? ''),
    scopeClaim: named('scope.claim.name') ?? 'scope',
    subjectClaim: named('sub.claim.name') ?? 'sub',
  };
  if (options.expectedAudience.length === 0) checkMayBeLeftOut(context, 'audience');
  if (options.expectedIssuer === undefined) checkMayBeLeftOut(context, 'issuer');
  return securedValidator(options, await keysOf(context, option), clock);
}

/** Kafka 4.4 refuses to start where nobody says that this is meant. [BrokerJwtValidator] */
function checkMayBeLeftOut({ text }: TokenContext, what: 'audience' | 'issuer'): void {
  const allowing = `sasl.oauthbearer.allow.unverified.${what}`;
  if (booleanOf(text(allowing) ?? '') !== true)
    throw new BrokerConfigError(
      `sasl.oauthbearer.expected.${what} is missing: set it, or set ${allowing} to true to take tokens of any ${what}`,
    );
}

/** Of keys on the web; with less than no pause Kafka would never read them anew. [RefreshingHttpsJwks, Retry] */
const leastMs = { 'refresh.ms': 1, 'retry.backoff.max.ms': 0 } as const;

function checkTimes(ms: (config: string) => number): void {
  for (const [name, least] of Object.entries(leastMs))
    if (ms(name) < least)
      throw new BrokerConfigError(
        `sasl.oauthbearer.jwks.endpoint.${name} must be at least ${least}`,
      );
}

async function keysOf({ text, fileSystem, clock, logger }: TokenContext, option: Option) {
  const name = 'sasl.oauthbearer.jwks.endpoint.url';
  const url = text(name);
  if (url === null)
    throw new BrokerConfigError(
      `${name} is missing: without the keys of who issues tokens anybody could make them`,
    );
  const isFile = url.startsWith('file:');
  const fileMs = 1000;
  const ms = (config: string): number =>
    numberOf(text(`sasl.oauthbearer.jwks.endpoint.${config}`) ?? '');
  if (!isFile) checkTimes(ms);
  try {
    return await openJwks({
      url,
      authorities: await trustedAuthorities(option, fileSystem),
      refreshMs: isFile ? fileMs : ms('refresh.ms'),
      backoffMs: isFile ? fileMs : ms('retry.backoff.max.ms'),
      fileSystem,
      clock,
      onFailure: (reason) => logger.warn(`the keys of tokens cannot be read anew: ${reason}`),
    });
  } catch (error) {
    if (error instanceof BrokerConfigError) throw error;
    throw new BrokerConfigError(`${name}: ${url} cannot be read: ${errorMessage(error)}`);
  }
}
