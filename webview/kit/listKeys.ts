/** How the keyboard moves through a long list. */
import type { Rows } from './listPlace.ts';

/** The row that a key goes to from the one that is selected; undefined: the key does not move. */
export function rowFor(
  key: string,
  here: number | undefined,
  { first, end }: Rows,
  rowsInView: number,
): number | undefined {
  const page = Math.max(1, rowsInView - 1);
  const last = end - 1;
  const moves: Record<string, number | undefined> = {
    ArrowUp: (here ?? end) - 1,
    ArrowDown: here === undefined ? last : here + 1,
    PageUp: (here ?? last) - page,
    PageDown: (here ?? last) + page,
    Home: first,
    End: last,
  };
  const to = Object.hasOwn(moves, key) ? moves[key] : undefined;
  return to === undefined ? undefined : Math.min(Math.max(to, first), last);
}
