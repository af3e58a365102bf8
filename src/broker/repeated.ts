import { inOneGo, type Steps } from '../base/turns.ts';

/** What occurs more than once, of few. */
export function repeated<T>(values: Iterable<T>): ReadonlySet<T> {
  return inOneGo(repeatedInSteps(values));
}

/** What occurs more than once. In one pass: a request may name a million things. */
export function* repeatedInSteps<T>(values: Iterable<T>): Steps<ReadonlySet<T>> {
  const seen = new Set<T>();
  const again = new Set<T>();
  for (const value of values) {
    if (seen.has(value)) again.add(value);
    else seen.add(value);
    yield;
  }
  return again;
}
