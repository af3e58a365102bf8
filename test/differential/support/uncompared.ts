/**
 * Differences that were found by random requests on both brokers and have no scenario yet, for the page: nothing fails
 * when one of them goes away.
 */
export const uncompared: readonly string[] = [];
