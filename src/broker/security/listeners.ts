import { type BrokerConfig, BrokerConfigError } from '../config/brokerConfigs.ts';
import { listItems } from '../config/configText.ts';
import { listenerNameOf } from '../config/listenerName.ts';

const securityProtocols = ['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'] as const;
export type SecurityProtocol = (typeof securityProtocols)[number];

/** Where the broker listens, and how it is spoken to there. */
export interface ListenerSettings {
  /** In capitals. */
  readonly name: string;
  readonly protocol: SecurityProtocol;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** What clients are told, where that is something else; port 0 is the one listened on. */
  readonly advertised?: Address;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * The listeners of `listeners`, or one PLAINTEXT listener at `fallback`. Throws a BrokerConfigError that says
 * what to change. [AbstractKafkaConfig.listeners]
 */
export function listenersOf(config: BrokerConfig, fallback: Address): readonly ListenerSettings[] {
  const text = config.explicit('listeners')?.trim() ?? '';
  const protocols = protocolMap(config.text('listener.security.protocol.map') ?? '');
  const found: ListenerSettings[] =
    text === ''
      ? [{ name: 'PLAINTEXT', protocol: 'PLAINTEXT', ...fallback }]
      : listItems(text).map((item) => listenerOf(item, protocols, fallback));
  checkDistinct(found);
  return withAdvertised(found, config.text('advertised.listeners') ?? '');
}

export function usesTls({ protocol }: ListenerSettings): boolean {
  return protocol === 'SSL' || protocol === 'SASL_SSL';
}

export function usesSasl({ protocol }: ListenerSettings): boolean {
  return protocol === 'SASL_PLAINTEXT' || protocol === 'SASL_SSL';
}

/** A config of the listener's own, or the broker's. */
export function listenerText(
  config: BrokerConfig,
  listener: ListenerSettings,
  configName: string,
): string | null {
  return config.explicit(ownName(listener, configName)) ?? config.text(configName);
}

/** By what name a listener has a config for itself. */
export function ownName({ name }: ListenerSettings, configName: string): string {
  return `listener.name.${name.toLowerCase()}.${configName}`;
}

function protocolMap(text: string): ReadonlyMap<string, SecurityProtocol> {
  return new Map(
    listItems(text).map((item) => {
      const colon = item.lastIndexOf(':'); // [Csv.parseCsvMap]
      const [name = '', protocol = ''] = [
        item.slice(0, Math.max(colon, 0)),
        item.slice(colon + 1),
      ].map((part) => part.trim().toUpperCase());
      const known = securityProtocols.find((each) => each === protocol);
      if (name !== '' && known !== undefined) return [name, known];
      throw new BrokerConfigError(
        `listener.security.protocol.map: "${item}" is not NAME:PROTOCOL with one of ${securityProtocols.join(', ')}`,
      );
    }),
  );
}

function listenerOf(
  item: string,
  protocols: ReadonlyMap<string, SecurityProtocol>,
  fallback: Address,
): ListenerSettings {
  const { name, host, port } = addressOf('listeners', item);
  const protocol = protocols.get(name);
  if (protocol === undefined)
    throw new BrokerConfigError(
      `listeners: listener.security.protocol.map says nothing of ${name}; add ${name}:PLAINTEXT or another protocol`,
    );
  return { name, protocol, host: host === '' ? fallback.host : host, port };
}

/**
 * `NAME://host:port`; the name in capitals, the host empty where it is left out.
 * [SocketServerConfigs.listenerListToEndPoints]
 */
function addressOf(config: string, item: string): Address & { readonly name: string } {
  const match = /^.+:\/\/\[?(?<host>[\w\-%.:]*)\]?:(?<port>\d{1,5})$/.exec(item);
  const { host = '', port } = match?.groups ?? {};
  if (port === undefined || Number(port) > 65_535)
    throw new BrokerConfigError(`${config}: "${item}" is not NAME://host:port`);
  return { name: listenerNameOf(item).toUpperCase(), host, port: Number(port) };
}

const anyAddress = ['0.0.0.0', '::'];

/** A listener that `advertised.listeners` does not name is told as it is. */
function withAdvertised(
  listeners: readonly ListenerSettings[],
  text: string,
): readonly ListenerSettings[] {
  const advertised = listItems(text.trim()).map((item) => addressOf('advertised.listeners', item));
  const names = listeners.map(({ name }) => name);
  const stranger = advertised.find(({ name }) => !names.includes(name));
  if (stranger)
    throw new BrokerConfigError(
      `advertised.listeners: there is no listener ${stranger.name}; there is ${names.join(', ')}`,
    );
  return listeners.map((listener) => {
    const own = advertised.find(({ name }) => name === listener.name);
    const { host, port } = own ?? listener;
    if (host === '' || anyAddress.includes(host))
      throw new BrokerConfigError(
        `advertised.listeners: clients cannot connect to ${host || 'no host'}; set advertised.listeners=${listener.name}://HOST:${port} with a host that reaches this machine`,
      );
    return own ? { ...listener, advertised: { host, port } } : listener;
  });
}

function checkDistinct(listeners: readonly ListenerSettings[]): void {
  const names = listeners.map(({ name }) => name);
  const ports = listeners.map(({ port }) => port).filter((port) => port > 0);
  if (new Set(names).size < names.length)
    throw new BrokerConfigError('listeners: each listener must have a different name');
  if (new Set(ports).size < ports.length)
    throw new BrokerConfigError('listeners: each listener must have a different port');
}
