import fs from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, unlink, utimes } from 'node:fs/promises';
import { FileSystemError, type FileSystem, type OpenFile, type OpenMode } from './fileSystem.ts';

/**
 * The machine's file system. Positional reads and writes go through plain descriptors: on the write path a
 * `FileHandle` costs a third more per call.
 */
export const nodeFileSystem: FileSystem = {
  open: openFile,
  readFile: (path) => orUndefined(path, readFile(path)),
  async list(directory) {
    const entries = await wrapped(directory, readdir(directory, { withFileTypes: true }));
    return entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }));
  },
  async stat(path) {
    const found = await orUndefined(path, stat(path));
    return found && { sizeInBytes: found.size, modifiedMs: Math.floor(found.mtimeMs) };
  },
  setModified: (path, modifiedMs) =>
    wrapped(path, utimes(path, modifiedMs / 1000, modifiedMs / 1000)),
  async makeDirectory(path) {
    return (await wrapped(path, mkdir(path, { recursive: true }))) !== undefined;
  },
  rename: (from, to) => wrapped(from, rename(from, to)),
  async remove(path) {
    await orUndefined(path, unlink(path));
  },
  removeDirectory: (path) => wrapped(path, rm(path, { recursive: true, force: true })),
  async syncDirectory(path) {
    // Windows has no handle to a directory and makes names durable by itself.
    if (process.platform === 'win32') return;
    const file = await openFile(path, 'read');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  },
};

const openFlags: Record<OpenMode, number> = {
  read: fs.constants.O_RDONLY,
  readWrite: fs.constants.O_RDWR,
  create: fs.constants.O_RDWR | fs.constants.O_CREAT,
};

async function openFile(path: string, mode: OpenMode): Promise<OpenFile> {
  const descriptor = await new Promise<number>((resolve, reject) => {
    fs.open(path, openFlags[mode], 0o644, (error, opened) => {
      if (error) reject(asFileSystemError(path, error));
      else resolve(opened);
    });
  });
  return new NodeFile(path, descriptor);
}

class NodeFile implements OpenFile {
  readonly #path: string;
  readonly #descriptor: number;

  constructor(path: string, descriptor: number) {
    this.#path = path;
    this.#descriptor = descriptor;
  }

  read(into: Uint8Array, position: number): Promise<number> {
    return this.#call((done) =>
      fs.read(this.#descriptor, into, 0, into.length, position, (error, bytes) =>
        done(error, bytes),
      ),
    );
  }

  write(buffers: readonly Uint8Array[], position: number): Promise<number> {
    const [only] = buffers;
    return this.#call((done) => {
      if (only !== undefined && buffers.length === 1)
        fs.write(this.#descriptor, only, 0, only.length, position, (error, bytes) =>
          done(error, bytes),
        );
      else fs.writev(this.#descriptor, buffers, position, (error, bytes) => done(error, bytes));
    });
  }

  truncate(sizeInBytes: number): Promise<void> {
    return this.#call((done) => fs.ftruncate(this.#descriptor, sizeInBytes, done));
  }

  size(): Promise<number> {
    return this.#call((done) =>
      fs.fstat(this.#descriptor, (error, stats) => done(error, error ? 0 : stats.size)),
    );
  }

  sync(): Promise<void> {
    return this.#call((done) => fs.fdatasync(this.#descriptor, done));
  }

  close(): Promise<void> {
    return this.#call((done) => fs.close(this.#descriptor, done));
  }

  #call<T>(start: (done: (error: Error | null, value?: T) => void) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      start((error, value) => {
        if (error) reject(asFileSystemError(this.#path, error));
        else resolve(value as T);
      });
    });
  }
}

async function wrapped<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asFileSystemError(path, error);
  }
}

async function orUndefined<T>(path: string, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw asFileSystemError(path, error);
  }
}

function asFileSystemError(path: string, error: unknown): FileSystemError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new FileSystemError(code ?? 'EIO', path, message);
}
