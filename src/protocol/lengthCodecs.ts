import type { Steps } from '../base/turns.ts';
import type { ByteReader } from './byteReader.ts';
import type { ByteWriter } from './byteWriter.ts';
import type { Codec } from './codec.ts';
import { ProtocolError } from './protocolError.ts';

/** How a length travels; reading gives a negative number for null. */
export interface LengthCodec {
  read(reader: ByteReader): number;
  write(writer: ByteWriter, length: number): void;
}

/** How the lengths of one field travel and whether null may. */
export interface LengthOptions {
  readonly flexible: boolean;
  readonly nullable: boolean;
}

export const shortLength: LengthCodec = {
  read: (reader) => reader.readInt16(),
  write: (writer, length) => writer.writeInt16(length),
};

export const longLength: LengthCodec = {
  read: (reader) => reader.readInt32(),
  write: (writer, length) => writer.writeInt32(length),
};

/** Length + 1, so that null is 0. [KIP-482] */
export const compactLength: LengthCodec = {
  read: (reader) => reader.readUnsignedVarint() - 1,
  write: (writer, length) => writer.writeUnsignedVarint(length + 1),
};

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
export function withLength<T>(lengths: LengthCodec, nullable: boolean, content: Content<T>): Codec {
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
