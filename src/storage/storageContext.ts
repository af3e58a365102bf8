import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Random } from '../base/random.ts';
import type { FileHandles } from './fileHandles.ts';
import type { FileSystem } from './fileSystem.ts';
import type { IndexCache } from './indexCache.ts';
import type { Lane } from './lane.ts';

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
