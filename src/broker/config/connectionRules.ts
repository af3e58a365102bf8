// What Kafka asks of the limits on connections beyond their types. [KafkaConfig.validateValues, ConnectionQuotas]
import type { BrokerConfig } from './brokerConfigs.ts';
import { listItems, numberOf, wholeNumberOf } from './configText.ts';
import { listenerNameOf } from './listenerName.ts';
import { poolProblem } from './reconfigurable.ts';

const perAddress = 'max.connections.per.ip';
const overrides = `${perAddress}.overrides`;

/** What is wrong with limits once a running broker goes from one set of configs to another, in words. */
export function connectionsProblem(now: BrokerConfig, after: BrokerConfig): string | undefined {
  const listeners = listItems(now.text('listeners') ?? '').map(listenerNameOf);
  return (
    listeners.map((name) => listenerProblem(name.toLowerCase(), now, after)).find(Boolean) ??
    addressLimitsProblem((name) => after.text(name) ?? '')
  );
}

/** At the start there may be none at all; later nobody could be let in to say otherwise. [ListenerConnectionQuota] */
const positive = ['max.connection.creation.rate', 'max.connections'];

/** Each listener goes by its own, or by the broker's, and is asked where that changes; of no other listener is it. */
function listenerProblem(
  listener: string,
  now: BrokerConfig,
  after: BrokerConfig,
): string | undefined {
  const valueOf = (config: BrokerConfig, name: string): number =>
    numberOf(config.explicit(`listener.name.${listener}.${name}`) ?? config.text(name) ?? '');
  const change = (name: string): readonly [number, number] => [
    valueOf(now, name),
    valueOf(after, name),
  ];
  const limits = positive.map(change);
  if (limits.some(([before, value]) => before !== value)) {
    const none = limits.findIndex(([, value]) => value <= 0);
    if (none !== -1) return `${positive[none]} must be at least 1 while the broker runs`;
  }
  const threads = 'num.network.threads';
  return poolProblem(threads, ...change(threads)); // [DataPlaneAcceptor.validateReconfiguration]
}

/** What is wrong with the limits on addresses, in words. */
export function addressLimitsProblem(text: (name: string) => string): string | undefined {
  const limits = hostLimits(text(overrides));
  for (const { host, most } of limits) {
    if (!/^[\w.:%-]*$/.test(host)) return `${overrides}: ${host} is no host`;
    if (Number.isNaN(most)) return `${overrides} must be HOST:NUMBER, with commas between them`;
  }
  if (numberOf(text(perAddress)) > 0 || limits.length > 0) return undefined;
  return `${perAddress} may only be 0 where ${overrides} is set`;
}

export interface HostLimit {
  readonly host: string;
  /** NaN: it is no number. */
  readonly most: number;
}

/** The number is behind the last colon: addresses of IPv6 have more of them. [Csv.parseCsvMap] */
export function hostLimits(text: string): readonly HostLimit[] {
  const items = text.split(',');
  while (items.at(-1)?.trim() === '') items.pop(); // as Java splits
  return items.map((item) => {
    const colon = item.lastIndexOf(':');
    const most = Number((colon === -1 ? undefined : wholeNumberOf(item.slice(colon + 1))) ?? NaN);
    const isInt32 = -(2 ** 31) <= most && most < 2 ** 31;
    return { host: item.slice(0, Math.max(colon, 0)).trim(), most: isInt32 ? most : NaN };
  });
}
