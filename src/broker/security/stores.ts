import { isJks } from '../../base/keyStore/jks.ts';
import { jksKey, type KeyAndChain } from '../../base/keyStore/keyStore.ts';
import { KeyStoreError } from '../../base/keyStore/keyStoreError.ts';
import { authoritiesIn } from '../../base/keyStore/trustStore.ts';
import { errorMessage } from '../../base/logger.ts';
import type { FileSystem } from '../../storage/fileSystem.ts';
import { BrokerConfigError } from '../config/brokerConfigs.ts';

/** A config by its name. */
export type TextOf = (name: string) => string | undefined;

/** A certificate store of a thousand authorities has a quarter of this. */
const largestFileBytes = 1 << 20;

/**
 * Certificates in PEM of those who are trusted, as `ssl.truststore.*` say; undefined where they say nothing. The file
 * may be PEM, PKCS12 or JKS. Rejects with a BrokerConfigError.
 */
export async function trustedAuthorities(
  text: TextOf,
  fileSystem: FileSystem,
): Promise<string | undefined> {
  const pem = text('ssl.truststore.certificates');
  if (pem !== undefined) return pem;
  const name = 'ssl.truststore.location';
  const store = await readNamed(fileSystem, name, text(name));
  if (store === undefined) return undefined;
  if (isPem(store)) return store.toString('utf8');
  return inWords(name, () => authoritiesIn(store, text('ssl.truststore.password')));
}

/** What Node's `tls.createServer` takes to show who the broker is. */
export type Identity =
  | { readonly key: string; readonly cert: string; readonly passphrase?: string }
  | { readonly pfx: Buffer; readonly passphrase?: string };

/** The broker's key and certificates, as `ssl.keystore.*` say. Rejects with a BrokerConfigError. */
export async function brokerIdentity(text: TextOf, fileSystem: FileSystem): Promise<Identity> {
  const key = text('ssl.keystore.key');
  const cert = text('ssl.keystore.certificate.chain');
  const storePassword = text('ssl.keystore.password');
  const keyPassword = text('ssl.key.password');
  const passphrase = keyPassword ?? storePassword;
  const secret = passphrase === undefined ? {} : { passphrase };
  if (key !== undefined && cert !== undefined) return { key, cert, ...secret };
  const name = 'ssl.keystore.location';
  const store = await readNamed(fileSystem, name, text(name));
  if (store === undefined)
    throw new BrokerConfigError(
      'a listener with TLS needs ssl.keystore.location, or ssl.keystore.key and ssl.keystore.certificate.chain in PEM',
    );
  if (isPem(store)) {
    const text = store.toString();
    if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) throw noKey();
    return { key: text, cert: text, ...secret };
  }
  if (!isJks(store)) return { pfx: store, ...secret };
  const passwords = { store: storePassword, key: keyPassword };
  const java = await inWords(name, () => Promise.resolve(jksKey(store, passwords)));
  return identityOf(java);
}

function identityOf(java: KeyAndChain | undefined): Identity {
  if (java === undefined) throw noKey();
  return { key: java.key, cert: java.certificate };
}

const noKey = (): BrokerConfigError =>
  new BrokerConfigError('ssl.keystore.location holds no private key');

function isPem(store: Buffer): boolean {
  return store.includes('-----BEGIN ');
}

async function inWords<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof KeyStoreError)) throw error;
    throw new BrokerConfigError(`${name}: ${error.message}. ${error.hint}`);
  }
}

async function readNamed(
  fileSystem: FileSystem,
  name: string,
  path: string | undefined,
): Promise<Buffer | undefined> {
  if (path === undefined) return undefined;
  try {
    const status = await fileSystem.stat(path);
    if (status !== undefined && status.sizeInBytes > largestFileBytes)
      throw new Error('it is larger than 1 MiB');
    const contents = await fileSystem.readFile(path);
    if (contents !== undefined) return contents;
  } catch (error) {
    throw new BrokerConfigError(`${name}: ${path} cannot be read: ${errorMessage(error)}`);
  }
  throw new BrokerConfigError(`${name}: there is no file ${path}`);
}
