import type { Uuid } from '../base/uuid.ts';
import { inOrderOfTexts } from '../coordinator/javaOrder.ts';
import { matchesWhole } from '../coordinator/pattern.ts';
import { crc32c } from '../protocol/crc32c.ts';
import type { ClientAttribute, MetricsSubscription } from './config/clientMetricsConfigs.ts';

/** What subscriptions can tell a client by. */
export type ClientDescription = Readonly<Record<ClientAttribute, string>>;

/** What a client is asked to push, and how often. */
export interface TelemetryWanted {
  readonly subscriptionId: number;
  readonly metrics: readonly string[];
  readonly pushIntervalMs: number;
}

/** Nobody is asked less often. [ClientMetricsConfigs.INTERVAL_MS_DEFAULT] */
const longestIntervalMs = 300_000;
const allMetrics = '*';

/** What all subscriptions that mean a client come to. [ClientMetricsManager.createClientInstance] */
export function telemetryWanted(
  subscriptions: readonly MetricsSubscription[],
  client: ClientDescription,
): TelemetryWanted {
  const meant = subscriptions.filter(({ match }) =>
    [...match].every(([attribute, pattern]) => matchesWhole(pattern, client[attribute])),
  );
  const names = new Set(meant.flatMap(({ metrics }) => metrics));
  const metrics = names.has(allMetrics) ? [allMetrics] : inOrderOfTexts(names);
  const pushIntervalMs = Math.min(longestIntervalMs, ...meant.map(({ intervalMs }) => intervalMs));
  const subscriptionId = subscriptionIdOf(client.client_instance_id, { metrics, pushIntervalMs });
  return { subscriptionId, metrics, pushIntervalMs };
}

/**
 * The checksum of metrics and interval, mixed with the client's id as Java hashes it.
 * [ClientMetricsManager.computeSubscriptionId]
 */
function subscriptionIdOf(
  clientInstanceId: Uuid,
  { metrics, pushIntervalMs }: Omit<TelemetryWanted, 'subscriptionId'>,
): number {
  const subscription = crc32c(Buffer.from(`[${metrics.join(', ')}]${pushIntervalMs}`));
  const id = Buffer.from(clientInstanceId, 'base64url');
  const hash = [0, 4, 8, 12].reduce((mixed, at) => mixed ^ id.readInt32BE(at), 0);
  return (subscription ^ hash) | 0;
}
