/** How Java's decoder begins a surrogate: what UTF-8 forbids, and some clients send all the same. */
const beforeSurrogate = 0xed;
const replacement = '\ufffd';

/**
 * Text of UTF-8 as Java reads it: what is none becomes U+FFFD. Node does the same but for surrogates, which Java
 * replaces as a whole, Node byte by byte. [java.lang.String.decodeUTF8_UTF16]
 */
export function decodeUtf8(bytes: Buffer, start = 0, end = bytes.length): string {
  const text = bytes.toString('utf8', start, end);
  return text.includes(replacement) ? replaced(bytes.subarray(start, end)) : text;
}

function replaced(bytes: Buffer): string {
  let text = '';
  let from = 0;
  for (
    let at = bytes.indexOf(beforeSurrogate);
    at !== -1;
    at = bytes.indexOf(beforeSurrogate, at)
  ) {
    const length = surrogateLength(bytes, at);
    if (length > 0) {
      text += bytes.toString('utf8', from, at) + replacement;
      from = at + length;
    }
    at += Math.max(1, length);
  }
  return text + bytes.toString('utf8', from);
}

/** 0: what begins here is none. */
function surrogateLength(bytes: Buffer, at: number): number {
  const [, second = 0, third = 0] = bytes.subarray(at, at + 3);
  if (second < 0xa0 || second > 0xbf) return 0;
  return (third & 0xc0) === 0x80 ? 3 : 2;
}
