import { t } from '../../base/l10n.ts';
import { errorMessage } from '../../base/logger.ts';
import { describeCluster } from '../../client/admin/cluster.ts';
import { formatAddress } from '../../client/address.ts';
import { KafkaClient } from '../../client/kafkaClient.ts';
import { throwIfCancelled } from '../../client/kafkaError.ts';
import type { BrokerNode } from '../../client/metadata.ts';
import { mapBounded } from '../../client/outcome.ts';
import type { CallOptions } from '../../client/request.ts';
import type { NewProfile } from '../clusterRegistry.ts';
import type { ProfileSecrets } from './profileSecrets.ts';
import { plaintextProfile } from './profileSecurity.ts';
import { kafkaRelease } from '../kafkaRelease.ts';
import { resolveSecurity } from './resolveSecurity.ts';

/** What a trial connection found. */
export interface ConnectionReport {
  readonly clusterId: string;
  readonly brokerCount: number;
  /** Such as `4.4`: what the cluster's metadata.version is of; undefined: it does not say. */
  readonly release: string | undefined;
  /** Brokers that the cluster names and that cannot be reached from here, with the reason. */
  readonly unreachable: readonly string[];
}

const timeoutMs = 10_000;
const brokersTried = 20;
const concurrentBrokers = 5;

/** Connects with a profile as it stands, to each broker too. Changes and keeps nothing. */
export async function testProfile(
  { bootstrap, security = plaintextProfile }: Pick<NewProfile, 'bootstrap' | 'security'>,
  secrets: ProfileSecrets,
  signal?: AbortSignal,
): Promise<ConnectionReport> {
  const options: CallOptions = { timeoutMs, signal };
  const client = new KafkaClient({
    bootstrap,
    security: await resolveSecurity(security, secrets),
    connectTimeoutMs: timeoutMs,
  });
  try {
    const { clusterId, brokers } = await describeCluster(client, options);
    const level = (await client.finalizedFeatures(options)).get('metadata.version');
    const failures = await mapBounded(brokers.slice(0, brokersTried), concurrentBrokers, (broker) =>
      failureOf(client, broker, options),
    );
    return {
      clusterId,
      brokerCount: brokers.length,
      release: level === undefined ? undefined : kafkaRelease(level),
      unreachable: failures.filter((failure) => failure !== undefined),
    };
  } finally {
    client.dispose();
  }
}

/** A bootstrap address that works says nothing of the addresses that brokers advertise. */
async function failureOf(
  client: KafkaClient,
  broker: BrokerNode,
  options: CallOptions,
): Promise<string | undefined> {
  try {
    await client.supports('metadata', { to: broker.id, ...options });
    return undefined;
  } catch (error) {
    throwIfCancelled(options.signal);
    return t('broker {0} at {1}: {2}', broker.id, formatAddress(broker), errorMessage(error));
  }
}
