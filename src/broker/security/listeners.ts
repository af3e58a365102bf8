import { type BrokerConfig, BrokerConfigError } from '../config/brokerConfigs.ts';
import { listItems } from '../config/configType.ts';

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
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * The listeners of `listeners`, or one PLAINTEXT listener at `fallback`. Throws a BrokerConfigError that says
 * what to change. [AbstractKafkaConfig.listeners]
 */
export function listenersOf(config: BrokerConfig, fallback: Address): readonly ListenerSettings[] {
  const text = config.text('listeners');
  if (text === null || text.trim() === '')
    return [{ name: 'PLAINTEXT', protocol: 'PLAINTEXT', ...fallback }];
  const protocols = protocolMap(config.text('listener.security.protocol.map') ?? '');
  const found = listItems(text).map((item) => listenerOf(item, protocols, fallback));
  checkDistinct(found);
  return found;
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
  { name }: ListenerSettings,
  configName: string,
): string | null {
  const own = config.explicit(`listener.name.${name.toLowerCase()}.${configName}`);
  return own ?? config.text(configName);
}

function protocolMap(text: string): ReadonlyMap<string, SecurityProtocol> {
  return new Map(
    listItems(text).map((item) => {
      const [name = '', protocol = ''] = item.split(':').map((part) => part.trim().toUpperCase());
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
  const match =
    /^(?<name>\w[\w.-]*):\/\/(?:\[(?<six>[^\]]+)\]|(?<host>[^:/]*)):(?<port>\d{1,5})$/.exec(item);
  const { name, six, host, port } = match?.groups ?? {};
  if (name === undefined || Number(port) > 65_535)
    throw new BrokerConfigError(`listeners: "${item}" is not NAME://host:port`);
  const protocol = protocols.get(name.toUpperCase());
  if (protocol === undefined)
    throw new BrokerConfigError(
      `listeners: listener.security.protocol.map says nothing of ${name}; add ${name}:PLAINTEXT or another protocol`,
    );
  const address = six ?? host ?? '';
  return {
    name: name.toUpperCase(),
    protocol,
    host: address === '' ? fallback.host : address,
    port: Number(port),
  };
}

function checkDistinct(listeners: readonly ListenerSettings[]): void {
  const names = listeners.map(({ name }) => name);
  const ports = listeners.map(({ port }) => port).filter((port) => port > 0);
  if (new Set(names).size < names.length)
    throw new BrokerConfigError('listeners: each listener must have a different name');
  if (new Set(ports).size < ports.length)
    throw new BrokerConfigError('listeners: each listener must have a different port');
}
