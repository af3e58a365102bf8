import { createHash, createHmac, pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { t } from '../../base/l10n.ts';
import type { Random } from '../../base/random.ts';
import { type SaslCredentials, SaslError, type SaslExchange } from './saslMechanism.ts';

/** Off the main thread: many iterations must not hold up the editor. */
const deriveKey = promisify(pbkdf2);

type Hash = 'sha256' | 'sha512';

/** Kafka's own bounds on the iterations of a credential. [ScramMechanism, ScramFormatter] */
const fewestIterations = 4096;
/** A server could otherwise hold the client for minutes. */
const mostIterations = 1_000_000;

interface ServerFirst {
  readonly nonce: string;
  readonly salt: Buffer;
  readonly iterations: number;
}

/**
 * SCRAM-SHA-256 or SCRAM-SHA-512 without channel binding. [RFC 5802, RFC 7677; ScramSaslClient] Checks the
 * server's signature, so that a server that does not know the credential is found out.
 */
export function scram(hash: Hash, credentials: SaslCredentials, random: Random): SaslExchange {
  const clientNonce = Buffer.from(random.bytes(24)).toString('base64url');
  const clientFirst = `n=${escapeName(credentials.username)},r=${clientNonce}`;
  let serverSignature: Buffer | undefined;

  const answerFirst = async (challenge: string): Promise<Buffer> => {
    const server = readServerFirst(challenge, clientNonce);
    const salted = await deriveKey(
      credentials.password.normalize('NFKC'),
      server.salt,
      server.iterations,
      hash === 'sha256' ? 32 : 64,
      hash,
    );
    const clientKey = hmac(hash, salted, 'Client Key');
    const storedKey = createHash(hash).update(clientKey).digest();
    const withoutProof = `c=biws,r=${server.nonce}`;
    const authMessage = `${clientFirst},${challenge},${withoutProof}`;
    const proof = xor(clientKey, hmac(hash, storedKey, authMessage));
    serverSignature = hmac(hash, hmac(hash, salted, 'Server Key'), authMessage);
    return Buffer.from(`${withoutProof},p=${proof.toString('base64')}`);
  };

  return {
    first: () => Buffer.from(`n,,${clientFirst}`),
    async next(challenge) {
      const text = Buffer.from(challenge).toString();
      if (serverSignature === undefined) return answerFirst(text);
      checkServerFinal(text, serverSignature);
      return undefined;
    },
  };
}

function readServerFirst(message: string, clientNonce: string): ServerFirst {
  const match = /^r=([^,]+),s=([A-Za-z0-9+/=]+),i=(\d{1,9})(?:,.*)?$/.exec(message);
  if (!match) throw new SaslError(t("the server's first SCRAM message cannot be read"));
  const [, nonce = '', salt = '', count = ''] = match;
  if (!nonce.startsWith(clientNonce) || nonce.length === clientNonce.length) {
    throw new SaslError(t("the server's SCRAM nonce does not continue ours"));
  }
  const iterations = Number(count);
  if (iterations < fewestIterations || iterations > mostIterations) {
    throw new SaslError(
      t(
        'the server asks for {0} SCRAM iterations; {1} to {2} are accepted',
        count,
        fewestIterations,
        mostIterations,
      ),
    );
  }
  return { nonce, salt: Buffer.from(salt, 'base64'), iterations };
}

function checkServerFinal(message: string, expected: Buffer): void {
  const match = /^([ve])=([^,]*)/.exec(message);
  if (match?.[1] === 'e') throw new SaslError(t('the server refuses: {0}', match[2] ?? ''));
  const signature = Buffer.from(match?.[2] ?? '', 'base64');
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
    throw new SaslError(t('the server could not prove that it knows the password'));
  }
}

/** `=` and `,` have a meaning in SCRAM messages. */
function escapeName(username: string): string {
  return username.normalize('NFKC').replaceAll('=', '=3D').replaceAll(',', '=2C');
}

function hmac(hash: Hash, key: Buffer, text: string): Buffer {
  return createHmac(hash, key).update(text).digest();
}

function xor(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(left.map((byte, i) => byte ^ (right[i] ?? 0)));
}
