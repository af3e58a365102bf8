import type { Clock } from '../../base/clock.ts';
import type { MetadataImage } from '../controller/metadataImage.ts';
import { javaAddress } from './javaAddress.ts';
import { entityTypes, type QuotaEntry } from './quotaEntities.ts';
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
  /** Of the quotas that the rates are from. [ClientQuotaMetadataManager.handleIpQuota] */
  #version = -1;
  /** By the one form of addresses that can be written in many ways. */
  readonly #ofAddress = new Map<string, number>();
  #ofOthers: number | undefined;

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
    this.#follow();
    return this.#ofAddress.get(address) ?? this.#ofOthers;
  }

  #follow(): void {
    const { quotas, quotaVersion } = this.#image();
    if (quotaVersion === this.#version) return;
    this.#version = quotaVersion;
    this.#ofAddress.clear();
    this.#ofOthers = undefined;
    for (const entry of quotas.values()) this.#take(entry);
  }

  #take({ entity, values }: QuotaEntry): void {
    const bound = values.get('connection_creation_rate');
    const host = entity.find(({ entityType }) => entityType === entityTypes.ip);
    if (!host || bound === undefined) return;
    const address = host.entityName === null ? undefined : javaAddress(host.entityName);
    if (host.entityName === null) this.#ofOthers = bound;
    else if (address !== undefined) this.#ofAddress.set(address, bound);
  }
}
