import { ClosingError } from '../../requestError.ts';

/** What a client says first with OAUTHBEARER. [RFC 7628, OAuthBearerClientInitialResponse] */
export interface InitialResponse {
  readonly token: string;
  /** Empty: the client asks for no identity but the token's. */
  readonly authorizationId: string;
  readonly extensions: ReadonlyMap<string, string>;
}

const separator = '\x01';

/** Neither `=` nor `,` but as `=3D` and `=2C`: each character can be read in one way only. */
const saslName = /^(?:[\x01-\x2b\x2d-\x3c\x3e-\x7f]|=2C|=3D)+$/;
const pair = /^(?<key>[A-Za-z]+)=(?<value>[\x21-\x7e \t\r\n]+)$/;
const auth = /^(?<scheme>\w+) +(?<token>[-_~+/.a-zA-Z0-9]+=*)$/;

/**
 * Reads `n,a=NAME,^Aauth=Bearer TOKEN^AKEY=VALUE^A^A`; undefined where it is something else. Taken apart from the
 * left, in time that grows with the length and no faster.
 */
export function parseInitialResponse(message: Buffer): InitialResponse | undefined {
  const text = message.toString('utf8');
  const comma = text.indexOf(',', 2);
  if (!text.startsWith('n,') || comma < 0) return undefined;
  const authorization = text.slice(2, comma);
  const authorizationId = authorization.replace(/^a=/, '');
  if (authorization !== '' && !(authorization.startsWith('a=') && saslName.test(authorizationId)))
    return undefined;
  const pairs = pairsIn(text.slice(comma + 1));
  const { scheme, token } = auth.exec(pairs?.get('auth') ?? '')?.groups ?? {};
  if (pairs === undefined || token === undefined) return undefined;
  if (scheme?.toLowerCase() !== 'bearer')
    throw new ClosingError('a token does not come as Bearer: Kafka does not answer that');
  pairs.delete('auth');
  return { token, authorizationId, extensions: pairs };
}

/** Of `^AKEY=VALUE^A...^A`; of a key that comes twice the last counts. */
function pairsIn(text: string): Map<string, string> | undefined {
  const [before, ...rest] = text.split(separator);
  const [afterLast, afterPairs, ...pairs] = rest.reverse();
  if (before !== '' || afterLast !== '' || (afterPairs ?? '') !== '') return undefined;
  const found = new Map<string, string>();
  for (const each of pairs.reverse()) {
    const { key, value } = pair.exec(each)?.groups ?? {};
    if (key === undefined || value === undefined) return undefined;
    found.set(key, value);
  }
  return found;
}
