/** What a decoder makes of bytes: text, JSON or not; or why it cannot. */
export type Decoded =
  | { readonly text: string; readonly isJson: boolean; readonly note?: string }
  | { readonly problem: string };

/** Reads payloads of one kind. Never throws: what cannot be read is a problem to show with the bytes. */
export type PayloadDecoder = (bytes: Buffer) => Decoded;

export const schemaBytesMax = 1_000_000;
/** Larger payloads are not read by a schema: a byte may become an object, and all tails share one heap. */
export const payloadBytesMax = 8 * 1024 * 1024;
/** As many items of collections, or fields of messages, are read of one payload. */
export const itemsMax = 1_000_000;
