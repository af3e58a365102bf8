/** Connections of clients that call themselves the same. */
export interface ConnectedClientId {
  readonly clientId: string;
  readonly connections: number;
}

/** Whose connections are open: each connection by the client id of its latest request. */
export class OpenConnections {
  readonly #clientIds = new Map<AbortSignal, string>();

  /** `connection` aborts when it closes. */
  note(connection: AbortSignal, clientId: string): void {
    const noted = this.#clientIds.get(connection);
    if (noted === clientId || connection.aborted) return;
    this.#clientIds.set(connection, clientId);
    if (noted !== undefined) return;
    const drop = (): void => void this.#clientIds.delete(connection);
    connection.addEventListener('abort', drop, { once: true });
  }

  /** Of each open connection. */
  get clientIds(): Iterable<string> {
    return this.#clientIds.values();
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
