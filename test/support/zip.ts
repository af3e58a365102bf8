import { readFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;

/** The files in a zip or jar, by name, each unpacked when it is asked for. No zip64. */
export async function readZip(file: string): Promise<Map<string, () => Buffer>> {
  const zip = await readFile(file);
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== endOfDirectory) end--;
  if (end < 0) throw new Error(`${file} is not a zip`);
  const files = new Map<string, () => Buffer>();
  let position = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(position) !== directoryEntry) throw new Error(`${file} is damaged`);
    const nameLength = zip.readUInt16LE(position + 28);
    const name = zip.toString('utf8', position + 46, position + 46 + nameLength);
    const entry = position;
    files.set(name, () => unpack(zip, entry));
    position += 46 + nameLength + zip.readUInt16LE(position + 30) + zip.readUInt16LE(position + 32);
  }
  return files;
}

function unpack(zip: Buffer, entry: number): Buffer {
  const method = zip.readUInt16LE(entry + 10);
  const size = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const packed = zip.subarray(start, start + size);
  return method === 0 ? packed : inflateRawSync(packed);
}
