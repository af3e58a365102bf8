import { ByteReader } from '../byteReader.ts';
import { ByteWriter } from '../byteWriter.ts';
import { decodeMessage, writeMessage } from '../messageCodec.ts';
import type { Message, MessageInput, MessageSchema } from '../schema.ts';
import {
  groupMetadataKey,
  groupMetadataValue,
  offsetCommitKey,
  offsetCommitValue,
} from './offsetRecords.ts';

/**
 * One kind of record in a coordinator's topic. The key starts with the kind's id and has one version,
 * 0; the value starts with its own version (`encodeVersioned`). [CoordinatorRecordSerde]
 */
export interface CoordinatorRecordType {
  readonly id: number;
  /** An older id for the same key, still read. */
  readonly legacyId?: number;
  readonly key: MessageSchema;
  readonly value: MessageSchema;
}

/** The records of `__consumer_offsets`. [CoordinatorRecordType in group-coordinator] */
export const groupRecordTypes = {
  offsetCommit: { id: 1, legacyId: 0, key: offsetCommitKey, value: offsetCommitValue },
  groupMetadata: { id: 2, key: groupMetadataKey, value: groupMetadataValue },
} as const satisfies Record<string, CoordinatorRecordType>;

export function encodeRecordKey<T extends CoordinatorRecordType>(
  type: T,
  key: MessageInput<T['key']>,
): Buffer {
  const writer = new ByteWriter();
  writer.writeInt16(type.id);
  writeMessage(writer, type.key, 0, key);
  return writer.takeBuffer();
}

type DecodedKey<T extends Record<string, CoordinatorRecordType>> = {
  [K in keyof T]: { readonly kind: K; readonly key: Message<T[K]['key']> };
}[keyof T];

/** The key and its kind, or undefined for a kind that `types` does not have. */
export function decodeRecordKey<T extends Record<string, CoordinatorRecordType>>(
  types: T,
  bytes: Uint8Array,
): DecodedKey<T> | undefined {
  const reader = new ByteReader(bytes);
  const id = reader.readInt16();
  for (const [kind, type] of Object.entries(types)) {
    if (type.id !== id && type.legacyId !== id) continue;
    // Kind and schema come from one entry of the table, which is what the type says.
    return { kind, key: decodeMessage(type.key, 0, reader) };
  }
  return undefined;
}
