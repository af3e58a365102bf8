/** One of many answers: what one partition or group failed at must not hide the others. */
export type Outcome<T> = { readonly value: T } | { readonly error: Error };

/** The value, or throws its error. */
export function valueOf<T>(outcome: Outcome<T>): T {
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

/** A list in parts of at most so many. */
export function chunked<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let first = 0; first < items.length; first += size) {
    parts.push(items.slice(first, first + size));
  }
  return parts;
}

/** Runs `work` over items, at most `limit` at a time, and keeps their order. Rejects with the first failure. */
export async function mapBounded<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const run = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await work(items[index] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, run));
  return results;
}
