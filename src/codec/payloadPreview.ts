import { isUtf8 } from 'node:buffer';
import { cutWords, type PayloadPreview } from '../shared/contracts/common.ts';
import type { TailPayload } from '../shared/contracts/tailRows.ts';
import type { Decoded } from './decoded.ts';

/** Of one payload in a row; the whole of it is for the details. */
const defaultLimitBytes = 512;

/**
 * How a key, value or header value looks in a row: its first `limitBytes`, as text where all of it is
 * UTF-8, else as hex. Null, empty and text are three different things.
 */
export function previewPayload(
  payload: Uint8Array | null,
  limitBytes = defaultLimitBytes,
): PayloadPreview {
  if (payload === null) return { kind: 'null' };
  const size = payload.length;
  if (size === 0) return { kind: 'empty' };
  const truncated = size > limitBytes;
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, size);
  if (!isUtf8(bytes)) {
    return { kind: 'binary', hex: bytes.toString('hex', 0, limitBytes), size, truncated };
  }
  const end = truncated ? characterStart(bytes, limitBytes) : size;
  return { kind: 'text', text: bytes.toString('utf8', 0, end), size, truncated };
}

/** As `previewPayload`, but as a decoder has read it where one has. */
export function previewDecoded(
  payload: Buffer | null,
  decoded: Decoded | undefined,
  limit = defaultLimitBytes,
): TailPayload {
  if (!decoded || payload === null) return previewPayload(payload, limit);
  const size = payload.length;
  if ('problem' in decoded) {
    const hex = payload.toString('hex', 0, 32);
    return { kind: 'failed', problem: cutWords(decoded.problem), hex, size };
  }
  const truncated = decoded.text.length > limit;
  return { kind: 'decoded', text: decoded.text.slice(0, limit).toWellFormed(), size, truncated };
}

/** Where the character begins that the byte at `index` belongs to. */
function characterStart(bytes: Uint8Array, index: number): number {
  let start = index;
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}
