import type { Disposable } from '../base/disposable.ts';
import { t } from '../base/l10n.ts';
import { type Address, formatAddress } from './address.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { CancelledError, ConnectionError, throwIfCancelled } from './kafkaError.ts';
import { orCancelled } from './waiting.ts';

export type PoolOptions = Omit<ConnectionOptions, 'address' | 'signal'>;

interface Opening {
  readonly connection: Promise<Connection>;
  readonly abort: AbortController;
}

/**
 * One connection an address and lane, opened on first use. A lane keeps long polls apart from requests
 * that must not wait behind them, as brokers answer each connection in order.
 */
export class ConnectionPool implements Disposable {
  readonly #options: PoolOptions;
  readonly #opening = new Map<string, Opening>();
  readonly #open = new Map<string, Connection>();
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** An open connection of the lane to any of `addresses`, if there is one. */
  openOne(addresses: readonly Address[], lane: string): Connection | undefined {
    for (const address of addresses) {
      const connection = this.#usable(keyOf(address, lane));
      if (connection) return connection;
    }
    return undefined;
  }

  /** Callers of one address and lane share the connection, and the wait for it. */
  get(address: Address, lane: string, signal?: AbortSignal): Promise<Connection> {
    // Nothing is opened for who has gone: the lane may be closed already.
    if (signal?.aborted) return Promise.reject(new CancelledError());
    const key = keyOf(address, lane);
    const open = this.#usable(key);
    if (open) return Promise.resolve(open);
    const { connection } = this.#opening.get(key) ?? this.#begin(address, key);
    return orCancelled(connection.catch(rethrowAsOwn), signal);
  }

  /** Ends the connections of a lane, those that are being opened too: nobody would close them later. */
  closeLane(lane: string): void {
    this.#close((key) => key.startsWith(`${lane} `));
  }

  dispose(): void {
    this.#isClosed = true;
    this.#close(() => true);
  }

  #usable(key: string): Connection | undefined {
    const connection = this.#open.get(key);
    if (connection?.isStale) connection.dispose();
    return connection?.isOpen ? connection : undefined;
  }

  #close(isMeant: (key: string) => boolean): void {
    for (const [key, { abort }] of this.#opening) {
      if (!isMeant(key)) continue;
      this.#opening.delete(key);
      abort.abort();
    }
    for (const [key, connection] of this.#open) {
      if (!isMeant(key)) continue;
      this.#open.delete(key);
      connection.dispose();
    }
  }

  #begin(address: Address, key: string): Opening {
    const abort = new AbortController();
    const connection = this.#connect(address, key, abort.signal).finally(() => {
      if (this.#opening.get(key) === opening) this.#opening.delete(key);
    });
    const opening = { connection, abort };
    this.#opening.set(key, opening);
    return opening;
  }

  async #connect(address: Address, key: string, signal: AbortSignal): Promise<Connection> {
    this.#throwIfClosed(address);
    try {
      const connection = await Connection.open({ ...this.#options, address, signal });
      if (signal.aborted) connection.dispose();
      throwIfCancelled(signal);
      this.#open.set(key, connection);
      connection.onDidClose(() => {
        if (this.#open.get(key) === connection) this.#open.delete(key);
      });
      return connection;
    } catch (error) {
      this.#throwIfClosed(address);
      throw error;
    }
  }

  #throwIfClosed(address: Address): void {
    if (!this.#isClosed) return;
    throw new ConnectionError(t('the client is closed'), { address: formatAddress(address) });
  }
}

/** Who gives up marks the error that he had: of those that wait along each has one of his own. [retrying] */
function rethrowAsOwn(error: unknown): never {
  if (!(error instanceof ConnectionError)) throw error;
  const { message, address, mayHaveBeenSent, cause } = error;
  throw new ConnectionError(message, { address, mayHaveBeenSent, cause });
}

function keyOf(address: Address, lane: string): string {
  return `${lane} ${formatAddress(address)}`;
}
