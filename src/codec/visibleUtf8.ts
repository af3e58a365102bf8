import { isUtf8 } from 'node:buffer';

/** Text in UTF-8, in which each byte that is not part of any character is written as `\xff`. */
export function visibleUtf8(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  for (let start = 0; start < bytes.length;) {
    const size = characterSize(bytes, start);
    text +=
      size === 0
        ? `\\x${bytes.toString('hex', start, start + 1)}`
        : bytes.toString('utf8', start, start + size);
    start += Math.max(1, size);
  }
  return text;
}

/** How many bytes the character at `start` takes; 0: there is none. */
function characterSize(bytes: Buffer, start: number): number {
  for (let size = 1; size <= 4 && start + size <= bytes.length; size++) {
    if (isUtf8(bytes.subarray(start, start + size))) return size;
  }
  return 0;
}
