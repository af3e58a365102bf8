/** Runs `work` on each item, at most `limit` at a time; rejects with the first failure once all have ended. */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = [...items].values();
  const failures: unknown[] = [];
  const runOne = async (): Promise<void> => {
    for (const item of rest) {
      try {
        await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, runOne));
  if (failures.length > 0) throw failures[0];
}
