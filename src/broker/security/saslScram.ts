import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidCredentials, type SaslExchange, type SaslStep } from './saslExchange.ts';
import { type ScramCredential, type ScramMechanism, scramMechanisms } from './scramMechanisms.ts';

/** A message of the client, taken apart. */
interface ClientFirst {
  readonly user: string;
  readonly nonce: string;
  readonly bare: string;
}

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
    return this.#sent === undefined ? this.#first(token.toString('utf8')) : this.#final(token);
  }

  #first(message: string): SaslStep {
    const first = clientFirst(message) ?? this.#refuse();
    const credential = this.#options.credentialOf(first.user) ?? this.#refuse();
    const nonce = first.nonce + this.#options.nonce;
    const { salt, iterations } = credential;
    const text = `r=${nonce},s=${salt.toString('base64')},i=${iterations}`;
    this.#sent = { first: { ...first, nonce }, text, credential };
    return { token: Buffer.from(text) };
  }

  #final(token: Buffer): SaslStep {
    const sent = this.#sent ?? this.#refuse();
    const match =
      /^(?<bare>c=(?<binding>[A-Za-z0-9+/=]+),r=(?<nonce>[^,]+)(?:,[^,=]+=[^,]*)*),p=(?<proof>[A-Za-z0-9+/=]+)$/.exec(
        token.toString('utf8'),
      );
    const { bare = '', binding = '', nonce, proof = '' } = match?.groups ?? {};
    const header = Buffer.from(binding, 'base64').toString('utf8');
    if (nonce !== sent.first.nonce || !/^[ny],/.test(header)) this.#refuse();
    const signed = `${sent.first.bare},${sent.text},${bare}`;
    const { storedKey, serverKey } = sent.credential;
    const signature = this.#hmac(storedKey, signed);
    const clientKey = xor(Buffer.from(proof, 'base64'), signature) ?? this.#refuse();
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

/** `n,,n=USER,r=NONCE` with extensions; commas and equals signs in the name are escaped. */
function clientFirst(message: string): ClientFirst | undefined {
  const match =
    /^[ny],(?:a=(?<authorization>[^,]*))?,(?<bare>n=(?<name>[^,]+),r=(?<nonce>[\x21-\x2b\x2d-\x7e]+)(?:,[^,=]+=[^,]*)*)$/.exec(
      message,
    );
  const { authorization = '', bare, name, nonce } = match?.groups ?? {};
  if (bare === undefined || name === undefined || nonce === undefined) return undefined;
  if (/=(?!2C|3D)/.test(name)) return undefined;
  if (authorization !== '' && authorization !== name) return undefined;
  return { bare, nonce, user: name.replaceAll('=2C', ',').replaceAll('=3D', '=') };
}

function xor(left: Buffer, right: Buffer): Buffer | undefined {
  if (left.length !== right.length) return undefined;
  return Buffer.from(left.map((byte, n) => byte ^ (right[n] ?? 0)));
}
