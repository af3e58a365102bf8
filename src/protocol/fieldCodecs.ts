import type { Steps } from '../base/turns.ts';
import type { ByteReader } from './byteReader.ts';
import type { ByteWriter } from './byteWriter.ts';
import { ProtocolError } from './protocolError.ts';
import type { PrimitiveField } from './schema.ts';

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

/** Structs between two pauses, counting those in them; and values that are no structs. */
const itemsAStep = 64;
const valuesAStep = 1024;

/** How a length travels; reading gives a negative number for null. */
interface LengthCodec {
  read(reader: ByteReader): number;
  write(writer: ByteWriter, length: number): void;
}

/** How the lengths of one field travel and whether null may. */
interface LengthOptions {
  readonly flexible: boolean;
  readonly nullable: boolean;
}

const shortLength: LengthCodec = {
  read: (reader) => reader.readInt16(),
  write: (writer, length) => writer.writeInt16(length),
};

const longLength: LengthCodec = {
  read: (reader) => reader.readInt32(),
  write: (writer, length) => writer.writeInt32(length),
};

/** Length + 1, so that null is 0. [KIP-482] */
const compactLength: LengthCodec = {
  read: (reader) => reader.readUnsignedVarint() - 1,
  write: (writer, length) => writer.writeUnsignedVarint(length + 1),
};

function codec<T>(
  read: (reader: ByteReader) => T,
  write: (writer: ByteWriter, value: T) => void,
  heapBytes = 0,
): Codec {
  // The static type of a message is what vouches for `value`: see MessageInput.
  return { read, write: (writer, value) => write(writer, value as T), heapBytes };
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

const fixedSize = {
  bool: codec(
    (reader) => reader.readBoolean(),
    (writer, value) => writer.writeBoolean(value),
  ),
  int8: codec(
    (reader) => reader.readInt8(),
    (writer, value) => writer.writeInt8(value),
  ),
  int16: codec(
    (reader) => reader.readInt16(),
    (writer, value) => writer.writeInt16(value),
  ),
  int32: codec(
    (reader) => reader.readInt32(),
    (writer, value) => writer.writeInt32(value),
  ),
  int64: codec(
    (reader) => reader.readInt64(),
    (writer, value) => writer.writeInt64(value),
    heapBytesOf.bigint,
  ),
  uint16: codec(
    (reader) => reader.readUint16(),
    (writer, value) => writer.writeUint16(value),
  ),
  uint32: codec(
    (reader) => reader.readUint32(),
    (writer, value) => writer.writeUint32(value),
  ),
  float64: codec(
    (reader) => reader.readFloat64(),
    (writer, value) => writer.writeFloat64(value),
    heapBytesOf.number,
  ),
  uuid: codec(
    (reader) => reader.readUuid(),
    (writer, value) => writer.writeUuid(value),
    heapBytesOf.uuid,
  ),
} satisfies Partial<Record<PrimitiveField['type'], Codec>>;

/** What follows a length. */
interface Content<T> {
  readonly heapBytes: number;
  read(reader: ByteReader, length: number): T;
  write(writer: ByteWriter, value: T): void;
  readonly inSteps?: {
    read(reader: ByteReader, length: number): Steps<T>;
    write(writer: ByteWriter, value: T): Steps<void>;
    itemsIn(value: T): number;
  };
}

/** Adds null, as a negative length, to the codec of what follows a length. */
function withLength<T>(lengths: LengthCodec, nullable: boolean, content: Content<T>): Codec {
  const readNull = (reader: ByteReader): null => {
    if (nullable) return null;
    throw reader.error('null, where this version does not allow it');
  };
  const writeNull = (writer: ByteWriter): void => {
    if (!nullable) throw new ProtocolError('null, where this version does not allow it');
    lengths.write(writer, -1);
  };
  const { inSteps, heapBytes } = content;
  return {
    heapBytes,
    read(reader) {
      const length = lengths.read(reader);
      return length < 0 ? readNull(reader) : content.read(reader, length);
    },
    write(writer, value) {
      if (value === null) writeNull(writer);
      else content.write(writer, value as T);
    },
    ...(inSteps && {
      inSteps: {
        *read(reader) {
          const length = lengths.read(reader);
          return length < 0 ? readNull(reader) : yield* inSteps.read(reader, length);
        },
        *write(writer, value) {
          if (value === null) writeNull(writer);
          else yield* inSteps.write(writer, value as T);
        },
        itemsIn: (value) => (value === null ? 0 : inSteps.itemsIn(value as T)),
      },
    }),
  };
}

function stringCodec({ flexible, nullable }: LengthOptions): Codec {
  const lengths = flexible ? compactLength : shortLength;
  return withLength<string>(lengths, nullable, {
    heapBytes: heapBytesOf.string,
    read: (reader, length) => reader.readString(length),
    write(writer, value) {
      const length = Buffer.byteLength(value);
      if (length > 32767) throw new ProtocolError(`a string of ${length} bytes is too long`);
      lengths.write(writer, length);
      writer.writeString(value, length);
    },
  });
}

function bytesCodec({ flexible, nullable }: LengthOptions): Codec {
  const lengths = flexible ? compactLength : longLength;
  return withLength<Uint8Array>(lengths, nullable, {
    heapBytes: heapBytesOf.bytes,
    read: (reader, length) => reader.readBytes(length),
    write(writer, value) {
      lengths.write(writer, value.length);
      writer.writeBytes(value);
    },
  });
}

/** The codec of everything that is not made of other fields. */
export function primitiveCodec(type: PrimitiveField['type'], options: LengthOptions): Codec {
  if (type === 'string') return stringCodec(options);
  if (type === 'bytes' || type === 'records') return bytesCodec(options);
  return fixedSize[type];
}

function heapBytesOfItems(item: Codec, count: number): number {
  return count === 0 ? 0 : count * (item.heapBytes + heapBytesOf.pointer) + heapBytesOf.firstItem;
}

/** An array of `item`, of which no more are believed than `ByteReader.allowItems` says. */
export function arrayCodec(item: Codec, { flexible, nullable }: LengthOptions): Codec {
  const lengths = flexible ? compactLength : longLength;
  return withLength<readonly unknown[]>(lengths, nullable, {
    heapBytes: heapBytesOf.array,
    read(reader, length) {
      reader.allowItems(length, heapBytesOfItems(item, length));
      const items: unknown[] = [];
      try {
        while (items.length < length) items.push(item.read(reader));
      } catch (error) {
        throw atItem(error, items.length);
      }
      return items;
    },
    write(writer, value) {
      lengths.write(writer, value.length);
      let index = 0;
      try {
        for (; index < value.length; index++) item.write(writer, value[index]);
      } catch (error) {
        throw asWriteError(error).within(`[${index}]`);
      }
    },
    inSteps: arrayInSteps(item, lengths),
  });
}

/** What is short is read and written in one go: a step for each little thing would cost more than the thing. */
function arrayInSteps(item: Codec, lengths: LengthCodec) {
  const { inSteps } = item;
  const readItem = (reader: ByteReader): unknown => item.read(reader);
  const itemsAtOnce = item.isStruct ? itemsAStep : valuesAStep;
  return {
    *read(reader: ByteReader, length: number): Steps<readonly unknown[]> {
      reader.allowItems(length, heapBytesOfItems(item, length));
      const items: unknown[] = [];
      let nextPause = reader.itemsRead + itemsAtOnce;
      try {
        while (items.length < length) {
          const short = inSteps && reader.readIfShort(itemsAStep, readItem);
          if (short !== undefined) items.push(short);
          else items.push(inSteps ? yield* inSteps.read(reader) : item.read(reader));
          if (items.length + reader.itemsRead < nextPause) continue;
          nextPause = items.length + reader.itemsRead + itemsAtOnce;
          yield;
        }
      } catch (error) {
        throw atItem(error, items.length);
      }
      return items;
    },
    *write(writer: ByteWriter, value: readonly unknown[]): Steps<void> {
      lengths.write(writer, value.length);
      let written = 0;
      let index = 0;
      try {
        for (; index < value.length; index++) {
          const inside = inSteps?.itemsIn(value[index]) ?? 0;
          if (inSteps && inside > itemsAStep) yield* inSteps.write(writer, value[index]);
          else item.write(writer, value[index]);
          written += 1 + inside;
          if (written < itemsAtOnce) continue;
          written = 0;
          yield;
        }
      } catch (error) {
        throw asWriteError(error).within(`[${index}]`);
      }
    },
    itemsIn: (value: readonly unknown[]): number =>
      inSteps
        ? value.reduce<number>((sum, each) => sum + inSteps.itemsIn(each), value.length)
        : value.length,
  };
}

function atItem(error: unknown, index: number): unknown {
  return error instanceof ProtocolError ? error.within(`[${index}]`) : error;
}

/** Outside the tagged section a nullable struct starts with a byte, negative for null. [KIP-893] */
export function nullableStructCodec(struct: Codec): Codec {
  return {
    heapBytes: struct.heapBytes,
    read: (reader) => (reader.readInt8() < 0 ? null : struct.read(reader)),
    write(writer, value) {
      writer.writeInt8(value === null ? -1 : 1);
      if (value !== null) struct.write(writer, value);
    },
  };
}

/** In the tagged section it starts with a varint, 0 for null. */
export function taggedNullableStructCodec(struct: Codec): Codec {
  return {
    heapBytes: struct.heapBytes,
    read: (reader) => (reader.readUnsignedVarint() === 0 ? null : struct.read(reader)),
    write(writer, value) {
      writer.writeUnsignedVarint(value === null ? 0 : 1);
      if (value !== null) struct.write(writer, value);
    },
  };
}

/** A value of the wrong type or range shows up as Node's own error; this gives it our class. */
export function asWriteError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ProtocolError(reason, { cause: error });
}
