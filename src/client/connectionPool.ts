import type { Disposable } from '../base/disposable.ts';
import { t } from '../base/l10n.ts';
import { type Address, formatAddress } from './address.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { ConnectionError } from './kafkaError.ts';
import { orCancelled } from './waiting.ts';

export type PoolOptions = Omit<ConnectionOptions, 'address' | 'signal'>;

/**
 * One connection an address and lane, opened on first use. A lane keeps long polls apart from requests
 * that must not wait behind them, as brokers answer each connection in order.
 */
export class ConnectionPool implements Disposable {
  readonly #options: PoolOptions;
  readonly #opening = new Map<string, Promise<Connection>>();
  readonly #open = new Map<string, Connection>();
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** An open connection of the lane to any of `addresses`, if there is one. */
  openOne(addresses: readonly Address[], lane: string): Connection | undefined {
    for (const address of addresses) {
      const connection = this.#open.get(keyOf(address, lane));
      if (connection?.isOpen) return connection;
    }
    return undefined;
  }

  /** Callers of one address and lane share the connection, and the wait for it. */
  get(address: Address, lane: string, signal?: AbortSignal): Promise<Connection> {
    const key = keyOf(address, lane);
    const open = this.#open.get(key);
    if (open?.isOpen) return Promise.resolve(open);
    let opening = this.#opening.get(key);
    if (opening === undefined) {
      opening = this.#connect(address, key).finally(() => this.#opening.delete(key));
      this.#opening.set(key, opening);
    }
    return orCancelled(opening, signal);
  }

  closeLane(lane: string): void {
    for (const [key, connection] of this.#open) {
      if (!key.startsWith(`${lane} `)) continue;
      this.#open.delete(key);
      connection.dispose();
    }
  }

  dispose(): void {
    this.#isClosed = true;
    for (const connection of this.#open.values()) connection.dispose();
    this.#open.clear();
  }

  async #connect(address: Address, key: string): Promise<Connection> {
    this.#throwIfClosed(address);
    const connection = await Connection.open({ ...this.#options, address });
    if (this.#isClosed) connection.dispose();
    this.#throwIfClosed(address);
    this.#open.set(key, connection);
    connection.onDidClose(() => {
      if (this.#open.get(key) === connection) this.#open.delete(key);
    });
    return connection;
  }

  #throwIfClosed(address: Address): void {
    if (!this.#isClosed) return;
    throw new ConnectionError(t('the client is closed'), { address: formatAddress(address) });
  }
}

function keyOf(address: Address, lane: string): string {
  return `${lane} ${formatAddress(address)}`;
}
