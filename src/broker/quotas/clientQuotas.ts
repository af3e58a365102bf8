import type { Clock } from '../../base/clock.ts';
import type { MetadataImage } from '../controller/metadataImage.ts';
import { entityKey, entityTypes, type QuotaEntityPart } from './quotaEntities.ts';
import { fullWindowsSeconds, QuotaRate } from './quotaRate.ts';
import { remembered } from './remembered.ts';
import { TokenBucket } from './tokenBucket.ts';

/** What a client may use per second. */
export type RateQuota = 'producer_byte_rate' | 'consumer_byte_rate' | 'request_percentage';
const mutationRate = 'controller_mutation_rate';

/** Who asks: the user of the connection and what the client calls itself. */
export interface QuotaClient {
  readonly user: string;
  readonly clientId: string;
}

/** A request's share of the processor is throttled for a window at most. [ClientRequestQuotaManager] */
const longestRequestThrottleMs = 1000;

interface Limit {
  readonly bound: number;
  /** Whose use is added up: a client's of a user, a user's, or a client id's. */
  readonly sharer: string;
}

/** The quotas of a broker: what everybody may use, and has used. [ClientQuotaManager, KIP-13, KIP-124, KIP-599] */
export class ClientQuotas {
  readonly #image: () => MetadataImage;
  readonly #clock: Clock;
  /** The least recently used first. */
  readonly #rates = new Map<string, QuotaRate>();
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(image: () => MetadataImage, clock: Clock) {
    this.#image = image;
    this.#clock = clock;
  }

  /** Notes what a client used; answers for how long it is throttled, 0: not. */
  use(quota: RateQuota, client: QuotaClient, amount: number): number {
    const limit = this.#limit(quota, client);
    if (!limit) return 0;
    const rate = remembered(this.#rates, `${quota}:${limit.sharer}`, () => new QuotaRate());
    const nowMs = this.#clock.monotonicMs();
    rate.record(amount, nowMs);
    const throttleMs = rate.throttleMs(limit.bound, nowMs);
    return quota === 'request_percentage'
      ? Math.min(throttleMs, longestRequestThrottleMs)
      : throttleMs;
  }

  /** The most that can be used without being throttled by that alone. */
  mostInWindow(quota: RateQuota, client: QuotaClient): number {
    return (this.#limit(quota, client)?.bound ?? Infinity) * fullWindowsSeconds;
  }

  /**
   * Takes permits to change partitions; answers how long to wait because too many are taken. Strictly, none are
   * taken then. [StrictControllerMutationQuota, PermissiveControllerMutationQuota]
   */
  takePermits(client: QuotaClient, permits: number, isStrict: boolean): number {
    const limit = this.#limit(mutationRate, client);
    if (!limit) return 0;
    const nowMs = this.#clock.monotonicMs();
    const { bound, sharer } = limit;
    const bucket = remembered(this.#buckets, sharer, () => new TokenBucket(bound, nowMs));
    const throttleMs = bucket.throttleMs(bound, nowMs);
    if (isStrict && throttleMs > 0) return throttleMs;
    bucket.take(permits);
    return isStrict ? 0 : bucket.throttleMs(bound, nowMs);
  }

  /** The strongest quota that is set for who asks. [DefaultQuotaCallback.quotaLimit] */
  #limit(quota: string, { user, clientId }: QuotaClient): Limit | undefined {
    const { quotas } = this.#image();
    if (quotas.size === 0) return undefined;
    for (const [ofUser, ofClient] of precedence(user, clientId)) {
      const entity: QuotaEntityPart[] = [];
      if (ofUser !== undefined) entity.push({ entityType: entityTypes.user, entityName: ofUser });
      if (ofClient !== undefined) {
        entity.push({ entityType: entityTypes.clientId, entityName: ofClient });
      }
      const bound = quotas.get(entityKey(entity))?.values.get(quota);
      if (bound === undefined) continue;
      const sharer = [ofUser !== undefined && user, ofClient !== undefined && clientId];
      return { bound, sharer: JSON.stringify(sharer) };
    }
    return undefined;
  }
}

type Named = string | null | undefined;

/** Undefined: the part is not there; null: the default. */
function precedence(user: string, clientId: string): [user: Named, clientId: Named][] {
  return [
    [user, clientId],
    [user, null],
    [user, undefined],
    [null, clientId],
    [null, null],
    [null, undefined],
    [undefined, clientId],
    [undefined, null],
  ];
}
