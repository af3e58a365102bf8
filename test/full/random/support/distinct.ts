/** What `one` gives in so many calls, each of it once. */
export const distinct = <T>(count: number, one: () => T): T[] => [
  ...new Set(Array.from({ length: count }, one)),
];
