import type { Clock } from '../base/clock.ts';
import { type Random } from '../base/random.ts';
import { randomUuid, type Uuid } from '../base/uuid.ts';
import { crc32c } from '../protocol/crc32c.ts';
import type { ErrorName } from '../protocol/errors.ts';
import { zeroUuid } from '../protocol/schema.ts';

/** ClientMetricsConfigs.INTERVAL_MS_DEFAULT: nobody subscribes here, so nothing ever shortens it. */
export const pushIntervalMs = 300_000;
/** Kafka's telemetry.max.bytes. */
export const telemetryMaxBytes = 1 << 20;
/** zstd, lz4, gzip, snappy. */
export const acceptedCompressionTypes = [4, 3, 1, 2];
const lastCompressionType = 4;

/** Kafka's cache of client instances. [ClientMetricsManager.CACHE_MAX_SIZE] */
const maxInstances = 16_384;
const metadataTopicId = 'AAAAAAAAAAAAAAAAAAAAAQ';

interface Instance {
  lastGetMs: number;
  lastPushMs: number;
  lastError: ErrorName;
  isTerminating: boolean;
}

export interface TelemetryPush {
  readonly clientInstanceId: Uuid;
  readonly subscriptionId: number;
  readonly terminating: boolean;
  readonly compressionType: number;
  readonly metrics: Uint8Array;
}

/**
 * Clients that would push their metrics, as a Kafka answers them that has no subscription and no plugin to take
 * any: they are asked for none, and what one pushes all the same is dropped. [KIP-714, ClientMetricsManager]
 */
export class ClientTelemetry {
  readonly #clock: Clock;
  readonly #random: Random;
  /** The least recently used first. */
  readonly #instances = new Map<Uuid, Instance>();

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** A client asks what is wanted of it; a zero id asks for one. */
  subscribe(asked: Uuid): { readonly error: ErrorName; readonly clientInstanceId: Uuid } {
    const clientInstanceId = asked === zeroUuid ? randomUuid(this.#random) : asked;
    const instance = this.#instance(clientInstanceId);
    const nowMs = this.#clock.monotonicMs();
    const isDue = nowMs - Math.max(instance.lastGetMs, instance.lastPushMs) >= pushIntervalMs;
    if (isDue) instance.lastGetMs = nowMs;
    const { lastError } = instance;
    const wasRefused =
      lastError === 'UNKNOWN_SUBSCRIPTION_ID' || lastError === 'UNSUPPORTED_COMPRESSION_TYPE';
    if (!isDue && !wasRefused) return { error: 'THROTTLING_QUOTA_EXCEEDED', clientInstanceId };
    instance.lastError = 'NONE';
    return { error: 'NONE', clientInstanceId };
  }

  push(push: TelemetryPush): ErrorName {
    const { clientInstanceId, terminating } = push;
    if (clientInstanceId === zeroUuid || clientInstanceId === metadataTopicId) {
      return 'INVALID_REQUEST';
    }
    const instance = this.#instance(clientInstanceId);
    instance.lastError = this.#pushError(instance, push);
    instance.isTerminating = terminating;
    return instance.lastError;
  }

  #pushError(instance: Instance, push: TelemetryPush): ErrorName {
    if (instance.isTerminating) return 'INVALID_REQUEST';
    const nowMs = this.#clock.monotonicMs();
    const isDue =
      instance.lastGetMs > instance.lastPushMs || nowMs - instance.lastPushMs >= pushIntervalMs;
    if (isDue) instance.lastPushMs = nowMs;
    else if (!push.terminating) return 'THROTTLING_QUOTA_EXCEEDED';
    if (push.subscriptionId !== subscriptionIdOf(push.clientInstanceId)) {
      return 'UNKNOWN_SUBSCRIPTION_ID';
    }
    if (push.compressionType < 0 || push.compressionType > lastCompressionType) {
      return 'UNSUPPORTED_COMPRESSION_TYPE';
    }
    return push.metrics.length > telemetryMaxBytes ? 'TELEMETRY_TOO_LARGE' : 'NONE';
  }

  #instance(id: Uuid): Instance {
    const never = -Infinity;
    const instance = this.#instances.get(id) ?? {
      lastGetMs: never,
      lastPushMs: never,
      lastError: 'NONE',
      isTerminating: false,
    };
    this.#instances.delete(id);
    this.#instances.set(id, instance);
    const [oldest] = this.#instances.keys();
    if (oldest !== undefined && this.#instances.size > maxInstances) this.#instances.delete(oldest);
    return instance;
  }
}

/** The checksum of no metrics at the usual interval, mixed with the client's id as Java hashes it. */
export function subscriptionIdOf(clientInstanceId: Uuid): number {
  const subscription = crc32c(Buffer.from(`[]${pushIntervalMs}`));
  const id = Buffer.from(clientInstanceId, 'base64url');
  const hash = [0, 4, 8, 12].reduce((mixed, at) => mixed ^ id.readInt32BE(at), 0);
  return (subscription ^ hash) | 0;
}
