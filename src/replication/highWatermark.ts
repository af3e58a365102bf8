/** A replica as the leader knows it. */
export interface ReplicaPosition {
  readonly logEndOffset: bigint;
  /** In the ISR, or about to be. */
  readonly isInSync: boolean;
}

/**
 * The high watermark: the smallest log end among the in-sync replicas. It holds still while fewer are in sync
 * than `min.insync.replicas` demands (or than there are replicas, where that is less).
 * [Partition.maybeIncrementLeaderHW]
 */
export function highWatermarkOf(
  replicas: readonly ReplicaPosition[],
  minInsyncReplicas: number,
  present: bigint,
): bigint {
  const inSync = replicas.filter(({ isInSync }) => isInSync);
  if (inSync.length < Math.min(minInsyncReplicas, replicas.length)) return present;
  const smallest = inSync.reduce<bigint | undefined>(
    (least, { logEndOffset }) =>
      least === undefined || logEndOffset < least ? logEndOffset : least,
    undefined,
  );
  return smallest !== undefined && smallest > present ? smallest : present;
}
