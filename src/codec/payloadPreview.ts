import type { PayloadPreview } from '../shared/contracts/common.ts';

/** How a key, value or header value looks in a row: its first `limit` bytes, as text where it is UTF-8. */
export function previewPayload(_payload: Uint8Array | null, _limit = 200): PayloadPreview {
  throw new Error('not there yet');
}
