import { readFully, writeFully } from './atomicFile.ts';
import type { OpenFile } from './fileSystem.ts';

const chunkBytes = 1 << 20;

/**
 * Writes bytes of a file over themselves. Where a sync fails, Linux takes what it could not write for written: only
 * bytes that were written since are covered by the next sync.
 */
export async function writeAgain(
  file: OpenFile,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(0, to - from)));
  let position = from;
  while (position < to) {
    const length = await readFully(file, chunk.subarray(0, to - position), position);
    if (length === 0) throw new Error(`the file ends at ${position}, before ${to}`);
    await writeFully(file, [chunk.subarray(0, length)], position);
    position += length;
  }
}
