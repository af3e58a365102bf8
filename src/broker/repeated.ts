/** What occurs more than once. In one pass: a request may name a million things. */
export function repeated<T>(values: Iterable<T>): ReadonlySet<T> {
  const seen = new Set<T>();
  const again = new Set<T>();
  for (const value of values) {
    if (seen.has(value)) again.add(value);
    else seen.add(value);
  }
  return again;
}
