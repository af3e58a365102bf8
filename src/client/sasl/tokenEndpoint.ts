import { httpExchange, type HttpResponse } from '../../base/httpExchange.ts';
import { t } from '../../base/l10n.ts';
import { SecurityError } from '../kafkaError.ts';
import type { ClientCredentials } from '../security.ts';
import { socketReason } from '../socketReason.ts';
import { trustedByDefault } from '../tls/tlsConnect.ts';
import { tlsFailure } from '../tls/tlsFailure.ts';

/** A token, and for how long it can be used. */
export interface IssuedToken {
  readonly token: string;
  /** Undefined: nothing says so. */
  readonly lifetimeMs: number | undefined;
}

/** It may work a moment later. */
export class TokenEndpointBusyError extends SecurityError {
  override name = 'SecurityError';
}

const maxBytes = 256 * 1024;

/**
 * Asks a token endpoint for a token. [ClientCredentialsJwtRetriever, RFC 6749] Rejects with a SecurityError in words;
 * with a TokenEndpointBusyError where it is worth while to ask again.
 */
export async function requestToken(
  source: ClientCredentials,
  nowMs: number,
  signal: AbortSignal,
): Promise<IssuedToken> {
  const response = await ask(source, signal);
  if (response.status === 200 || response.status === 201) return issued(source, response, nowMs);
  throw refusal(source, response);
}

async function ask(source: ClientCredentials, signal: AbortSignal): Promise<HttpResponse> {
  const { tokenUrl, scope, fields, authorities } = source;
  const form = new URLSearchParams({
    ...fields,
    grant_type: 'client_credentials',
    ...(scope && { scope }),
  });
  const isEncrypted = tokenUrl.startsWith('https:');
  try {
    return await httpExchange({
      method: 'POST',
      url: tokenUrl,
      headers: {
        Accept: 'application/json',
        'Cache-Control': 'no-cache',
        'Content-Type': 'application/x-www-form-urlencoded',
        Authorization: `Basic ${Buffer.from(credentials(source)).toString('base64')}`,
      },
      body: form.toString(),
      maxBytes,
      signal,
      ...(isEncrypted && { authorities: authorities ?? trustedByDefault() }),
    });
  } catch (error) {
    throw unreachable(source, error, signal.aborted);
  }
}

function credentials({ clientId, clientSecret, encodesHeader = false }: ClientCredentials): string {
  const written = (text: string): string =>
    encodesHeader ? new URLSearchParams({ '': text }).toString().slice(1) : text;
  return `${written(clientId)}:${written(clientSecret)}`;
}

function issued(source: ClientCredentials, { body }: HttpResponse, nowMs: number): IssuedToken {
  const answer = jsonObject(body);
  const token = answer['access_token'] ?? answer['id_token'];
  if (typeof token !== 'string' || token.trim() === '') {
    throw failure(source, {
      message: t('the answer of the token endpoint {0} has no access_token', source.tokenUrl),
      hint: t('Check that the address is that of a token endpoint, which often ends in /token.'),
    });
  }
  // The endpoint rounds up, and a broker goes by what the token says.
  const seconds = Number(answer['expires_in'] ?? NaN);
  const lifetimes = [seconds * 1000, lifetimeIn(token, nowMs)].filter((ms) => ms > 0);
  const lifetimeMs = lifetimes.length > 0 ? Math.min(...lifetimes) : undefined;
  return { token: token.trim(), lifetimeMs };
}

/** By the claim `exp`, where the token is a JWT. */
function lifetimeIn(token: string, nowMs: number): number {
  const claims = jsonObject(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  const { exp } = claims;
  return typeof exp === 'number' ? exp * 1000 - nowMs : NaN;
}

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

const longestReason = 300;

function refusal(source: ClientCredentials, { status, body }: HttpResponse): SecurityError {
  const { error, error_description: description } = jsonObject(body);
  const said = [error, description].filter((text) => typeof text === 'string').join(': ');
  const reason = said === '' ? t('it answers {0}', status) : said.slice(0, longestReason);
  const { tokenUrl, clientId } = source;
  const Kind = status >= 500 || status === 429 ? TokenEndpointBusyError : SecurityError;
  return failure(
    source,
    {
      message: t('the token endpoint {0} issues no token to {1}: {2}', tokenUrl, clientId, reason),
      hint: t('Check the address of the token endpoint, the client id, its secret and the scope.'),
    },
    Kind,
  );
}

function unreachable(source: ClientCredentials, error: unknown, isLate: boolean): SecurityError {
  const { tokenUrl } = source;
  const tls = tlsFailure(error);
  if (tls) {
    return failure(source, {
      message: t('cannot connect to the token endpoint {0}: {1}', tokenUrl, tls.reason),
      hint: t('Give the certificate of the authority that signed the one of the token endpoint.'),
    });
  }
  const why = error instanceof Error ? socketReason(error) : String(error);
  const reason = isLate ? t('it does not answer') : why;
  return failure(
    source,
    {
      message: t('cannot reach the token endpoint {0}: {1}', tokenUrl, reason),
      hint: t('Check the address of the token endpoint, and that it can be reached from here.'),
    },
    TokenEndpointBusyError,
  );
}

function failure(
  { tokenUrl }: ClientCredentials,
  { message, hint }: { readonly message: string; readonly hint: string },
  Kind: typeof SecurityError = SecurityError,
): SecurityError {
  return new Kind(message, { address: URL.parse(tokenUrl)?.host ?? tokenUrl, hint });
}
