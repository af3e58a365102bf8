import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Random } from '../base/random.ts';
import { FileHandles } from './fileHandles.ts';
import type { FileSystem } from './fileSystem.ts';
import { IndexCache } from './indexCache.ts';
import { Lane } from './lane.ts';

/** Handles that stay open at most, besides those in use at the moment. */
const maxOpenFiles = 512;
/** Memory for the indexes of segments that are not written to. */
const maxIndexBytes = 16 << 20;

/** What all logs of a data directory share. */
export interface StorageContext {
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly handles: FileHandles;
  readonly indexCache: IndexCache;
  /** Where syncs to the disk queue up: while others want files too, two at once are in their way. */
  readonly syncLane: Lane;
  /** producer.id.expiration.ms */
  readonly producerIdExpirationMs: number;
}

/** The configuration is asked for each time: it can change while the broker runs. */
export function newStorageContext(
  options: Pick<StorageContext, 'fileSystem' | 'clock' | 'random' | 'logger'> &
    Partial<Pick<StorageContext, 'producerIdExpirationMs'>>,
): StorageContext {
  const { clock, random, logger } = options;
  const handles = new FileHandles(options.fileSystem, maxOpenFiles);
  return {
    fileSystem: handles.fileSystem,
    clock,
    random,
    logger,
    handles,
    indexCache: new IndexCache(maxIndexBytes),
    syncLane: new Lane(),
    get producerIdExpirationMs() {
      return options.producerIdExpirationMs ?? 86_400_000;
    },
  };
}
