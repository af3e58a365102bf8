import { fileURLToPath } from 'node:url';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../../base/clock.ts';
import { httpExchange } from '../../../base/httpExchange.ts';
import { errorMessage } from '../../../base/logger.ts';
import type { FileSystem } from '../../../storage/fileSystem.ts';

export interface JwksOptions {
  /** `file:`, `http:` or `https:`. */
  readonly url: string;
  /** Certificates in PEM that are trusted for `https:`; left out: those that Node trusts. */
  readonly authorities?: string | undefined;
  /** After how long the keys are read anew. */
  readonly refreshMs: number;
  /** No sooner are they read anew, for a key that is not among them or after a failure. */
  readonly backoffMs: number;
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  /** Takes why the keys could not be read anew; those from before stay. */
  readonly onFailure: (reason: string) => void;
}

const maxBytes = 1 << 20;
const fetchTimeoutMs = 10_000;

/**
 * The keys that sign tokens (JSON Web Key Set), read now and again while tokens come. Rejects where they cannot be
 * read at first. [RefreshingHttpsJwks, JwksFileVerificationKeyResolver]
 */
export async function openJwks(options: JwksOptions): Promise<JWTVerifyGetKey> {
  const { clock, refreshMs, backoffMs, url } = options;
  const isFile = url.startsWith('file:');
  let keys = createLocalJWKSet(await readKeys(options));
  let dueAtMs = clock.monotonicMs() + refreshMs;
  let admissibleAtMs = -Infinity;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    admissibleAtMs = clock.monotonicMs() + backoffMs;
    try {
      keys = createLocalJWKSet(await readKeys(options));
      dueAtMs = clock.monotonicMs() + refreshMs;
    } catch (error) {
      // It may have taken longer than the pause that is to follow.
      admissibleAtMs = dueAtMs = clock.monotonicMs() + backoffMs;
      options.onFailure(`${options.url}: ${errorMessage(error)}`);
    }
  };
  const readAgain = (): Promise<void> =>
    (reading ??= read().finally(() => {
      reading = undefined;
    }));

  return async (header, token) => {
    if (clock.monotonicMs() >= dueAtMs) {
      const isRead = readAgain();
      // Who issues tokens may take long to answer: the keys from before serve meanwhile, as in Kafka.
      if (isFile) await isRead;
    }
    try {
      return await keys(header, token);
    } catch (error) {
      const isUnknown = error instanceof errors.JWKSNoMatchingKey;
      if (!isUnknown) throw error;
      if (reading === undefined && clock.monotonicMs() < admissibleAtMs) throw error;
      await readAgain();
      return keys(header, token);
    }
  };
}

async function readKeys(options: JwksOptions): Promise<JSONWebKeySet> {
  const { url } = options;
  const text = url.startsWith('file:') ? await fileText(options) : await webText(options);
  // Its form is checked by jose.
  return JSON.parse(text) as JSONWebKeySet;
}

async function fileText({ url, fileSystem }: JwksOptions): Promise<string> {
  const path = fileURLToPath(url);
  const status = await fileSystem.stat(path);
  if (status === undefined) throw new Error(`there is no file ${path}`);
  if (status.sizeInBytes > maxBytes) throw new Error(`${path} is larger than 1 MiB`);
  return (await fileSystem.readFile(path))?.toString('utf8') ?? '';
}

async function webText({ url, authorities, clock }: JwksOptions): Promise<string> {
  const abort = new AbortController();
  const timer = clock.setTimer(fetchTimeoutMs, () => abort.abort());
  try {
    const { status, body } = await httpExchange({
      method: 'GET',
      url,
      headers: { Accept: 'application/json' },
      maxBytes,
      signal: abort.signal,
      ...(authorities !== undefined && { authorities }),
    });
    if (status !== 200) throw new Error(`the answer is ${status} instead of 200`);
    return body;
  } finally {
    timer.dispose();
  }
}
