import type { FileSystem } from '../../../../src/storage/fileSystem.ts';
import type { MemoryFileSystem } from '../../../support/memoryFileSystem.ts';

export interface Death {
  /** Which of the process's writes to files is its last. */
  readonly atWrite: number;
  /** Whether that write still gets to the file. */
  readonly isWritten: boolean;
}

/** A process's view of the file system, and its end: kill -9 at one of its writes. */
export class DyingProcess {
  readonly fileSystem: FileSystem;
  writes = 0;
  isDead = false;

  constructor(memory: MemoryFileSystem, death: Death | undefined, onDeath: () => void) {
    const session = memory.session();
    const die = (): void => {
      this.isDead = true;
      memory.kill();
      onDeath();
    };
    this.fileSystem = {
      ...session,
      open: async (path, mode) => {
        const file = await session.open(path, mode);
        return {
          read: (into, position) => file.read(into, position),
          truncate: (size) => file.truncate(size),
          size: () => file.size(),
          sync: () => file.sync(),
          close: () => file.close(),
          write: async (buffers, position) => {
            const isLast = this.writes++ === death?.atWrite;
            if (isLast && !death.isWritten) die();
            const written = await file.write(buffers, position);
            if (isLast && death.isWritten) die();
            return written;
          },
        };
      },
    };
  }
}
