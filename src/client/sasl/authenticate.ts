import { t } from '../../base/l10n.ts';
import type { Random } from '../../base/random.ts';
import { errorByCode, errorCodes } from '../../protocol/errors.ts';
import type { ApiVersions } from '../apiVersions.ts';
import { SecurityError } from '../kafkaError.ts';
import type { RequestOf, ResponseOf } from '../request.ts';
import type { SaslMechanism, SaslOptions } from '../security.ts';
import type { AccessTokens } from './accessTokens.ts';
import { oauthBearer } from './oauthBearer.ts';
import { SaslError, type SaslExchange } from './saslMechanism.ts';
import { saslPlain } from './saslPlain.ts';
import { scram } from './scram.ts';

type SaslApi = 'saslHandshake' | 'saslAuthenticate';

/** The connection, as authentication sees it. */
export interface SaslChannel {
  readonly address: string;
  readonly versions: ApiVersions;
  send<A extends SaslApi>(api: A, body: RequestOf<A>, version: number): Promise<ResponseOf<A>>;
}

/** What an exchange needs beside what is said of who is there. */
export interface SaslMeans {
  readonly random: Random;
  readonly tokens: AccessTokens;
}

async function exchangeOf(sasl: SaslOptions, { random, tokens }: SaslMeans): Promise<SaslExchange> {
  switch (sasl.mechanism) {
    case 'PLAIN':
      return saslPlain(sasl);
    case 'SCRAM-SHA-256':
      return scram('sha256', sasl, random);
    case 'SCRAM-SHA-512':
      return scram('sha512', sasl, random);
    case 'OAUTHBEARER':
      return oauthBearer(await tokens.get(sasl.token), sasl.extensions);
  }
}

/** SCRAM takes two rounds; a server that goes on for ever is cut off. */
const mostRounds = 4;

/**
 * Tells the broker who is there, the first time or again. [SaslClientAuthenticator, KIP-152] Resolves with how
 * long the broker lets the session live, in ms; 0: for as long as the connection. [KIP-368]
 */
export async function authenticate(
  channel: SaslChannel,
  sasl: SaslOptions,
  means: SaslMeans,
): Promise<number> {
  const version = channel.versions.negotiate('saslAuthenticate');
  try {
    // Before anything is said: a broker does not wait for a token endpoint.
    const exchange = await exchangeOf(sasl, means);
    await agreeOnMechanism(channel, sasl.mechanism);
    let message = exchange.first();
    for (let round = 0; round < mostRounds; round++) {
      const response = await channel.send('saslAuthenticate', { authBytes: message }, version);
      if (response.errorCode !== errorCodes.NONE) {
        if (sasl.mechanism === 'OAUTHBEARER') means.tokens.forget();
        throw refused(channel, sasl, response);
      }
      const next = await exchange.next(response.authBytes);
      if (next === undefined) return Number(response.sessionLifetimeMs);
      message = next;
    }
    throw new SaslError(t('the exchange did not end within {0} rounds', mostRounds));
  } catch (error) {
    if (!(error instanceof SaslError)) throw error;
    throw failure(channel, {
      message: t('SASL {0} with {1} failed: {2}', sasl.mechanism, channel.address, error.message),
      hint: t('Check that the address is the right cluster, and what proves who you are.'),
    });
  }
}

async function agreeOnMechanism(channel: SaslChannel, mechanism: SaslMechanism): Promise<void> {
  // Version 1 says that SaslAuthenticate requests follow, instead of bytes without a frame. [KIP-152]
  const version = channel.versions.negotiate('saslHandshake', { minVersion: 1 });
  const { errorCode, mechanisms } = await channel.send('saslHandshake', { mechanism }, version);
  const { address } = channel;
  switch (errorCode) {
    case errorCodes.NONE:
      return;
    case errorCodes.UNSUPPORTED_SASL_MECHANISM:
      throw failure(channel, {
        message: t(
          '{0} does not have the SASL mechanism {1} enabled; it has {2}',
          address,
          mechanism,
          mechanisms.join(', ') || t('none'),
        ),
        hint: t('Choose one of those in the connection.'),
      });
    case errorCodes.ILLEGAL_SASL_STATE:
      throw failure(channel, {
        message: t('{0} does not authenticate: this port is of a listener without SASL', address),
        hint: t('Choose PLAINTEXT or SSL, or the port of a listener with SASL.'),
      });
    default:
      throw failure(channel, {
        message: t(
          '{0} refuses SASL {1}: {2} ({3})',
          address,
          mechanism,
          errorByCode(errorCode).description,
          errorByCode(errorCode).name,
        ),
        hint: t('See the log of the brokers.'),
      });
  }
}

function refused(
  channel: SaslChannel,
  sasl: SaslOptions,
  { errorCode, errorMessage }: ResponseOf<'saslAuthenticate'>,
): SecurityError {
  const { name, description } = errorByCode(errorCode);
  const { address } = channel;
  const { mechanism } = sasl;
  if (mechanism === 'OAUTHBEARER') {
    return failure(channel, {
      message: t(
        '{0} does not take the token: {1} ({2})',
        address,
        errorMessage || description,
        name,
      ),
      hint: t(
        'The log of the broker says why. It may be for another audience, of another issuer, without a scope, or over.',
      ),
    });
  }
  return failure(channel, {
    message: t(
      '{0} does not let {1} in with {2}: {3} ({4})',
      address,
      sasl.username,
      mechanism,
      errorMessage || description,
      name,
    ),
    hint:
      mechanism === 'PLAIN'
        ? t('Check the user name and password.')
        : t(
            'Check the user name and password, and that the user has a credential for {0}: each mechanism has its own.',
            mechanism,
          ),
  });
}

function failure(
  { address }: SaslChannel,
  { message, hint }: { readonly message: string; readonly hint: string },
): SecurityError {
  return new SecurityError(message, { address, hint });
}
