import type { ByteReader } from './byteReader.ts';
import type { ByteWriter } from './byteWriter.ts';
import { type Codec, heapBytesOf } from './codec.ts';
import {
  compactLength,
  type LengthOptions,
  longLength,
  shortLength,
  withLength,
} from './lengthCodecs.ts';
import { ProtocolError } from './protocolError.ts';
import type { PrimitiveField } from './schema.ts';

function codec<T>(
  read: (reader: ByteReader) => T,
  write: (writer: ByteWriter, value: T) => void,
  heapBytes = 0,
): Codec {
  // The static type of a message is what vouches for `value`: see MessageInput.
  return { read, write: (writer, value) => write(writer, value as T), heapBytes };
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
