/** That are named. */
const few = 3;

/** Names in one line of a log: the first few, and how many more there are. */
export function firstFew(names: readonly string[]): string {
  const more = names.length - few;
  const named = names.slice(0, few).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}
