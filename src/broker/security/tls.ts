import type { FileSystem } from '../../storage/fileSystem.ts';
import type { BrokerConfig } from '../config/brokerConfigs.ts';
import { type ListenerSettings, listenerText } from './listeners.ts';
import { brokerIdentity, type Identity, trustedAuthorities } from './stores.ts';

/** What Node's `tls.createServer` takes. */
export type TlsSettings = Identity & {
  readonly ca?: string;
  readonly requestCert: boolean;
  readonly rejectUnauthorized: boolean;
};

/** Reads key, certificates and trust of a listener. Rejects with a BrokerConfigError that says what is missing. */
export async function tlsSettings(
  config: BrokerConfig,
  listener: ListenerSettings,
  fileSystem: FileSystem,
): Promise<TlsSettings> {
  const text = (name: string): string | undefined =>
    listenerText(config, listener, name) ?? undefined;
  const clientAuth = text('ssl.client.auth');
  const trusted = await trustedAuthorities(text, fileSystem);
  return {
    ...(await brokerIdentity(text, fileSystem)),
    ...(trusted !== undefined && { ca: trusted }),
    requestCert: clientAuth !== 'none',
    rejectUnauthorized: clientAuth === 'required',
  };
}
