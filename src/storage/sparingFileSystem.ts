import { FileSystemError, type FileSystem } from './fileSystem.ts';

/** How often a call is tried before the shortage is passed on. */
const mostAttempts = 16;

/** A file system for a process that may have few files open: where it has no more, `makeRoom` closes some. */
export function sparingFileSystem(
  fileSystem: FileSystem,
  makeRoom: () => Promise<void>,
): FileSystem {
  const sparing = async <T>(call: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await call();
      } catch (error) {
        if (!isShortage(error) || attempt === mostAttempts) throw error;
        await makeRoom();
      }
    }
  };
  return {
    open: (path, mode) => sparing(() => fileSystem.open(path, mode)),
    readFile: (path) => sparing(() => fileSystem.readFile(path)),
    list: (directory) => sparing(() => fileSystem.list(directory)),
    syncDirectory: (path) => sparing(() => fileSystem.syncDirectory(path)),
    removeDirectory: (path) => sparing(() => fileSystem.removeDirectory(path)),
    stat: (path) => fileSystem.stat(path),
    setModified: (path, modifiedMs) => fileSystem.setModified(path, modifiedMs),
    makeDirectory: (path) => fileSystem.makeDirectory(path),
    rename: (from, to) => fileSystem.rename(from, to),
    remove: (path) => fileSystem.remove(path),
  };
}

/** The process, or the machine, has no more file handles. */
function isShortage(error: unknown): boolean {
  return error instanceof FileSystemError && ['EMFILE', 'ENFILE'].includes(error.code);
}
