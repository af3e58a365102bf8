import type { FileSystem, OpenFile } from './fileSystem.ts';

/**
 * Replaces a small file whole: readers, and a restart after a crash at any point, see the old or the new
 * bytes and never a mixture. Durable when it resolves.
 */
export async function replaceFile(
  fileSystem: FileSystem,
  path: string,
  contents: string | Uint8Array,
): Promise<void> {
  const temporary = `${path}.tmp`;
  const data = typeof contents === 'string' ? Buffer.from(contents, 'utf8') : contents;
  const file = await fileSystem.open(temporary, 'create');
  try {
    await file.truncate(0);
    await writeFully(file, [data], 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await fileSystem.rename(temporary, path);
  await fileSystem.syncDirectory(path.slice(0, path.lastIndexOf('/')));
}

/** Writes all of the buffers, however short the single writes are. */
export async function writeFully(
  file: OpenFile,
  buffers: readonly Uint8Array[],
  position: number,
): Promise<void> {
  let rest = buffers.filter((buffer) => buffer.length > 0);
  let at = position;
  while (rest.length > 0) {
    const written = await file.write(rest, at);
    if (written === 0) throw new Error('a write to the disk made no progress');
    at += written;
    rest = withoutPrefix(rest, written);
  }
}

/** Reads until `into` is full or the file ends; answers how many bytes that were. */
export async function readFully(
  file: OpenFile,
  into: Uint8Array,
  position: number,
): Promise<number> {
  let done = 0;
  while (done < into.length) {
    const read = await file.read(into.subarray(done), position + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}

function withoutPrefix(buffers: readonly Uint8Array[], length: number): Uint8Array[] {
  let skip = length;
  const rest: Uint8Array[] = [];
  for (const buffer of buffers) {
    if (skip >= buffer.length) skip -= buffer.length;
    else {
      rest.push(buffer.subarray(skip));
      skip = 0;
    }
  }
  return rest;
}
