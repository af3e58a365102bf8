import type { ByteReader } from './byteReader.ts';
import type { ByteWriter } from './byteWriter.ts';
import { ProtocolError } from './protocolError.ts';
import type { PrimitiveField } from './schema.ts';

/** Reads a value, and pauses between the parts of which it may have very many. */
export type ReadSteps = Generator<undefined, unknown, undefined>;

/** Reads and writes one value of one type in one version. */
export interface Codec {
  read(reader: ByteReader): unknown;
  /** The same in steps; only what holds an array of structs has them. */
  steps?(reader: ByteReader): ReadSteps;
  write(writer: ByteWriter, value: unknown): void;
}

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
): Codec {
  // The static type of a message is what vouches for `value`: see MessageInput.
  return { read, write: (writer, value) => write(writer, value as T) };
}

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
  ),
  uuid: codec(
    (reader) => reader.readUuid(),
    (writer, value) => writer.writeUuid(value),
  ),
} satisfies Partial<Record<PrimitiveField['type'], Codec>>;

/** Adds null, as a negative length, to the codec of what follows a length. */
function withLength<T>(
  lengths: LengthCodec,
  nullable: boolean,
  content: {
    read: (reader: ByteReader, length: number) => T;
    write: (writer: ByteWriter, value: T) => void;
  },
): Codec {
  return {
    read(reader) {
      const length = lengths.read(reader);
      if (length >= 0) return content.read(reader, length);
      if (nullable) return null;
      throw reader.error('null, where this version does not allow it');
    },
    write(writer, value) {
      if (value !== null) content.write(writer, value as T);
      else if (nullable) lengths.write(writer, -1);
      else throw new ProtocolError('null, where this version does not allow it');
    },
  };
}

function stringCodec({ flexible, nullable }: LengthOptions): Codec {
  const lengths = flexible ? compactLength : shortLength;
  return withLength<string>(lengths, nullable, {
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

/** An array of structs, which can be read in steps: one for each struct, and those that it has itself. */
export function structArrayCodec(item: Codec, options: LengthOptions): Codec {
  const lengths = options.flexible ? compactLength : longLength;
  const codec = arrayCodec(item, options);
  return {
    ...codec,
    *steps(reader) {
      const length = lengths.read(reader);
      if (length < 0) return nullItems(reader, options);
      reader.allowItems(length);
      const items: unknown[] = [];
      try {
        while (items.length < length) {
          items.push(item.steps ? yield* item.steps(reader) : item.read(reader));
          yield;
        }
      } catch (error) {
        throw error instanceof ProtocolError ? error.within(`[${items.length}]`) : error;
      }
      return items;
    },
  };
}

function nullItems(reader: ByteReader, { nullable }: LengthOptions): null {
  if (nullable) return null;
  throw reader.error('null, where this version does not allow it');
}

/** An array of `item`, of which no more are believed than `ByteReader.allowItems` says. */
export function arrayCodec(item: Codec, { flexible, nullable }: LengthOptions): Codec {
  const lengths = flexible ? compactLength : longLength;
  return withLength<readonly unknown[]>(lengths, nullable, {
    read(reader, length) {
      reader.allowItems(length);
      const items: unknown[] = [];
      try {
        while (items.length < length) items.push(item.read(reader));
      } catch (error) {
        throw error instanceof ProtocolError ? error.within(`[${items.length}]`) : error;
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
  });
}

/** Outside the tagged section a nullable struct starts with a byte, negative for null. [KIP-893] */
export function nullableStructCodec(struct: Codec): Codec {
  return {
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
