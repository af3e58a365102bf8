import type { PayloadInput } from '../shared/contracts/produce.ts';

/** The bytes of what a person typed, or why there are none. Null is a payload: Kafka's null. */
export type EncodedPayload = { readonly bytes: Uint8Array | null } | { readonly problem: string };

export function encodePayload(_input: PayloadInput): EncodedPayload {
  throw new Error('not there yet');
}
