import { createHash } from 'node:crypto';

const magic = 0xfeedfeed;
const keyEntry = 1;
const trustedEntry = 2;
const digestBytes = 20;

/** The passphrase does not fit, or the file was changed. */
export class JksDigestError extends Error {
  override name = 'JksDigestError';
}

/** A private key, still encrypted, with the certificates that go with it. */
export interface JksKey {
  readonly encryptedKey: Buffer;
  /** Its own first, in DER. */
  readonly chain: readonly Buffer[];
}

export interface JksContents {
  /** In DER. */
  readonly trusted: readonly Buffer[];
  readonly keys: readonly JksKey[];
}

export function isJks(store: Buffer): boolean {
  return store.length > 4 && store.readUInt32BE() === magic;
}

/**
 * A store of Java's own format. Certificates are not encrypted; the passphrase, where there is one, tells whether
 * anybody has changed them. [sun.security.provider.JavaKeyStore]
 */
export function readJks(store: Buffer, passphrase: string | undefined): JksContents {
  if (passphrase !== undefined) checkDigest(store, passphrase);
  const reader = new JksReader(store.subarray(0, store.length - digestBytes));
  reader.skip(4);
  const version = reader.number();
  const trusted: Buffer[] = [];
  const keys: JksKey[] = [];
  // Each entry takes bytes, so a false count ends at the end of the store.
  for (let left = reader.number(); left > 0; left--) {
    const tag = reader.number();
    reader.skip(reader.short());
    reader.skip(8);
    if (tag === trustedEntry) trusted.push(reader.certificate(version));
    else if (tag === keyEntry) keys.push(reader.key(version));
    else throw new Error('an entry of the store is of no known kind');
  }
  return { trusted, keys };
}

function checkDigest(store: Buffer, passphrase: string): void {
  const digest = createHash('sha1')
    .update(Buffer.from(passphrase, 'utf16le').swap16())
    .update('Mighty Aphrodite')
    .update(store.subarray(0, store.length - digestBytes))
    .digest();
  if (!digest.equals(store.subarray(store.length - digestBytes))) throw new JksDigestError();
}

/** Throws a RangeError at the end of the bytes, as `Buffer` does. */
class JksReader {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  number(): number {
    this.#position += 4;
    return this.#bytes.readUInt32BE(this.#position - 4);
  }

  short(): number {
    this.#position += 2;
    return this.#bytes.readUInt16BE(this.#position - 2);
  }

  skip(count: number): void {
    this.#take(count);
  }

  certificate(version: number): Buffer {
    // Version 1 had no name of the kind of certificate.
    if (version > 1) this.skip(this.short());
    return this.#take(this.number());
  }

  key(version: number): JksKey {
    const encryptedKey = this.#take(this.number());
    const chain: Buffer[] = [];
    for (let left = this.number(); left > 0; left--) chain.push(this.certificate(version));
    return { encryptedKey, chain };
  }

  #take(count: number): Buffer {
    const end = this.#position + count;
    if (end > this.#bytes.length) throw new RangeError('the store ends within an entry');
    const taken = this.#bytes.subarray(this.#position, end);
    this.#position = end;
    return taken;
  }
}
