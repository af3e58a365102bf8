import { createDecipheriv, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { derAt, DerError, derNumber, derTags, readDer } from './der.ts';

const deriveKey = promisify(pbkdf2);

/** Object identifiers, as the hexadecimal digits of their DER. [RFC 7292, RFC 8018] */
const data = '2a864886f70d010701';
const encryptedData = '2a864886f70d010706';
const certificateBag = '2a864886f70d010c0a0103';
const pbes2 = '2a864886f70d01050d';
const digests: Readonly<Record<string, string>> = {
  '2a864886f70d0207': 'sha1',
  '2a864886f70d0209': 'sha256',
  '2a864886f70d020a': 'sha384',
  '2a864886f70d020b': 'sha512',
};
const ciphers: Readonly<Record<string, { readonly name: string; readonly keyBytes: number }>> = {
  '60864801650304012a': { name: 'aes-256-cbc', keyBytes: 32 },
  '608648016503040116': { name: 'aes-192-cbc', keyBytes: 24 },
  '608648016503040102': { name: 'aes-128-cbc', keyBytes: 16 },
};

/** Java uses 10,000; more than this would be an attack on our time. */
const mostIterations = 1_000_000;

/** Encrypted in a way that is not read here. */
export class OldCipherError extends Error {
  override name = 'OldCipherError';
}

/** The certificates in a PKCS #12 store. Node itself reads only stores that have a key too. */
export async function pkcs12Certificates(store: Buffer, passphrase: string): Promise<Buffer[]> {
  const pfx = readDer(derAt(readDer(store), 0, derTags.sequence));
  const safes = readDer(contentOf(derAt(pfx, 1, derTags.sequence)));
  const certificates: Buffer[] = [];
  for (const { content } of readDer(derAt(safes, 0, derTags.sequence))) {
    const bags = readDer(await safeContents(content, passphrase));
    for (const bag of readDer(derAt(bags, 0, derTags.sequence))) {
      const certificate = certificateOf(bag.content);
      if (certificate) certificates.push(certificate);
    }
  }
  return certificates;
}

/** Of a ContentInfo of type data: the octets in it. */
function contentOf(contentInfo: Buffer): Buffer {
  const parts = readDer(contentInfo);
  if (derAt(parts, 0, derTags.oid).toString('hex') !== data) throw new DerError('it is signed');
  return derAt(readDer(derAt(parts, 1, derTags.tagged0)), 0, derTags.octets);
}

async function safeContents(contentInfo: Buffer, passphrase: string): Promise<Buffer> {
  const parts = readDer(contentInfo);
  if (derAt(parts, 0, derTags.oid).toString('hex') !== encryptedData) return contentOf(contentInfo);
  const encrypted = derAt(readDer(derAt(parts, 1, derTags.tagged0)), 0, derTags.sequence);
  const info = readDer(derAt(readDer(encrypted), 1, derTags.sequence));
  // [0] IMPLICIT OCTET STRING
  return decrypt(derAt(info, 1, derTags.sequence), derAt(info, 2, 0x80), passphrase);
}

async function decrypt(algorithm: Buffer, bytes: Buffer, passphrase: string): Promise<Buffer> {
  const parts = readDer(algorithm);
  if (derAt(parts, 0, derTags.oid).toString('hex') !== pbes2) throw new OldCipherError();
  const [kdf, scheme] = readDer(derAt(parts, 1, derTags.sequence)).map(({ content }) =>
    readDer(content),
  );
  if (!kdf || !scheme) throw new DerError('its encryption has no parameters');
  const cipher = ciphers[derAt(scheme, 0, derTags.oid).toString('hex')];
  if (!cipher) throw new OldCipherError();
  const key = await keyOf(derAt(kdf, 1, derTags.sequence), cipher.keyBytes, passphrase);
  const decipher = createDecipheriv(cipher.name, key, derAt(scheme, 1, derTags.octets));
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
}

function keyOf(parameters: Buffer, keyBytes: number, passphrase: string): Promise<Buffer> {
  const parts = readDer(parameters);
  const iterations = derNumber(derAt(parts, 1, derTags.integer));
  if (iterations > mostIterations) throw new DerError(`${iterations} iterations are too many`);
  const prf = parts.find(({ tag }) => tag === derTags.sequence);
  const name = prf ? derAt(readDer(prf.content), 0, derTags.oid).toString('hex') : undefined;
  // HMAC with SHA-1 where nothing is said. [RFC 8018]
  const digest = name === undefined ? 'sha1' : digests[name];
  if (digest === undefined) throw new OldCipherError();
  return deriveKey(passphrase, derAt(parts, 0, derTags.octets), iterations, keyBytes, digest);
}

function certificateOf(bag: Buffer): Buffer | undefined {
  const parts = readDer(bag);
  if (derAt(parts, 0, derTags.oid).toString('hex') !== certificateBag) return undefined;
  const value = readDer(derAt(readDer(derAt(parts, 1, derTags.tagged0)), 0, derTags.sequence));
  return derAt(readDer(derAt(value, 1, derTags.tagged0)), 0, derTags.octets);
}
