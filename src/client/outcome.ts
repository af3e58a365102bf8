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

/**
 * Runs `work` over items, at most `limit` at a time, and keeps their order. After a failure nothing more is begun; once
 * what was under way has ended, it rejects with the first failure.
 */
export async function mapBounded<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, run));
  if (failures.length > 0) throw failures[0];
  return results;
}
