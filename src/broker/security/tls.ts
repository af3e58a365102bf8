import type { FileSystem } from '../../storage/fileSystem.ts';
import type { BrokerConfig } from '../config/brokerConfigs.ts';
import { type CiphersAndProtocols, ciphersAndProtocols } from './ciphersAndProtocols.ts';
import { type ListenerSettings, listenerText, ownName, usesSasl } from './listeners.ts';
import { brokerIdentity, type Identity, trustedAuthorities } from './stores.ts';

/** What Node's `tls.createServer` takes. */
export type TlsSettings = Identity &
  CiphersAndProtocols & {
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
  // What was set while the broker ran may be anything, and must not keep it from starting again.
  const textOfStart = (name: string): string | undefined =>
    config.static(ownName(listener, name)) ?? config.static(name);
  const clientAuth = clientAuthOf(config, listener);
  const trusted = await trustedAuthorities(text, fileSystem);
  return {
    ...(await brokerIdentity(text, fileSystem)),
    ...(trusted !== undefined && { ca: trusted }),
    requestCert: clientAuth !== 'none',
    rejectUnauthorized: clientAuth === 'required',
    ...ciphersAndProtocols(textOfStart),
  };
}

/** Those who come with SASL show certificates only where the listener's own config says so. [ChannelBuilders.create] */
function clientAuthOf(config: BrokerConfig, listener: ListenerSettings): string | null {
  const name = 'ssl.client.auth';
  if (!usesSasl(listener)) return listenerText(config, listener, name);
  return config.explicit(ownName(listener, name)) ?? 'none';
}
