/** CRC-32C (Castagnoli), bit-reversed. */
const polynomial = 0x82f63b78;
const blockBytes = 16;
/** From this size on, it pays to make a view of the memory in words. */
const wordsFromBytes = 64;

/** `tables[256 * n + byte]`: what a byte contributes n bytes later ("slicing by 16"). */
const tables = makeTables();

/**
 * The CRC-32C of `bytes`, from 0 to 2^32 - 1. `seed` is the result for the bytes before them, so that
 * pieces can be taken one by one. Works in 32-bit words in the machine's order, which is little-endian
 * wherever Node 24 runs as a desktop application.
 */
export function crc32c(bytes: Uint8Array, seed = 0): number {
  if (bytes.length < wordsFromBytes) return ~byBytes(bytes, 0, bytes.length, ~seed) >>> 0;
  const lead = -bytes.byteOffset & 3;
  const blocks = Math.floor((bytes.length - lead) / blockBytes);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + lead, blocks * 4);
  let crc = byBytes(bytes, 0, lead, ~seed);
  crc = byBlocks(words, crc);
  return ~byBytes(bytes, lead + blocks * blockBytes, bytes.length, crc) >>> 0;
}

function byBytes(bytes: Uint8Array, start: number, end: number, seed: number): number {
  let crc = seed;
  for (let index = start; index < end; index++) {
    crc = (crc >>> 8) ^ tableAt((crc ^ (bytes[index] ?? 0)) & 0xff);
  }
  return crc;
}

function byBlocks(words: Int32Array, seed: number): number {
  let crc = seed;
  for (let index = 0; index < words.length; index += 4) {
    crc =
      wordAt(12, crc ^ (words[index] ?? 0)) ^
      wordAt(8, words[index + 1] ?? 0) ^
      wordAt(4, words[index + 2] ?? 0) ^
      wordAt(0, words[index + 3] ?? 0);
  }
  return crc;
}

/** What a word contributes when `after` bytes follow it. */
function wordAt(after: number, word: number): number {
  const base = after * 256;
  return (
    tableAt(base + 768 + (word & 0xff)) ^
    tableAt(base + 512 + ((word >>> 8) & 0xff)) ^
    tableAt(base + 256 + ((word >>> 16) & 0xff)) ^
    tableAt(base + (word >>> 24))
  );
}

function tableAt(index: number): number {
  return tables[index] ?? 0;
}

function makeTables(): Int32Array {
  const made = new Int32Array(blockBytes * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? polynomial : 0);
    made[byte] = crc;
  }
  for (let index = 256; index < made.length; index++) {
    const before = made[index - 256] ?? 0;
    made[index] = (before >>> 8) ^ (made[before & 0xff] ?? 0);
  }
  return made;
}
