import { type EncodedPayload, encodePayload } from '../../codec/payloadInput.ts';
import type { PayloadInput } from '../../shared/contracts/produce.ts';

/** A payload that is kept is looked at whenever a field beside it changes. */
const encodedBefore = new WeakMap<PayloadInput, EncodedPayload>();

/** The bytes of a payload, encoded once. */
export function payloadBytes(input: PayloadInput): EncodedPayload {
  const before = encodedBefore.get(input);
  if (before) return before;
  const encoded = encodePayload(input);
  encodedBefore.set(input, encoded);
  return encoded;
}
