import { errorMessage } from '../../base/logger.ts';
import type { FileSystem } from '../../storage/fileSystem.ts';
import { type BrokerConfig, BrokerConfigError } from '../config/brokerConfigs.ts';
import { type ListenerSettings, listenerText } from './listeners.ts';

/** What Node's `tls.createServer` takes. */
export interface TlsSettings {
  readonly key?: string;
  readonly cert?: string;
  readonly pfx?: Buffer;
  readonly passphrase?: string;
  readonly ca?: string;
  readonly requestCert: boolean;
  readonly rejectUnauthorized: boolean;
}

/** Reads key, certificates and trust of a listener. Throws a BrokerConfigError that says what is missing. */
export async function tlsSettings(
  config: BrokerConfig,
  listener: ListenerSettings,
  fileSystem: FileSystem,
): Promise<TlsSettings> {
  const text = (name: string): string | undefined =>
    listenerText(config, listener, name) ?? undefined;
  const clientAuth = text('ssl.client.auth');
  const read = (name: string): Promise<Buffer | undefined> =>
    readNamed(fileSystem, name, text(name));
  const trusted = text('ssl.truststore.certificates') ?? (await read('ssl.truststore.location'));
  return {
    ...(await identity(text, read)),
    ...(trusted !== undefined && { ca: trusted.toString() }),
    requestCert: clientAuth !== 'none',
    rejectUnauthorized: clientAuth === 'required',
  };
}

async function identity(
  text: (name: string) => string | undefined,
  read: (name: string) => Promise<Buffer | undefined>,
): Promise<Pick<TlsSettings, 'key' | 'cert' | 'pfx' | 'passphrase'>> {
  const key = text('ssl.keystore.key');
  const cert = text('ssl.keystore.certificate.chain');
  const keyPassword = text('ssl.key.password');
  const passphrase = keyPassword ?? text('ssl.keystore.password');
  const secret = passphrase === undefined ? {} : { passphrase };
  if (key !== undefined && cert !== undefined) return { key, cert, ...secret };
  const store = await read('ssl.keystore.location');
  if (store === undefined)
    throw new BrokerConfigError(
      'a listener with TLS needs ssl.keystore.location, or ssl.keystore.key and ssl.keystore.certificate.chain in PEM',
    );
  if (text('ssl.keystore.type') !== 'PEM') return { pfx: store, ...secret };
  const pem = store.toString();
  return { key: pem, cert: pem, ...secret };
}

async function readNamed(
  fileSystem: FileSystem,
  name: string,
  path: string | undefined,
): Promise<Buffer | undefined> {
  if (path === undefined) return undefined;
  try {
    const contents = await fileSystem.readFile(path);
    if (contents !== undefined) return contents;
  } catch (error) {
    throw new BrokerConfigError(`${name}: ${path} cannot be read: ${errorMessage(error)}`);
  }
  throw new BrokerConfigError(`${name}: there is no file ${path}`);
}
