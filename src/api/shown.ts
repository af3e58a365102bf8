import { inspect } from 'node:util';

const longest = 80;

/** A value that somebody passed, as they would write it and no longer than fits in a message. */
export function shown(value: unknown): string {
  const text = inspect(value, { depth: 1, breakLength: Infinity, maxArrayLength: 8 });
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
}
