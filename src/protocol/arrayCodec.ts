import type { Steps } from '../base/turns.ts';
import type { ByteReader } from './byteReader.ts';
import type { ByteWriter } from './byteWriter.ts';
import { asWriteError, type Codec, heapBytesOf } from './codec.ts';
import {
  compactLength,
  type LengthCodec,
  type LengthOptions,
  longLength,
  withLength,
} from './lengthCodecs.ts';
import { ProtocolError } from './protocolError.ts';

/** Structs between two pauses, counting those in them; and values that are no structs. */
const itemsAStep = 64;
const valuesAStep = 1024;

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
