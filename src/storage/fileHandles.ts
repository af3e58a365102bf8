import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Deferred, deferred } from '../base/deferred.ts';
import type { FileSystem, OpenFile } from './fileSystem.ts';
import { sparingFileSystem } from './sparingFileSystem.ts';

interface Handle {
  readonly file: Promise<OpenFile>;
  users: number;
  /** Set while someone waits for the last user to leave. */
  idle?: Deferred<void>;
}

/** So many stay open however short the process is of handles. */
const leastCapacity = 4;

/**
 * The open files of a data directory: a bounded number, the least recently used closed first. Thousands of
 * partitions then need no more handles than are in use at once.
 */
export class FileHandles {
  /** For all other calls: where the process may have no more files open, idle ones are closed for them too. */
  readonly fileSystem: FileSystem;
  #capacity: number;
  /** In order of last use. */
  readonly #handles = new Map<string, Handle>();
  #makingRoom: Promise<void> | undefined;

  constructor(fileSystem: FileSystem, capacity: number) {
    this.fileSystem = sparingFileSystem(fileSystem, () => this.#makeRoom());
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#handles.size;
  }

  /** Calls `action` with the file open for reading and writing; it stays open at least that long. */
  async use<T>(path: string, action: (file: OpenFile) => Promise<T>): Promise<T> {
    const handle = this.#acquire(path);
    try {
      return await action(await handle.file);
    } finally {
      handle.users--;
      if (handle.users === 0) handle.idle?.resolve();
      void this.#closeSurplus();
    }
  }

  /** Closes the file, once nobody uses it, so that it can be renamed or removed on every platform. */
  async release(path: string): Promise<void> {
    const handle = this.#handles.get(path);
    if (handle === undefined) return;
    this.#handles.delete(path);
    if (handle.users > 0) {
      handle.idle = deferred();
      await handle.idle.promise;
    }
    await closeQuietly(handle);
  }

  async releaseAll(): Promise<void> {
    await Promise.all([...this.#handles.keys()].map((path) => this.release(path)));
  }

  #acquire(path: string): Handle {
    let handle = this.#handles.get(path);
    if (handle === undefined) {
      const file = this.fileSystem.open(path, 'readWrite');
      const opened: Handle = { file, users: 0 };
      file.catch(() => {
        if (this.#handles.get(path) === opened) this.#handles.delete(path);
      });
      handle = opened;
    } else this.#handles.delete(path);
    this.#handles.set(path, handle);
    handle.users++;
    return handle;
  }

  /** All that are short at the same time share the room that is made: a burst is one shortage. */
  #makeRoom(): Promise<void> {
    return (this.#makingRoom ??= this.#keepFewer().finally(() => (this.#makingRoom = undefined)));
  }

  /** From now on fewer stay open: sockets want handles as well. */
  async #keepFewer(): Promise<void> {
    this.#capacity = Math.min(this.#capacity, Math.max(leastCapacity, this.#handles.size >> 1));
    const closed = this.#closeSurplus();
    // Where all are in use, some are left soon.
    await (closed.length > 0 ? Promise.all(closed) : nextTurn());
  }

  #closeSurplus(): Promise<void>[] {
    const closed: Promise<void>[] = [];
    if (this.#handles.size <= this.#capacity) return closed;
    for (const [path, handle] of this.#handles) {
      if (handle.users > 0) continue;
      this.#handles.delete(path);
      closed.push(closeQuietly(handle));
      if (this.#handles.size <= this.#capacity) break;
    }
    return closed;
  }
}

/** What was written is with the operating system already; a failing close has nothing to add. */
async function closeQuietly(handle: Handle): Promise<void> {
  try {
    await (await handle.file).close();
  } catch {
    // The open failed, or the close did: either way there is no handle left.
  }
}
