import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { BrokerConfig } from '../../../../src/broker/config/brokerConfigs.ts';
import { MetadataImage } from '../../../../src/broker/controller/metadataImage.ts';
import { ConnectionQuotas } from '../../../../src/broker/quotas/connectionQuotas.ts';
import { ConnectionRates } from '../../../../src/broker/quotas/connectionRates.ts';
import { ManualClock } from '../../../support/manualClock.ts';

class Broker {
  readonly clock = new ManualClock();
  readonly cluster = new Map<string, string>();
  readonly served: string[] = [];
  readonly refused: string[] = [];
  readonly #quotas: ConnectionQuotas;
  readonly #arrive: Readonly<Record<string, ReturnType<ConnectionQuotas['open']>>>;
  readonly #open = new Map<string, () => void>();

  constructor(configs: Record<string, string>, listeners: readonly string[] = ['ONE']) {
    for (const [name, value] of Object.entries(configs)) this.cluster.set(name, value);
    const { clock, cluster } = this;
    const config = new BrokerConfig({}, { dynamic: () => ({ broker: new Map(), cluster }) });
    const rates = new ConnectionRates(() => new MetadataImage(), clock);
    this.#quotas = new ConnectionQuotas({ config, rates, clock });
    this.#arrive = Object.fromEntries(
      listeners.map((name) => [name, this.#quotas.open(name, () => this.#closeFirst())]),
    );
  }

  arrive(name: string, { listener = 'ONE', address = '1.2.3.4' } = {}): void {
    const leave = this.#arrive[listener]?.({
      address,
      serve: () => this.served.push(name),
      refuse: () => this.refused.push(name),
    });
    if (leave) this.#open.set(name, leave);
  }

  leave(name: string): void {
    this.#open.get(name)?.();
    this.#open.delete(name);
  }

  set(name: string, value: string): void {
    this.cluster.set(name, value);
    this.#quotas.followConfigs();
  }

  get open(): string[] {
    return [...this.#open.keys()];
  }

  #closeFirst(): boolean {
    const [name] = this.#open.keys();
    if (name === undefined) return false;
    this.leave(name);
    return true;
  }
}

describe('The quotas of connections', () => {
  it('[C7] serve in the order of arrival, as places become free', () => {
    const broker = new Broker({ 'max.connections': '2' });
    for (const name of ['a', 'b', 'c', 'd']) broker.arrive(name);
    assert.deepEqual(broker.served, ['a', 'b']);
    broker.leave('c');
    broker.leave('a');
    assert.deepEqual(broker.served, ['a', 'b', 'd']);
    assert.deepEqual(broker.refused, []);
  });

  it('[C7] let the broker have only so many in a second, one after the other', () => {
    const broker = new Broker({ 'max.connection.creation.rate': '1' });
    const names = Array.from({ length: 13 }, (_, i) => String(i));
    for (const name of names) broker.arrive(name);
    assert.equal(broker.served.length, 10);
    for (const served of [11, 12, 13]) {
      broker.clock.advance(1000);
      assert.equal(broker.served.length, served);
    }
    assert.equal(broker.clock.pendingTimers, 0);
  });

  it('[C7] close thousands that are too many at once, and no more', () => {
    const broker = new Broker({});
    for (let i = 0; i < 20_000; i++) broker.arrive(String(i), { address: `10.0.${i >> 8}.1` });
    broker.set('max.connections', '1');
    assert.deepEqual(broker.open, ['19999']);
  });

  it('[C7] keep an address to its own limit, of either version, and the others to that of all', () => {
    const broker = new Broker({
      'max.connections.per.ip': '1',
      'max.connections.per.ip.overrides': '10.0.0.1:2, 0:0:0:0:0:0:0:1:0',
    });
    for (const address of ['10.0.0.1', '10.0.0.1', '10.0.0.1', '::1', '9.9.9.9', '9.9.9.9'])
      broker.arrive(`${address} ${broker.served.length}`, { address });
    assert.deepEqual(broker.served, ['10.0.0.1 0', '10.0.0.1 1', '9.9.9.9 2']);
  });

  it('[C7] close what waits beyond what is kept in mind', () => {
    const broker = new Broker({ 'max.connections': '1' });
    for (let i = 0; i < 131; i++) broker.arrive(String(i));
    assert.deepEqual(broker.refused, ['129', '130']);
  });
});
