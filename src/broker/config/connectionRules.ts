// What Kafka asks of the limits on connections beyond their types. [KafkaConfig.validateValues, ConnectionQuotas]
import type { BrokerConfig } from './brokerConfigs.ts';
import { numberOf, wholeNumberOf } from './configText.ts';
import { withoutListener } from './listenerPrefix.ts';

const perAddress = 'max.connections.per.ip';
const overrides = `${perAddress}.overrides`;

/** At the start there may be none at all; later nobody could be let in to say otherwise. [ListenerConnectionQuota] */
const positiveWhileRunning: ReadonlySet<string> = new Set([
  'max.connection.creation.rate',
  'max.connections',
]);

/** What is wrong with limits that are to be set while the broker runs, in words; `after` is the broker once it has them. */
export function connectionsProblem(
  configs: ReadonlyMap<string, string>,
  after: BrokerConfig,
): string | undefined {
  for (const [name, value] of configs) {
    const isPositive =
      !positiveWhileRunning.has(withoutListener(name) ?? name) ||
      numberOf(after.text(name) ?? value) > 0;
    if (!isPositive) return `${name} must be at least 1 while the broker runs`;
  }
  return addressLimitsProblem((name) => after.text(name) ?? '');
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
    const most = colon === -1 ? undefined : wholeNumberOf(item.slice(colon + 1));
    return { host: item.slice(0, Math.max(colon, 0)).trim(), most: Number(most ?? Number.NaN) };
  });
}
