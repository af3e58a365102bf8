/**
 * A topic's configuration as storage reads it: Kafka's topic config names in camel case, values parsed.
 * `Long.MAX_VALUE` is `longMax`; -1 means "no limit" where Kafka says so.
 */
export interface LogConfig {
  readonly cleanupPolicy: ReadonlySet<CleanupPolicy>;
  /** Of the codecs that have one, used where the broker compresses. */
  readonly compressionLevels: CompressionLevels;
  readonly compressionType: CompressionType;
  readonly deleteRetentionMs: number;
  readonly fileDeleteDelayMs: number;
  readonly flushMessages: number;
  readonly flushMs: number;
  readonly indexIntervalBytes: number;
  readonly maxCompactionLagMs: number;
  /** The largest single record in a compressed batch, once it is decompressed. */
  readonly maxDecompressedMessageBytes: number;
  readonly maxMessageBytes: number;
  readonly messageTimestampAfterMaxMs: number;
  readonly messageTimestampBeforeMaxMs: number;
  readonly messageTimestampType: 'CreateTime' | 'LogAppendTime';
  readonly minCleanableDirtyRatio: number;
  readonly minCompactionLagMs: number;
  readonly minInsyncReplicas: number;
  readonly retentionBytes: number;
  readonly retentionMs: number;
  readonly segmentBytes: number;
  readonly segmentIndexBytes: number;
  readonly segmentJitterMs: number;
  readonly segmentMs: number;
}

export interface CompressionLevels {
  readonly gzip: number;
  readonly lz4: number;
  readonly zstd: number;
}

export type CleanupPolicy = 'compact' | 'delete';
export type CompressionType = 'producer' | 'uncompressed' | 'gzip' | 'snappy' | 'lz4' | 'zstd';

/** Kafka's `Long.MAX_VALUE`, the default of several limits: never reached. */
export const longMax = Number(2n ** 63n - 1n);

/** Kafka's defaults [LogConfig]. */
export const defaultLogConfig: LogConfig = {
  cleanupPolicy: new Set(['delete']),
  compressionLevels: { gzip: -1, lz4: 9, zstd: 3 },
  compressionType: 'producer',
  deleteRetentionMs: 86_400_000,
  fileDeleteDelayMs: 60_000,
  flushMessages: longMax,
  flushMs: longMax,
  indexIntervalBytes: 4096,
  maxCompactionLagMs: longMax,
  maxDecompressedMessageBytes: 2_147_483_639,
  maxMessageBytes: 1_048_588,
  messageTimestampAfterMaxMs: 3_600_000,
  messageTimestampBeforeMaxMs: longMax,
  messageTimestampType: 'CreateTime',
  minCleanableDirtyRatio: 0.5,
  minCompactionLagMs: 0,
  minInsyncReplicas: 1,
  retentionBytes: -1,
  retentionMs: 604_800_000,
  segmentBytes: 1_073_741_824,
  segmentIndexBytes: 10_485_760,
  segmentJitterMs: 0,
  segmentMs: 604_800_000,
};

/**
 * The age at which a segment ends; a compacted topic's may not hold a record back too long [LogConfig.maxSegmentMs].
 */
export function maxSegmentMs({ cleanupPolicy, maxCompactionLagMs, segmentMs }: LogConfig): number {
  return cleanupPolicy.has('compact') ? Math.min(maxCompactionLagMs, segmentMs) : segmentMs;
}
