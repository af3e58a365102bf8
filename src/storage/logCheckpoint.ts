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
