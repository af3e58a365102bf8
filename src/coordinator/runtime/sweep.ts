import { errorCodes } from '../../protocol/errors.ts';

/** Events that are under way together. */
const atOnce = 1000;

/**
 * Brings an event of its own to each of many, some at a time, so that no decision grows with their number. `write`
 * answers an error code; resolves with how many were not NONE.
 */
export async function sweep<T>(
  items: readonly T[],
  write: (item: T) => Promise<number>,
): Promise<number> {
  let count = 0;
  for (let start = 0; start < items.length; start += atOnce) {
    const results = await Promise.all(items.slice(start, start + atOnce).map(write));
    count += results.filter((errorCode) => errorCode !== errorCodes.NONE).length;
  }
  return count;
}
