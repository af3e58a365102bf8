/** LZ4 in its frame format, which is what Kafka's batches of magic 2 hold. [Lz4BlockOutputStream, KIP-57] */
import { lz4Compress } from '@platformatic/wasm-utils/bundled';
import { BackReferenceOutput } from './backReferences.ts';
import { OutputTooLargeError } from './outputTooLarge.ts';

const frameMagic = 0x184d2204;
const uncompressedBit = 0x80000000;

interface Frame {
  readonly maxBlockSize: number;
  readonly hasBlockChecksums: boolean;
  /** Where the first block starts. */
  readonly start: number;
}

interface Block {
  readonly bytes: Buffer;
  readonly isCompressed: boolean;
}

/** A frame of independent blocks: Java's reader refuses dependent ones. */
export function compressLz4(bytes: Uint8Array): Buffer {
  return lz4Compress(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}

/**
 * Reads one frame; what follows it is left alone, as Java does. Throws for damaged input, and an
 * OutputTooLargeError where more than `maxBytes` would come out. Checksums are left to the batch's CRC.
 */
export function decompressLz4(bytes: Uint8Array, maxBytes: number): Buffer {
  const steps = lz4Steps(bytes, maxBytes);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same, one block of the frame after the other. */
export function* lz4Steps(
  bytes: Uint8Array,
  maxBytes: number,
): Generator<undefined, Buffer, undefined> {
  const input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const frame = readFrameHeader(input);
  const blocks = frameBlocks(input, frame);
  const sizes = blocks.map(blockSize);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total > maxBytes) throw new OutputTooLargeError(`lz4 holds ${total} bytes`);
  const output = new BackReferenceOutput(total);
  for (const [i, block] of blocks.entries()) {
    if ((sizes[i] ?? 0) > frame.maxBlockSize)
      throw new Error('a block larger than its frame allows');
    if (block.isCompressed) walkSequences(block.bytes, output);
    else output.literal(block.bytes, 0, block.bytes.length);
    yield;
  }
  return output.bytes;
}

function readFrameHeader(input: Buffer): Frame {
  if (input.readUInt32LE(0) !== frameMagic) throw new Error('not an LZ4 frame');
  const flags = input.readUInt8(4);
  if (flags >>> 6 !== 1) throw new Error(`LZ4 frame version ${flags >>> 6}`);
  const sizeCode = (input.readUInt8(5) >>> 4) & 7;
  if (sizeCode < 4) throw new Error(`LZ4 block size code ${sizeCode}`);
  const contentSize = (flags & 8) === 0 ? 0 : 8;
  const dictionary = (flags & 1) === 0 ? 0 : 4;
  return {
    maxBlockSize: 1 << (8 + 2 * sizeCode),
    hasBlockChecksums: (flags & 16) !== 0,
    start: 7 + contentSize + dictionary,
  };
}

function frameBlocks(input: Buffer, { start, hasBlockChecksums }: Frame): Block[] {
  const blocks: Block[] = [];
  let position = start;
  for (;;) {
    const word = input.readUInt32LE(position);
    position += 4;
    if (word === 0) return blocks;
    const size = word % uncompressedBit;
    if (size > input.length - position) throw new Error('a block runs past the end');
    const bytes = input.subarray(position, position + size);
    blocks.push({ bytes, isCompressed: word < uncompressedBit });
    position += size + (hasBlockChecksums ? 4 : 0);
  }
}

/** Size of a block's output, found by reading its lengths alone: nothing is taken before it is known. */
function blockSize({ bytes, isCompressed }: Block): number {
  if (!isCompressed) return bytes.length;
  let size = 0;
  walkSequences(bytes, {
    literal: (_source, _start, length) => (size += length),
    copy: (_distance, length) => (size += length),
  });
  return size;
}

interface SequenceSink {
  literal(source: Uint8Array, start: number, length: number): void;
  copy(distance: number, length: number): void;
}

/** The sequences of a block: literals, then a copy, until literals end it. */
function walkSequences(block: Buffer, sink: SequenceSink): void {
  let position = 0;
  const longLength = (short: number): number => {
    let length = short;
    if (short === 15) {
      let byte: number;
      do length += byte = block.readUInt8(position++);
      while (byte === 255);
    }
    return length;
  };
  while (position < block.length) {
    const token = block.readUInt8(position++);
    const literals = longLength(token >>> 4);
    if (literals > block.length - position) throw new Error('a literal runs past the end');
    sink.literal(block, position, literals);
    position += literals;
    if (position === block.length) return;
    const distance = block.readUInt16LE(position);
    position += 2;
    sink.copy(distance, longLength(token & 15) + 4);
  }
}
