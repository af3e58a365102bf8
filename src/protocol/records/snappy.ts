/**
 * Snappy as Kafka's clients use it. Java frames it as its library does ("xerial": a header, then blocks with
 * their length in front); librdkafka and others send one raw block. We read both and write what Java writes.
 */
import { snappyCompress } from '@platformatic/wasm-utils/bundled';
import { BackReferenceOutput } from './backReferences.ts';
import { OutputTooLargeError } from './outputTooLarge.ts';

/** The mark, then version and lowest compatible version, both 1. [SnappyCodec of snappy-java] */
const xerialHeader = Buffer.from('82534e41505059000000000100000001', 'hex');
const xerialMark = xerialHeader.subarray(0, 8);
/** The block size of Java's stream. */
const xerialBlockSize = 32 * 1024;

export function compressSnappy(bytes: Uint8Array): Buffer {
  const parts: Buffer[] = [xerialHeader];
  for (let start = 0; start < bytes.length; start += xerialBlockSize) {
    const block = snappyCompress(Buffer.from(bytes.subarray(start, start + xerialBlockSize)));
    const length = Buffer.alloc(4);
    length.writeInt32BE(block.length);
    parts.push(length, block);
  }
  return Buffer.concat(parts);
}

/** Throws for damaged input, and an OutputTooLargeError where more than `maxBytes` would come out. */
export function decompressSnappy(bytes: Uint8Array, maxBytes: number): Buffer {
  const input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isFramed = input.subarray(0, xerialMark.length).equals(xerialMark);
  const blocks = isFramed ? xerialBlocks(input) : [input];
  const announced = blocks.map(announcedSize);
  const total = announced.reduce((sum, { size }) => sum + size, 0);
  if (total > maxBytes) throw new OutputTooLargeError(`snappy announces ${total} bytes`);
  const output = new BackReferenceOutput(total);
  let expected = 0;
  blocks.forEach((block, i) => {
    const { size, headerSize } = announced[i] ?? { size: 0, headerSize: 0 };
    expected += size;
    decompressBlock(block, headerSize, output);
    if (output.size !== expected) throw new Error('a block of another size than announced');
  });
  return output.bytes;
}

function xerialBlocks(input: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  let position = xerialHeader.length;
  while (position < input.length) {
    const size = input.readInt32BE(position);
    position += 4;
    if (size < 0 || size > input.length - position) throw new Error('a block runs past the end');
    blocks.push(input.subarray(position, position + size));
    position += size;
  }
  return blocks;
}

/** A block starts with its uncompressed size as a varint of at most 32 bits. */
function announcedSize(block: Buffer): { size: number; headerSize: number } {
  let size = 0;
  for (let i = 0; i < 5; i++) {
    const byte = block.readUInt8(i);
    size += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) {
      // Three bytes of copy make 64 of output at most, so no block grows by more than that.
      if (size > block.length * 64) throw new Error('more output announced than can come out');
      return { size, headerSize: i + 1 };
    }
  }
  throw new Error('the size of a block is longer than five bytes');
}

function decompressBlock(block: Buffer, start: number, output: BackReferenceOutput): void {
  let position = start;
  while (position < block.length) {
    const tag = block.readUInt8(position++);
    switch (tag & 3) {
      case 0: {
        const short = tag >>> 2;
        const extra = Math.max(0, short - 59);
        const length = (extra === 0 ? short : block.readUIntLE(position, extra)) + 1;
        position += extra;
        output.literal(block, position, length);
        position += length;
        break;
      }
      case 1:
        output.copy(((tag & 0xe0) << 3) | block.readUInt8(position++), ((tag >>> 2) & 7) + 4);
        break;
      case 2:
        output.copy(block.readUInt16LE(position), (tag >>> 2) + 1);
        position += 2;
        break;
      default:
        output.copy(block.readUInt32LE(position), (tag >>> 2) + 1);
        position += 4;
    }
  }
}
