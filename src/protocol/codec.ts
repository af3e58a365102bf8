import type { Steps } from '../base/turns.ts';
import type { ByteReader } from './byteReader.ts';
import type { ByteWriter } from './byteWriter.ts';
import { ProtocolError } from './protocolError.ts';

/** Reads and writes one value of one type in one version. */
export interface Codec {
  read(reader: ByteReader): unknown;
  write(writer: ByteWriter, value: unknown): void;
  /** What one value takes in memory beside the place for it, by estimate; without the items of lists. */
  readonly heapBytes: number;
  /** The same with pauses, for what can be long. */
  readonly inSteps?: StepsCodec;
  readonly isStruct?: true;
}

interface StepsCodec {
  read(reader: ByteReader): Steps<unknown>;
  write(writer: ByteWriter, value: unknown): Steps<void>;
  /** How many items are in a value's lists. */
  itemsIn(value: unknown): number;
}

/** As V8 lays them out on a machine of 64 bits; a view of bytes has its buffer's share. */
export const heapBytesOf = {
  pointer: 8,
  bigint: 24,
  number: 16,
  string: 24,
  uuid: 40,
  bytes: 120,
  object: 24,
  array: 32,
  /** The first item that is pushed makes room for 17. */
  firstItem: 16 + 17 * 8,
} as const;

/** A value of the wrong type or range shows up as Node's own error; this gives it our class. */
export function asWriteError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ProtocolError(reason, { cause: error });
}
