/**
 * The file system as storage needs it. `nodeFileSystem.ts` is the real one; tests have one in memory
 * that fails, writes short and loses what was not synced. Paths use `/` on every platform.
 * Every call rejects with a `FileSystemError`.
 */
export interface FileSystem {
  /**
   * Opens a file for positional reads, and for writes unless `mode` is `read`. `create` makes a missing
   * file; the other modes reject with ENOENT.
   */
  open(path: string, mode: OpenMode): Promise<OpenFile>;
  /** The whole file, or undefined where there is none. Meant for small files. */
  readFile(path: string): Promise<Buffer | undefined>;
  /** The names in a directory, in no particular order. ENOENT where there is none. */
  list(directory: string): Promise<DirectoryEntry[]>;
  /** Undefined where there is no such file. */
  stat(path: string): Promise<FileStatus | undefined>;
  /** Says when a file's contents last changed, in milliseconds since the epoch. */
  setModified(path: string, modifiedMs: number): Promise<void>;
  /** Makes the directory and its parents; answers whether it was not there. */
  makeDirectory(path: string): Promise<boolean>;
  /** Moves a file or directory, atomically, over a file that is already there. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file; no error where there is none. */
  remove(path: string): Promise<void>;
  /** Removes a directory and all that is in it; no error where there is none. */
  removeDirectory(path: string): Promise<void>;
  /** Makes renames, creations and removals in the directory durable, where the platform can. */
  syncDirectory(path: string): Promise<void>;
}

export type OpenMode = 'read' | 'readWrite' | 'create';

export interface FileStatus {
  readonly sizeInBytes: number;
  /** When the contents last changed, in milliseconds since the epoch. */
  readonly modifiedMs: number;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly isDirectory: boolean;
}

/** An open file. Reads and writes are positional; nothing here has a cursor. */
export interface OpenFile {
  /** Reads up to `into.length` bytes from `position`; answers how many, 0 at the end. May be short. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** Writes the buffers one after another from `position`; answers how many bytes. May be short. */
  write(buffers: readonly Uint8Array[], position: number): Promise<number>;
  truncate(sizeInBytes: number): Promise<void>;
  size(): Promise<number>;
  /** Makes what was written durable (fdatasync). */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Whether a call failed because what it is about is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof FileSystemError && error.code === 'ENOENT';
}

/** Whether a call failed because the disk, or what the user may have of it, is full. */
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof FileSystemError && ['ENOSPC', 'EDQUOT'].includes(error.code);
}

/** What any file system call rejects with. */
export class FileSystemError extends Error {
  override name = 'FileSystemError';
  /** `ENOSPC`, `EACCES`, ... as Node names them. */
  readonly code: string;
  readonly path: string;

  constructor(code: string, path: string, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}
