import {
  type CompressionType,
  decompress,
  defaultMaxDecompressedBytes,
} from '../protocol/records/compression.ts';
import {
  batches,
  batchHeaderBytes,
  type BatchHeader,
  noTimestamp,
  type RecordBatch,
  setMaxTimestamp,
  verifyBatch,
} from '../protocol/records/recordBatch.ts';
import { refuseUnreadable, unreadableBatch } from '../protocol/records/unreadableBatch.ts';
import { RecordBatchError } from '../protocol/records/recordBatchError.ts';
import { readRecords } from '../protocol/records/recordReader.ts';
import type { LogConfig } from './logConfig.ts';
import { type ScannedRecord, scanRecords } from './recordScan.ts';
import { TimestampRange } from './recordTimestamps.ts';
import { recompressed, reread } from './recompressedBatch.ts';
import { type RecordError, StorageError } from './storageError.ts';

/** Errors of single records that are reported at most; Kafka reports all of them. */
const maxRecordErrors = 1000;
/** Nothing that a number holds exactly takes a time below it past an int64. */
const farAway = 2n ** 62n;

export interface ValidationOptions {
  readonly config: LogConfig;
  readonly nowMs: number;
  /** For messages. */
  readonly partitionName: string;
}

/**
 * Checks what a client sends to be appended, and makes it what is stored: timestamps and compression as the
 * topic's configuration says. The answer is a view of `records` wherever Kafka changes a batch in place.
 * Offsets are not assigned yet. Throws StorageError. [UnifiedLog.analyzeAndValidateRecords, LogValidator]
 */
export function validateClientBatch(records: Buffer, options: ValidationOptions): RecordBatch {
  return validated(() => {
    const unreadable = unreadableBatch(records);
    if (unreadable) {
      checkBounds(unreadable, options);
      refuseUnreadable(records, unreadable);
    }
    const batch = onlyBatch(records, options.partitionName);
    checkBatch(batch, options);
    checkClientHeader(batch.header, options.partitionName);
    const scan = checkRecords(batch, options);
    return fitting(asStored(batch, scan, options), options);
  });
}

/**
 * A coordinator's batch: it is ours, so only its form is checked. Markers too have the topic's kind of time.
 * [LogValidator.assignOffsetsNonCompressed]
 */
export function validateCoordinatorBatch(records: Buffer, options: ValidationOptions): RecordBatch {
  return validated(() => {
    const batch = onlyBatch(records, options.partitionName);
    verifyBatch(batch);
    if (options.config.messageTimestampType === 'CreateTime') return batch;
    setMaxTimestamp(batch.bytes, 'LogAppendTime', BigInt(options.nowMs));
    return reread(batch.bytes);
  });
}

/** A leader's batches, whole and sound; offsets and epochs are the leader's. Size limits are its own affair. */
export function validateReplicatedBatches(records: Buffer, partitionName: string): RecordBatch[] {
  return validated(() => {
    const found = [...batches(records)];
    for (const batch of found) verifyBatch(batch);
    for (let n = 1; n < found.length; n++) {
      const before = found[n - 1]?.header.lastOffset ?? -1n;
      const { baseOffset, lastOffset } = found[n]?.header ?? { baseOffset: 0n, lastOffset: 0n };
      if (baseOffset <= before || lastOffset < baseOffset)
        throw new StorageError(
          'CORRUPT_MESSAGE',
          `${partitionName}: batch [${baseOffset}, ${lastOffset}] does not follow offset ${before}`,
        );
    }
    return found;
  });
}

/** What the walk over the records found. */
interface CheckedRecords {
  /** Largest timestamp of the records, -1 where none has one. */
  readonly maxTimestamp: bigint;
  readonly isConsecutive: boolean;
}

function onlyBatch(records: Buffer, partitionName: string): RecordBatch {
  const found = batches(records);
  const first = found.next();
  if (first.done)
    throw new StorageError('INVALID_RECORD', `${partitionName}: there is no whole record batch`);
  if (!found.next().done)
    throw new StorageError(
      'INVALID_RECORD',
      `${partitionName}: there is more than one record batch; a partition takes one per request`,
    );
  return first.value;
}

/** What is looked at before the checksum. */
function checkBounds(
  { baseOffset, sizeInBytes }: Pick<BatchHeader, 'baseOffset' | 'sizeInBytes'>,
  { config, partitionName }: ValidationOptions,
): void {
  if (baseOffset !== 0n)
    throw new StorageError(
      'INVALID_RECORD',
      `${partitionName}: the base offset of a batch to append is 0, not ${baseOffset}`,
    );
  if (sizeInBytes > config.maxMessageBytes)
    throw new StorageError(
      'MESSAGE_TOO_LARGE',
      `${partitionName}: a batch of ${sizeInBytes} bytes is larger than max.message.bytes, ${config.maxMessageBytes}`,
    );
}

function checkBatch(batch: RecordBatch, options: ValidationOptions): void {
  checkBounds(batch.header, options);
  verifyBatch(batch);
}

/** Kafka looks only once a batch is as it would be stored, after all else about it. [UnifiedLog.append] */
function fitting(batch: RecordBatch, { config, partitionName }: ValidationOptions): RecordBatch {
  const { sizeInBytes } = batch.header;
  if (sizeInBytes <= config.segmentBytes) return batch;
  throw new StorageError(
    'RECORD_LIST_TOO_LARGE',
    `${partitionName}: a batch of ${sizeInBytes} bytes is larger than segment.bytes, ${config.segmentBytes}`,
  );
}

function checkClientHeader(header: BatchHeader, partitionName: string): void {
  const reason = clientHeaderFault(header);
  if (reason !== undefined) throw new StorageError('INVALID_RECORD', `${partitionName}: ${reason}`);
}

function clientHeaderFault(header: BatchHeader): string | undefined {
  const { recordCount, lastOffsetDelta } = header;
  if (lastOffsetDelta < 0) return `a last offset delta of ${lastOffsetDelta}`;
  if (recordCount <= 0) return `a batch of ${recordCount} records`;
  if (recordCount !== lastOffsetDelta + 1)
    return `${recordCount} records where the offsets have room for ${lastOffsetDelta + 1}`;
  if (header.isControl) return 'clients may not write control records';
  if (header.producerId >= 0n && header.baseSequence < 0)
    return `sequence ${header.baseSequence} from producer ${header.producerId}`;
  return undefined;
}

function checkRecords(batch: RecordBatch, options: ValidationOptions): CheckedRecords {
  const payload = uncompressedRecords(batch);
  const { header } = batch;
  const check = recordCheck(batch, options);
  const errors: RecordError[] = [];
  let isTimestampWrong = false;
  const maxSize =
    header.compression === 'none' ? Infinity : options.config.maxDecompressedMessageBytes;
  const scan = scanRecords(payload, header.recordCount, (record) => {
    if (record.sizeInBytes > maxSize) throw tooLarge(record, options);
    const fault = check(record);
    if (fault === undefined || errors.length === maxRecordErrors) return;
    errors.push({ batchIndex: record.index, message: fault.message });
    isTimestampWrong ||= fault.isTimestamp;
  });
  if (errors.length > 0) throw rejected(errors, isTimestampWrong);
  const { isConsecutive, maxTimestampDelta } = scan;
  if (header.timestampType === 'LogAppendTime')
    return { isConsecutive, maxTimestamp: header.maxTimestamp };
  const latest = latestBy(header.baseTimestamp, maxTimestampDelta) ?? latestOf(batch);
  return { isConsecutive, maxTimestamp: latest < noTimestamp ? noTimestamp : latest };
}

/** Unless there may be a sum that wraps, or a difference that a number does not hold exactly: of days of far away. */
function latestBy(baseTimestamp: bigint, maxDelta: number): bigint | undefined {
  const isNear = baseTimestamp >= 0n && baseTimestamp < farAway && Number.isSafeInteger(maxDelta);
  return isNear ? baseTimestamp + BigInt(maxDelta) : undefined;
}

function latestOf(batch: RecordBatch): bigint {
  let latest = noTimestamp;
  for (const { timestamp } of readRecords(batch)) if (timestamp > latest) latest = timestamp;
  return latest;
}

/** Kafka reads no further: there is no telling which record it was. [DefaultRecord.readFrom] */
function tooLarge(
  { sizeInBytes }: ScannedRecord,
  { config, partitionName }: ValidationOptions,
): StorageError {
  return new StorageError(
    'INVALID_RECORD',
    `${partitionName}: a record of ${sizeInBytes} bytes is larger than max.decompressed.message.bytes, ${config.maxDecompressedMessageBytes}`,
  );
}

function uncompressedRecords({ header, bytes }: RecordBatch): Buffer {
  const stored = bytes.subarray(batchHeaderBytes);
  if (header.compression === 'none') return stored;
  return decompress(header.compression, stored, defaultMaxDecompressedBytes);
}

type RecordFault = { readonly message: string; readonly isTimestamp: boolean } | undefined;

/** The rules for a single record [LogValidator.validateRecord]. */
function recordCheck(
  batch: RecordBatch,
  { config, nowMs, partitionName }: ValidationOptions,
): (record: ScannedRecord) => RecordFault {
  const needsKey = config.cleanupPolicy.has('compact');
  const keepsTimestamps = config.messageTimestampType === 'CreateTime';
  const range = new TimestampRange(batch, config, nowMs);
  return (record) => {
    if (needsKey && !record.hasKey) {
      const message = `Compacted topic cannot accept message without key in topic partition ${partitionName}`;
      return { message, isTimestamp: false };
    }
    const found = keepsTimestamps ? range.check(record) : 'none';
    if (found === 'inside') return undefined;
    if (found !== 'none') return { message: found.fault, isTimestamp: true };
    if (batch.header.timestampType === 'CreateTime') return undefined;
    const message = 'Producer should not set timestamp type to LogAppendTime.';
    return { message, isTimestamp: true };
  };
}

function rejected(recordErrors: RecordError[], isTimestamp: boolean): StorageError {
  if (isTimestamp)
    return new StorageError(
      'INVALID_TIMESTAMP',
      'One or more records have been rejected due to invalid timestamp',
      { recordErrors },
    );
  return new StorageError(
    'INVALID_RECORD',
    `One or more records have been rejected due to ${recordErrors.length} record errors in total`,
    { recordErrors },
  );
}

/** The batch with the topic's timestamps and compression. */
function asStored(
  batch: RecordBatch,
  checked: CheckedRecords,
  { config, nowMs, partitionName }: ValidationOptions,
): RecordBatch {
  const target = targetCompression(batch.header, config);
  const isAppendTime = config.messageTimestampType === 'LogAppendTime';
  const timestamp = isAppendTime ? BigInt(nowMs) : checked.maxTimestamp;
  const { header } = batch;
  if (target !== header.compression)
    return recompressed(batch, { target, config, nowMs, partitionName });
  if (header.compression !== 'none' && !checked.isConsecutive)
    throw notConsecutive(header, partitionName);
  if (header.timestampType === config.messageTimestampType && header.maxTimestamp === timestamp)
    return batch;
  setMaxTimestamp(batch.bytes, config.messageTimestampType, timestamp);
  return reread(batch.bytes);
}

/** Kafka would write the batch anew, but has skipped keys and values by then. [PartialDefaultRecord] */
function notConsecutive({ compression }: BatchHeader, partitionName: string): StorageError {
  return new StorageError(
    'INVALID_RECORD',
    `${partitionName}: the records of a batch in ${compression} do not have one offset after the other`,
  );
}

function targetCompression(header: BatchHeader, { compressionType }: LogConfig): CompressionType {
  if (compressionType === 'producer') return header.compression;
  return compressionType === 'uncompressed' ? 'none' : compressionType;
}

/** The protocol layer's errors about batches, as storage's. */
function validated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RecordBatchError)
      throw new StorageError(error.error, error.message, { cause: error });
    throw error;
  }
}
