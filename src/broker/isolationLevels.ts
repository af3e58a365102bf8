/** What a consumer wants to see of transactions. [IsolationLevel] */
export const isolationLevels = { readUncommitted: 0, readCommitted: 1 } as const;

/** Kafka fails over one that does not exist. */
export function isIsolationLevel(id: number): boolean {
  return Object.values<number>(isolationLevels).includes(id);
}
