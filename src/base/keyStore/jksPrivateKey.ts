import { createHash, timingSafeEqual } from 'node:crypto';
import { derAt, DerError, derTags, readDer } from './der.ts';
import { JksDigestError } from './jks.ts';

/** 1.3.6.1.4.1.42.2.17.1.1: Sun's own cipher. */
const sunCipher = '2b060104012a02110101';
const hashBytes = 20;

/**
 * A private key of a JKS store, in PKCS #8. It was made unreadable with a stream of SHA-1 hashes, each of the
 * passphrase and the one before, the first of a salt. [sun.security.provider.KeyProtector] Throws a JksDigestError
 * where the passphrase does not fit, a DerError or RangeError where the bytes make no sense.
 */
export function jksPrivateKey(encryptedKey: Buffer, passphrase: string): Buffer {
  const parts = readDer(derAt(readDer(encryptedKey), 0, derTags.sequence));
  const algorithm = readDer(derAt(parts, 0, derTags.sequence));
  if (derAt(algorithm, 0, derTags.oid).toString('hex') !== sunCipher)
    throw new DerError('its key is encrypted in an unknown way');
  const bytes = derAt(parts, 1, derTags.octets);
  if (bytes.length < 2 * hashBytes) throw new DerError('its key is too short');
  const password = Buffer.from(passphrase, 'utf16le').swap16();
  const hidden = bytes.subarray(hashBytes, -hashBytes);
  const key = Buffer.alloc(hidden.length);
  let stream = bytes.subarray(0, hashBytes);
  for (let at = 0; at < hidden.length; at++) {
    if (at % hashBytes === 0) stream = createHash('sha1').update(password).update(stream).digest();
    key[at] = (hidden[at] ?? 0) ^ (stream[at % hashBytes] ?? 0);
  }
  const digest = createHash('sha1').update(password).update(key).digest();
  if (!timingSafeEqual(digest, bytes.subarray(-hashBytes))) throw new JksDigestError();
  return key;
}
