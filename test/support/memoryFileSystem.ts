import { type Random, seededRandom } from '../../src/base/random.ts';
import {
  type DirectoryEntry,
  type FileStatus,
  type FileSystem,
  FileSystemError,
  type OpenFile,
  type OpenMode,
} from '../../src/storage/fileSystem.ts';

type Operation = 'open' | 'read' | 'write' | 'sync' | 'truncate' | 'rename' | 'remove';

interface Fault {
  readonly operation: Operation;
  readonly path: RegExp;
  readonly code: string;
  /** For writes: bytes that still get through before the failure. */
  readonly afterBytes: number;
  times: number;
}

export interface MemoryFileSystemOptions {
  readonly random?: Random;
  /** Bytes of all files together, after which writes fail with ENOSPC. */
  readonly capacityBytes?: number;
  /** Files that may be open at the same time; more are refused with EMFILE. */
  readonly maxOpenFiles?: number;
  /** As on Windows: an open file can be neither renamed nor removed. */
  readonly refusesOpenFiles?: boolean;
  /** As on Windows and macOS: names that differ in case only are the same. */
  readonly foldsCase?: boolean;
  /** What `stat` answers as the time of the last change. */
  readonly nowMs?: () => number;
  /** Every write may stop anywhere, as POSIX allows. */
  readonly shortWrites?: boolean;
}

const pageSize = 4096;

/**
 * A file system in memory that can fail and crash. After `kill()` (the process dies) every completed write
 * is there, and of one in flight some prefix. After `powerCut()` only what was synced is sure: of the rest,
 * each page may have arrived or not, and the file may end anywhere past its synced part. Names are journaled
 * and survive. A sync that fails forgets what it was to write, as Linux does: the next one covers only pages that were
 * written to since. Both leave open files unusable; the same object then serves as the machine after its restart.
 */
export class MemoryFileSystem implements FileSystem {
  capacityBytes: number;
  /** How often each operation ran. */
  readonly counts: Record<Operation, number> = {
    open: 0,
    read: 0,
    write: 0,
    sync: 0,
    truncate: 0,
    rename: 0,
    remove: 0,
  };
  readonly options: MemoryFileSystemOptions;
  readonly #random: Random;
  readonly #files = new Map<string, MemoryFile>();
  readonly #directories = new Set<string>(['/']);
  readonly #inFlight = new Set<PendingWrite>();
  readonly #faults: Fault[] = [];
  #generation = 0;

  constructor(options: MemoryFileSystemOptions = {}) {
    this.options = options;
    this.capacityBytes = options.capacityBytes ?? Infinity;
    this.#random = options.random ?? seededRandom(1);
  }

  /** Makes the next `times` operations on matching paths fail. */
  fail(
    operation: Operation,
    code: string,
    details: { path?: RegExp; times?: number; afterBytes?: number } = {},
  ): void {
    const { path = /./, times = 1, afterBytes = 0 } = details;
    this.#faults.push({ operation, path, code, afterBytes, times });
  }

  clearFaults(): void {
    this.#faults.length = 0;
  }

  get openFiles(): number {
    let open = 0;
    for (const file of this.#files.values()) open += file.openCount;
    return open;
  }

  get usedBytes(): number {
    let used = 0;
    for (const file of this.#files.values()) used += file.data.length;
    return used;
  }

  /** The file system as one process has it: once that is killed, nothing it still tries has any effect. */
  session(): FileSystem {
    const generation = this.#generation;
    const call = async <T>(path: string, run: () => Promise<T>): Promise<T> => {
      if (generation !== this.#generation) throw this.#error('EBADF', path);
      return run();
    };
    return {
      open: (path, mode) => call(path, () => this.open(path, mode)),
      readFile: (path) => call(path, () => this.readFile(path)),
      list: (path) => call(path, () => this.list(path)),
      stat: (path) => call(path, () => this.stat(path)),
      setModified: (path, modifiedMs) => call(path, () => this.setModified(path, modifiedMs)),
      makeDirectory: (path) => call(path, () => this.makeDirectory(path)),
      rename: (from, to) => call(from, () => this.rename(from, to)),
      remove: (path) => call(path, () => this.remove(path)),
      removeDirectory: (path) => call(path, () => this.removeDirectory(path)),
      syncDirectory: (path) => call(path, () => this.syncDirectory(path)),
    };
  }

  /** The process dies. */
  kill(): void {
    for (const write of this.#inFlight) write.apply(this.#random.below(write.data.length + 1));
    this.#endOfProcess();
  }

  /** The machine loses power. */
  powerCut(): void {
    this.kill();
    for (const file of this.#files.values()) file.losePages(this.#random);
  }

  /** A file's bytes, for looking at and for damaging; undefined where there is none. */
  contents(path: string): Buffer | undefined {
    return this.#files.get(this.#key(path))?.data;
  }

  /** Puts a file there, durable. */
  place(path: string, data: Uint8Array): void {
    const file = new MemoryFile();
    file.data = Buffer.from(data);
    file.durable = Buffer.from(data);
    this.#files.set(this.#key(path), file);
    this.#addParents(path);
  }

  /** Every path of a file, sorted. */
  paths(): string[] {
    return [...this.#files.keys()].sort();
  }

  async open(path: string, mode: OpenMode): Promise<OpenFile> {
    await this.#step('open', path);
    const { maxOpenFiles = Infinity } = this.options;
    if (this.openFiles >= maxOpenFiles) throw this.#error('EMFILE', path);
    const key = this.#key(path);
    let file = this.#files.get(key);
    if (file === undefined) {
      if (mode !== 'create') throw this.#error('ENOENT', path);
      if (!this.#directories.has(parentOf(key))) throw this.#error('ENOENT', path);
      file = new MemoryFile();
      this.#files.set(key, file);
    }
    return this.#handle(path, file);
  }

  async readFile(path: string): Promise<Buffer | undefined> {
    await this.#step('read', path);
    const file = this.#files.get(this.#key(path));
    return file && Buffer.from(file.data);
  }

  async list(directory: string): Promise<DirectoryEntry[]> {
    await this.#step('read', directory);
    const key = this.#key(directory);
    if (!this.#directories.has(key)) throw this.#error('ENOENT', directory);
    const prefix = key.endsWith('/') ? key : `${key}/`;
    const children = (paths: Iterable<string>, isDirectory: boolean): DirectoryEntry[] =>
      [...paths]
        .filter((path) => path.startsWith(prefix) && !path.slice(prefix.length).includes('/'))
        .filter((path) => path.length > prefix.length)
        .map((path) => ({ name: path.slice(prefix.length), isDirectory }));
    return [...children(this.#files.keys(), false), ...children(this.#directories, true)];
  }

  async stat(path: string): Promise<FileStatus | undefined> {
    await this.#step('read', path);
    const file = this.#files.get(this.#key(path));
    if (file === undefined) return undefined;
    const modifiedMs = file.modifiedMs ?? this.options.nowMs?.() ?? 0;
    return { sizeInBytes: file.data.length, modifiedMs };
  }

  async setModified(path: string, modifiedMs: number): Promise<void> {
    await this.#step('write', path);
    const file = this.#files.get(this.#key(path));
    if (file === undefined) throw this.#error('ENOENT', path);
    file.modifiedMs = modifiedMs;
  }

  async makeDirectory(path: string): Promise<boolean> {
    await this.#step('open', path);
    const isNew = !this.#directories.has(this.#key(path));
    this.#addParents(`${path}/x`);
    return isNew;
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#step('rename', from);
    const source = this.#key(from);
    const target = this.#key(to);
    if (this.#directories.has(source)) this.#renameDirectory(source, target);
    else this.#renameFile(source, target);
  }

  async remove(path: string): Promise<void> {
    await this.#step('remove', path);
    this.#refuseIfOpen(this.#key(path));
    this.#files.delete(this.#key(path));
  }

  async removeDirectory(path: string): Promise<void> {
    await this.#step('remove', path);
    const key = this.#key(path);
    const inside = (other: string): boolean => other === key || other.startsWith(`${key}/`);
    for (const file of this.#files.keys()) if (inside(file)) this.#refuseIfOpen(file);
    for (const file of [...this.#files.keys()]) if (inside(file)) this.#files.delete(file);
    for (const directory of [...this.#directories])
      if (inside(directory)) this.#directories.delete(directory);
  }

  async syncDirectory(path: string): Promise<void> {
    await this.#step('sync', path);
  }

  #handle(path: string, file: MemoryFile): OpenFile {
    const generation = this.#generation;
    let open = true;
    file.openCount++;
    const use = async (operation: Operation): Promise<void> => {
      if (!open || generation !== this.#generation) throw this.#error('EBADF', path);
      await this.#step(operation, path);
      if (generation !== this.#generation) throw this.#error('EBADF', path);
    };
    return {
      read: async (into, position) => {
        await use('read');
        return file.data.copy(into, 0, position, position + into.length);
      },
      write: (buffers, position) => this.#write(path, file, { buffers, position, use }),
      truncate: async (size) => {
        await use('truncate');
        file.resize(size);
      },
      size: async () => {
        await use('read');
        return file.data.length;
      },
      sync: async () => {
        // What arrives while the sync runs is not covered by it.
        const written = file.beginSync();
        try {
          await use('sync');
        } catch (error) {
          // What a dead process asked for is still to be written.
          if (generation !== this.#generation)
            for (const [position, bytes] of written.pages)
              file.noteWritten(position, position + bytes.length);
          throw error;
        }
        file.endSync(written);
      },
      close: async () => {
        await Promise.resolve();
        if (open && generation === this.#generation) file.openCount--;
        open = false;
      },
    };
  }

  async #write(
    path: string,
    file: MemoryFile,
    request: {
      buffers: readonly Uint8Array[];
      position: number;
      use: (operation: Operation) => Promise<void>;
    },
  ): Promise<number> {
    let data = Buffer.concat(request.buffers);
    if (this.options.shortWrites && data.length > 1)
      data = data.subarray(0, 1 + this.#random.below(data.length));
    const pending = new PendingWrite(file, data, request.position);
    this.#inFlight.add(pending);
    try {
      await request.use('write');
    } catch (error) {
      if (error instanceof WriteFault) pending.apply(Math.min(error.afterBytes, data.length));
      throw error;
    } finally {
      this.#inFlight.delete(pending);
    }
    const room =
      this.capacityBytes - this.usedBytes + Math.max(0, file.data.length - request.position);
    if (room <= 0) throw this.#error('ENOSPC', path);
    return pending.apply(Math.min(room, data.length));
  }

  /** Every call lets others run first, and may be told to fail. */
  async #step(operation: Operation, path: string): Promise<void> {
    this.counts[operation]++;
    const generation = this.#generation;
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    if (generation !== this.#generation) throw this.#error('EBADF', path);
    const fault = this.#faults.find(
      (each) => each.operation === operation && each.times > 0 && each.path.test(path),
    );
    if (fault === undefined) return;
    fault.times--;
    throw new WriteFault(fault.code, path, fault.afterBytes);
  }

  #renameFile(source: string, target: string): void {
    const file = this.#files.get(source);
    if (file === undefined) throw this.#error('ENOENT', source);
    this.#refuseIfOpen(source);
    this.#refuseIfOpen(target);
    this.#files.delete(source);
    this.#files.set(target, file);
  }

  #renameDirectory(source: string, target: string): void {
    const moved = (path: string): string => target + path.slice(source.length);
    const inside = (path: string): boolean => path === source || path.startsWith(`${source}/`);
    for (const path of this.#files.keys()) if (inside(path)) this.#refuseIfOpen(path);
    for (const [path, file] of [...this.#files]) {
      if (!inside(path)) continue;
      this.#files.delete(path);
      this.#files.set(moved(path), file);
    }
    for (const path of [...this.#directories]) {
      if (!inside(path)) continue;
      this.#directories.delete(path);
      this.#directories.add(moved(path));
    }
  }

  #refuseIfOpen(key: string): void {
    const open = (this.#files.get(key)?.openCount ?? 0) > 0;
    if (open && this.options.refusesOpenFiles) throw this.#error('EBUSY', key);
  }

  #endOfProcess(): void {
    this.#generation++;
    this.#inFlight.clear();
    for (const file of this.#files.values()) file.openCount = 0;
  }

  #addParents(path: string): void {
    for (let key = parentOf(this.#key(path)); key !== '/'; key = parentOf(key))
      this.#directories.add(key);
  }

  #key(path: string): string {
    return this.options.foldsCase ? path.toLowerCase() : path;
  }

  #error(code: string, path: string): FileSystemError {
    return new FileSystemError(code, path, `${code}: ${path}`);
  }
}

class WriteFault extends FileSystemError {
  readonly afterBytes: number;
  constructor(code: string, path: string, afterBytes: number) {
    super(code, path, `${code}: injected, ${path}`);
    this.afterBytes = afterBytes;
  }
}

/** What a sync covers, by position. */
interface SyncedPages {
  readonly size: number;
  readonly pages: readonly (readonly [number, Buffer])[];
}

class MemoryFile {
  data = Buffer.alloc(0);
  durable = Buffer.alloc(0);
  openCount = 0;
  /** Where it was set since the last write. */
  modifiedMs: number | undefined;
  /** Pages that were written to since the last sync began. */
  #dirtyPages = new Set<number>();

  resize(size: number): void {
    this.noteWritten(Math.min(size, this.data.length), size);
    const grown = Buffer.alloc(size);
    this.data.copy(grown, 0, 0, Math.min(size, this.data.length));
    this.data = grown;
  }

  noteWritten(from: number, to: number): void {
    this.modifiedMs = undefined;
    for (let page = Math.floor(from / pageSize); page * pageSize < to; page++)
      this.#dirtyPages.add(page);
  }

  /** Whether the sync works or not, the pages are clean from here on. */
  beginSync(): SyncedPages {
    const pages = [...this.#dirtyPages].map((page): [number, Buffer] => {
      const position = page * pageSize;
      return [position, Buffer.from(this.data.subarray(position, position + pageSize))];
    });
    this.#dirtyPages.clear();
    return { size: this.data.length, pages };
  }

  endSync({ size, pages }: SyncedPages): void {
    const synced = Buffer.alloc(size);
    this.durable.copy(synced);
    for (const [position, bytes] of pages) bytes.copy(synced, position);
    this.durable = synced;
  }

  losePages(random: Random): void {
    const { data, durable } = this;
    const past = data.length - durable.length;
    const end = past > 0 ? durable.length + random.below(past + 1) : data.length;
    const result = Buffer.alloc(end);
    for (let page = 0; page < end; page += pageSize) {
      const source = random.below(2) === 0 ? data : durable;
      source.copy(result, page, page, Math.min(page + pageSize, end));
    }
    durable.copy(result, 0, 0, Math.min(durable.length, unchangedPrefix(data, durable), end));
    this.data = result;
    this.durable = Buffer.from(result);
    this.#dirtyPages.clear();
  }
}

/** Bytes that were synced and not changed since cannot be lost. */
function unchangedPrefix(data: Buffer, durable: Buffer): number {
  const limit = Math.min(data.length, durable.length);
  if (data.subarray(0, limit).equals(durable.subarray(0, limit))) return limit;
  let same = 0;
  while (same < limit && data[same] === durable[same]) same++;
  return same;
}

class PendingWrite {
  readonly #file: MemoryFile;
  readonly data: Buffer;
  readonly #position: number;

  constructor(file: MemoryFile, data: Buffer, position: number) {
    this.#file = file;
    this.data = data;
    this.#position = position;
  }

  /** Writes the first `length` bytes. */
  apply(length: number): number {
    if (length > 0) {
      const end = this.#position + length;
      if (end > this.#file.data.length) this.#file.resize(end);
      this.data.copy(this.#file.data, this.#position, 0, length);
      this.#file.noteWritten(this.#position, end);
    }
    return length;
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}
