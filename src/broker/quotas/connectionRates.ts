import type { Clock } from '../../base/clock.ts';
import type { MetadataImage } from '../controller/metadataImage.ts';
import { entityKey, entityTypes, localHost } from './quotaEntities.ts';
import { QuotaRate } from './quotaRate.ts';
import { remembered } from './remembered.ts';

/** A connection that is too much is held for a window at most. [ConnectionQuotas.maxThrottleTimeMs] */
export const longestThrottleMs = 1000;

/** How many connections an address may make in a second. [ConnectionQuotas, KIP-612] */
export class ConnectionRates {
  readonly #image: () => MetadataImage;
  readonly #clock: Clock;
  /** The least recently seen first. */
  readonly #rates = new Map<string, QuotaRate>();

  constructor(image: () => MetadataImage, clock: Clock) {
    this.#image = image;
    this.#clock = clock;
  }

  /** Notes a connection; answers for how long it is held before it is closed, 0: it is served. */
  admit(address: string): number {
    const bound = this.#limit(address);
    if (bound === undefined) return 0;
    const rate = remembered(this.#rates, address, () => new QuotaRate());
    const nowMs = this.#clock.monotonicMs();
    rate.record(1, nowMs);
    const throttleMs = rate.throttleMs(bound, nowMs);
    // One that is not served does not count.
    if (throttleMs > 0) rate.record(-1, nowMs);
    return Math.min(throttleMs, longestThrottleMs);
  }

  #limit(address: string): number | undefined {
    const { quotas } = this.#image();
    if (quotas.size === 0) return undefined;
    for (const entityName of [...namesOf(address), null]) {
      const entity = [{ entityType: entityTypes.ip, entityName }];
      const bound = quotas.get(entityKey(entity))?.values.get('connection_creation_rate');
      if (bound !== undefined) return bound;
    }
    return undefined;
  }
}

/** Also the name is an address's, as Java has it. [ClientQuotaMetadataManager.handleIpQuota] */
const namesOf = (address: string): string[] =>
  address === localHost.address ? [address, localHost.name] : [address];
