/** Connections of clients that call themselves the same. */
export interface ConnectedClientId {
  readonly clientId: string;
  readonly connections: number;
}

/** What a client calls itself on a connection, in its latest request. */
interface Called {
  readonly clientId: string | undefined;
}

/** Whose connections are open. */
export class OpenConnections {
  readonly #all = new Set<Called>();

  /** One with its first request; `signal` aborts when it closes. */
  add(connection: Called, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#all.add(connection);
    signal.addEventListener('abort', () => this.#all.delete(connection), { once: true });
  }

  /** Of each open connection. */
  get clientIds(): string[] {
    return Array.from(this.#all, ({ clientId = '' }) => clientId);
  }
}

/** Those with the most connections first. */
export function countedById(clientIds: Iterable<string>): ConnectedClientId[] {
  const counts = new Map<string, number>();
  for (const clientId of clientIds) counts.set(clientId, (counts.get(clientId) ?? 0) + 1);
  return [...counts]
    .map(([clientId, connections]) => ({ clientId, connections }))
    .sort((a, b) => b.connections - a.connections || (a.clientId < b.clientId ? -1 : 1));
}
