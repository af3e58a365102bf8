/** Bytes as people read them. */

export function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text that `bytes` spell in UTF-8; undefined where they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case digits without spaces, as tools take them. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => HEX[byte]).join('');
}

/** Lines of 16 bytes, or of 8 where there is little room: position, digits, and the characters of ASCII. */
export function hexDump(bytes: Uint8Array, perLine: 8 | 16 = 16): string {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += perLine) {
    const row = [...bytes.subarray(start, start + perLine)];
    const left = row.slice(0, 8).map((byte) => HEX[byte]);
    const right = row.slice(8).map((byte) => HEX[byte]);
    const ascii = row.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '·'));
    const digits = `${left.join(' ')}  ${right.join(' ')}`.trimEnd().padEnd(perLine * 3);
    lines.push(`${start.toString(16).padStart(8, '0')}  ${digits}  ${ascii.join('')}`);
  }
  return lines.join('\n');
}
