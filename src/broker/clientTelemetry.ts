import type { Clock } from '../base/clock.ts';
import { type Random } from '../base/random.ts';
import { randomUuid, type Uuid } from '../base/uuid.ts';
import { Slices } from '../base/slices.ts';
import type { ErrorName } from '../protocol/errors.ts';
import { compressionTypeOf, decompressInBackground } from '../protocol/records/compression.ts';
import { RecordBatchError } from '../protocol/records/recordBatchError.ts';
import { zeroUuid } from '../protocol/schema.ts';
import { type MetadataImage, resourceTypes } from './controller/metadataImage.ts';
import { type MetricsSubscription, metricsSubscription } from './config/clientMetricsConfigs.ts';
import {
  type ClientDescription,
  type TelemetryWanted,
  telemetryWanted,
} from './telemetrySubscriptions.ts';

/** zstd, lz4, gzip, snappy. */
export const acceptedCompressionTypes = [4, 3, 1, 2];
const lastCompressionType = 4;

/** Kafka's cache of client instances. [ClientMetricsManager.CACHE_MAX_SIZE] */
const maxInstances = 16_384;
const metadataTopicId = 'AAAAAAAAAAAAAAAAAAAAAQ';
const never = -Infinity;

interface Instance {
  readonly client: ClientDescription;
  readonly wanted: TelemetryWanted;
  /** Of the subscriptions that `wanted` comes from. */
  readonly version: number;
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

/** Who asks, and for how long. */
export interface ConnectedClient {
  readonly description: Omit<ClientDescription, 'client_instance_id'>;
  /** Aborts when it has gone. */
  readonly connection: AbortSignal;
}

/** What a client is told of the metrics that it should push. */
export type TelemetryAnswer =
  | { readonly error: ErrorName }
  | { readonly clientInstanceId: Uuid; readonly wanted: TelemetryWanted };

/**
 * Clients that would push their metrics, as a Kafka answers them that has subscriptions and no plugin to take any
 * metrics: what one pushes is checked and dropped. [KIP-714, ClientMetricsManager]
 */
export class ClientTelemetry {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #image: () => MetadataImage;
  /** Of one push. */
  readonly maxBytes: number;
  /** The least recently used first. */
  readonly #instances = new Map<Uuid, Instance>();
  /** The instance that a connection was the first to tell of goes with it. [ClientConnectionDisconnectListener] */
  readonly #firstTold = new WeakMap<AbortSignal, Uuid>();
  #subscriptions: readonly MetricsSubscription[] = [];
  #version = 0;

  constructor(options: {
    clock: Clock;
    random: Random;
    image: () => MetadataImage;
    maxBytes: number;
  }) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#image = options.image;
    this.maxBytes = options.maxBytes;
  }

  /** A client asks what is wanted of it; a zero id asks for one. */
  subscribe(asked: Uuid, client: ConnectedClient): TelemetryAnswer {
    const clientInstanceId = asked === zeroUuid ? randomUuid(this.#random) : asked;
    const instance = this.#instance(clientInstanceId, client);
    const { lastError, wanted } = instance;
    const nowMs = this.#clock.monotonicMs();
    const lastMs = Math.max(instance.lastGetMs, instance.lastPushMs);
    const isDue = nowMs - lastMs >= wanted.pushIntervalMs;
    if (isDue) instance.lastGetMs = nowMs;
    const wasRefused =
      lastError === 'UNKNOWN_SUBSCRIPTION_ID' || lastError === 'UNSUPPORTED_COMPRESSION_TYPE';
    if (!isDue && !wasRefused) return { error: 'THROTTLING_QUOTA_EXCEEDED' };
    instance.lastError = 'NONE';
    return { clientInstanceId, wanted };
  }

  async push(push: TelemetryPush, client: ConnectedClient): Promise<ErrorName> {
    const { clientInstanceId, terminating } = push;
    if (clientInstanceId === zeroUuid || clientInstanceId === metadataTopicId) {
      return 'INVALID_REQUEST';
    }
    const instance = this.#instance(clientInstanceId, client);
    const refusal = this.#pushError(instance, push);
    instance.lastError = refusal;
    instance.isTerminating = terminating;
    if (refusal !== 'NONE') return refusal;
    if (await isReadable(push, { maxBytes: this.maxBytes, clock: this.#clock })) return 'NONE';
    instance.lastError = 'INVALID_RECORD';
    return instance.lastError;
  }

  #pushError(instance: Instance, push: TelemetryPush): ErrorName {
    if (instance.isTerminating) return 'INVALID_REQUEST';
    const { pushIntervalMs, subscriptionId } = instance.wanted;
    const nowMs = this.#clock.monotonicMs();
    const isDue =
      instance.lastGetMs > instance.lastPushMs || nowMs - instance.lastPushMs >= pushIntervalMs;
    if (isDue) instance.lastPushMs = nowMs;
    else if (!push.terminating) return 'THROTTLING_QUOTA_EXCEEDED';
    if (push.subscriptionId !== subscriptionId) return 'UNKNOWN_SUBSCRIPTION_ID';
    if (push.compressionType < 0 || push.compressionType > lastCompressionType) {
      return 'UNSUPPORTED_COMPRESSION_TYPE';
    }
    return push.metrics.length > this.maxBytes ? 'TELEMETRY_TOO_LARGE' : 'NONE';
  }

  /** A client is known anew once subscriptions have changed: it may ask again at once. */
  #instance(id: Uuid, { description, connection }: ConnectedClient): Instance {
    this.#followSubscriptions();
    const known = this.#instances.get(id);
    let instance = known;
    if (instance?.version !== this.#version) {
      instance = this.#newInstance(known?.client ?? { ...description, client_instance_id: id });
      this.#keepFor(connection, id);
    }
    this.#instances.delete(id);
    this.#instances.set(id, instance);
    const [oldest] = this.#instances.keys();
    if (oldest !== undefined && this.#instances.size > maxInstances) this.#instances.delete(oldest);
    return instance;
  }

  #keepFor(connection: AbortSignal, id: Uuid): void {
    const isHeard = this.#firstTold.has(connection);
    this.#firstTold.set(connection, id);
    if (isHeard) return;
    const forget = () => this.#instances.delete(this.#firstTold.get(connection) ?? id);
    connection.addEventListener('abort', forget, { once: true });
  }

  #newInstance(client: ClientDescription): Instance {
    return {
      client,
      wanted: telemetryWanted(this.#subscriptions, client),
      version: this.#version,
      lastGetMs: never,
      lastPushMs: never,
      lastError: 'NONE',
      isTerminating: false,
    };
  }

  #followSubscriptions(): void {
    const image = this.#image();
    const version = image.configVersion(resourceTypes.clientMetrics);
    if (version === this.#version) return;
    this.#version = version;
    const configured = image.configured(resourceTypes.clientMetrics);
    this.#subscriptions = [...configured.values()].map(metricsSubscription);
  }
}

/** Metrics are decompressed, though nobody takes them, and may not come to more than a push may have. */
async function isReadable(
  { compressionType, metrics }: TelemetryPush,
  { maxBytes, clock }: { maxBytes: number; clock: Clock },
): Promise<boolean> {
  if (metrics.length === 0) return true;
  const slices = new Slices(clock);
  try {
    await decompressInBackground(compressionTypeOf(compressionType), metrics, {
      maxBytes,
      pause: () => slices.pause(),
    });
    return true;
  } catch (error) {
    if (error instanceof RecordBatchError) return false;
    throw error;
  }
}
