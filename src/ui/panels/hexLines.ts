const lineBytes = 16;
const mostLines = 4096;

/**
 * Bytes as lines of digits and the characters of ASCII, without positions: a byte put in moves only what follows it.
 */
export function hexLines(bytes: Uint8Array): string[] {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length && lines.length < mostLines; start += lineBytes) {
    const line = Buffer.from(bytes.subarray(start, start + lineBytes));
    const digits = line.toString('hex').replace(/..(?=.)/g, '$& ');
    const letters = line.toString('latin1').replace(/[^\x20-\x7e]/g, '·');
    lines.push(`${digits.padEnd(lineBytes * 3)} ${letters}`);
  }
  return lines;
}
