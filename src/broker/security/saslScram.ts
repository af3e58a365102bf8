import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { decodeUtf8 } from '../../base/javaUtf8.ts';
import { ClosingError } from '../requestError.ts';
import {
  InvalidCredentials,
  type SaslExchange,
  SaslRefusal,
  type SaslStep,
} from './saslExchange.ts';
import { type ClientFirst, parseClientFinal, parseClientFirst } from './scramMessages.ts';
import { type ScramCredential, type ScramMechanism, scramMechanisms } from './scramMechanisms.ts';

export interface ScramOptions {
  readonly mechanism: ScramMechanism;
  readonly credentialOf: (user: string) => ScramCredential | undefined;
  /** The server's part of the nonce. */
  readonly nonce: string;
}

/** SCRAM without channel binding [RFC 5802, ScramSaslServer]. */
export class ScramExchange implements SaslExchange {
  readonly #options: ScramOptions;
  #sent:
    | { readonly first: ClientFirst; readonly text: string; readonly credential: ScramCredential }
    | undefined;

  constructor(options: ScramOptions) {
    this.#options = options;
  }

  step(token: Buffer): SaslStep {
    return this.#sent === undefined ? this.#first(decodeUtf8(token)) : this.#final(token);
  }

  #first(message: string): SaslStep {
    const first = parseClientFirst(message) ?? this.#refuse();
    // There are no delegation tokens, so that nobody has one.
    if (first.isOfToken) this.#refuse();
    const credential = this.#options.credentialOf(first.user) ?? this.#refuse();
    if (first.authorizationId !== '' && first.authorizationId !== first.user)
      throw new SaslRefusal(
        'Authentication failed: Client requested an authorization id that is different from username',
      );
    const nonce = first.nonce + this.#options.nonce;
    const { salt, iterations } = credential;
    const text = `r=${nonce},s=${salt.toString('base64')},i=${iterations}`;
    this.#sent = { first: { ...first, nonce }, text, credential };
    return { token: Buffer.from(text) };
  }

  #final(token: Buffer): SaslStep {
    const sent = this.#sent ?? this.#refuse();
    const { bare, nonce, proof } = parseClientFinal(decodeUtf8(token)) ?? this.#refuse();
    if (nonce !== sent.first.nonce) this.#refuse();
    const signed = `${sent.first.bare},${sent.text},${bare}`;
    const { storedKey, serverKey } = sent.credential;
    const clientKey = xor(proof, this.#hmac(storedKey, signed));
    const computed = createHash(this.#hash).update(clientKey).digest();
    if (computed.length !== storedKey.length || !timingSafeEqual(computed, storedKey))
      this.#refuse();
    const proofOfServer = this.#hmac(serverKey, signed).toString('base64');
    return { token: Buffer.from(`v=${proofOfServer}`), user: sent.first.user };
  }

  get #hash(): string {
    return scramMechanisms[this.#options.mechanism].hash;
  }

  #hmac(key: Buffer, text: string): Buffer {
    return createHmac(this.#hash, key).update(text).digest();
  }

  #refuse(): never {
    throw new InvalidCredentials();
  }
}

/** Kafka does not answer a proof of another length. [ScramFormatter.xor] */
function xor(left: Buffer, right: Buffer): Buffer {
  if (left.length !== right.length)
    throw new ClosingError(`a proof of ${left.length} bytes, not ${right.length}`);
  return Buffer.from(left.map((byte, n) => byte ^ (right[n] ?? 0)));
}
