/** Decoded bytes are views of a buffer that will be used again. */
export function copyOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
