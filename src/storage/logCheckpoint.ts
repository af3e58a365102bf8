import type { DirectoryContents } from './dataDirectory.ts';

/** What the data directory's checkpoints say of a log. */
export interface LogCheckpoint {
  readonly logStartOffset: bigint;
  /** Everything below is known to be on the disk and sound. */
  readonly recoveryPoint: bigint;
  /** Up to where the log was compacted, as far as that is known. */
  readonly cleanedOffset?: bigint | undefined;
  /** That is not known: gaps between segments say nothing. */
  readonly mayHaveGaps?: boolean | undefined;
  readonly hadCleanShutdown: boolean;
  /** What is past the recovery point has to be written again before a sync of it means anything. */
  readonly hadFailedSync?: boolean;
}

/** And what is known before the folder is read. */
export type StartCheckpoint = LogCheckpoint & { readonly highWatermark: bigint };

/** What is known of a log that has nothing yet. */
export const beginning: StartCheckpoint = {
  logStartOffset: 0n,
  recoveryPoint: 0n,
  highWatermark: 0n,
  hadCleanShutdown: false,
};

/** What is known of the log of a folder. */
export function startCheckpoint(contents: DirectoryContents, name: string): StartCheckpoint {
  const recoveryPoint = contents.recoveryPoints.get(name);
  return {
    logStartOffset: contents.logStarts.get(name) ?? 0n,
    recoveryPoint: recoveryPoint ?? 0n,
    highWatermark: contents.highWatermarks.get(name) ?? 0n,
    cleanedOffset: contents.cleanedOffsets?.get(name),
    mayHaveGaps: contents.cleanedOffsets === undefined,
    // A log that no checkpoint knows was made after the last one was written.
    hadCleanShutdown: contents.hadCleanShutdown && recoveryPoint !== undefined,
  };
}
