import { lookup } from 'node:dns';
import { isIP, SocketAddress } from 'node:net';
import type { BrokerConfig } from '../config/brokerConfigs.ts';
import { hostLimits } from '../config/connectionRules.ts';

/** How many connections an address may have. Names of hosts are looked up when they are set. [ConnectionQuotas] */
export class AddressLimits {
  readonly #config: BrokerConfig;
  #text = '';
  #ofAddress = new Map<string, number>();

  constructor(config: BrokerConfig) {
    this.#config = config;
    this.follow();
  }

  of(address: string): number {
    return this.#ofAddress.get(address) ?? this.#config.number('max.connections.per.ip');
  }

  /** The limits may have changed. */
  follow(): void {
    const text = this.#config.text('max.connections.per.ip.overrides') ?? '';
    if (text === this.#text) return;
    this.#text = text;
    const limits = new Map<string, number>();
    this.#ofAddress = limits;
    for (const { host, most } of hostLimits(text)) {
      const family = isIP(host);
      if (family === 4) limits.set(host, most);
      else if (family === 6)
        limits.set(new SocketAddress({ address: host, family: 'ipv6' }).address, most);
      else
        lookup(host, { order: 'ipv4first' }, (error, address) => {
          if (!error) limits.set(address, most);
        });
    }
  }
}
