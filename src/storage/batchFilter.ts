import {
  batchHeaderBytes,
  type RecordBatch,
  writeBatchHeader,
} from '../protocol/records/recordBatch.ts';
import { RecordBatchBuilder } from '../protocol/records/recordBatchBuilder.ts';
import { type KafkaRecord, readRecords } from '../protocol/records/recordReader.ts';
import { compressed, decompressed } from './batchCodec.ts';
import type { Slices } from '../base/slices.ts';

/** Records that are looked at before the slice's end is. */
const recordsPerLook = 128;

/** What is to become of one batch. */
export interface BatchRetention {
  /** All records go. */
  readonly discardsRecords: boolean;
  /** The header stays where no record does: it says what a producer sent last, or where the log ends. */
  readonly keepsEmpty: boolean;
  /** A marker whose transaction has no data left: it stays for delete.retention.ms more. */
  readonly isLonelyMarker: boolean;
  readonly retainsRecord: (record: KafkaRecord) => boolean;
  /** The delete horizon for tombstones that have none yet. */
  readonly nextDeleteHorizonMs: bigint;
}

/**
 * What is left of a batch, undefined for nothing: the same bytes where all of it stays, a rewritten batch with
 * the records' own offsets and timestamps, or a bare header [MemoryRecords.filterTo].
 */
export async function filterBatch(
  batch: RecordBatch,
  retention: BatchRetention,
  slices: Slices,
): Promise<Buffer | undefined> {
  const { header, bytes } = batch;
  const retained = retention.discardsRecords ? [] : await retainedRecords(batch, retention, slices);
  if (retained.length === 0) return retention.keepsEmpty ? emptied(batch) : undefined;
  const hasTombstone = retained.some(({ value }) => value === null);
  const needsHorizon = (hasTombstone || retention.isLonelyMarker) && !header.hasDeleteHorizon;
  if (retained.length === header.recordCount && !needsHorizon) return bytes;
  const horizon = needsHorizon
    ? retention.nextDeleteHorizonMs
    : header.hasDeleteHorizon
      ? header.baseTimestamp
      : undefined;
  const plain = await rebuilt(batch, { records: retained, deleteHorizonMs: horizon }, slices);
  return compressed(plain, header.compression);
}

async function retainedRecords(
  batch: RecordBatch,
  { retainsRecord }: BatchRetention,
  slices: Slices,
): Promise<KafkaRecord[]> {
  const retained: KafkaRecord[] = [];
  let looked = 0;
  for (const record of readRecords(await decompressed(batch, slices))) {
    if (retainsRecord(record)) retained.push(record);
    if (++looked % recordsPerLook === 0 && slices.isOver) await slices.pause();
  }
  return retained;
}

/** Without compression. */
async function rebuilt(
  { header }: RecordBatch,
  kept: { readonly records: readonly KafkaRecord[]; readonly deleteHorizonMs: bigint | undefined },
  slices: Slices,
): Promise<Buffer> {
  const { deleteHorizonMs, records } = kept;
  const { baseOffset } = header;
  const builder = new RecordBatchBuilder({
    baseOffset,
    partitionLeaderEpoch: header.partitionLeaderEpoch,
    producerId: header.producerId,
    producerEpoch: header.producerEpoch,
    baseSequence: header.baseSequence,
    isTransactional: header.isTransactional,
    isControl: header.isControl,
    // So that the last sequence number stays what it was.
    lastOffsetDelta: header.lastOffsetDelta,
    ...(header.timestampType === 'LogAppendTime' && { logAppendTime: header.maxTimestamp }),
    ...(deleteHorizonMs !== undefined && { deleteHorizonMs }),
  });
  for (const [n, { offset, ...record }] of records.entries()) {
    builder.add({ ...record, offsetDelta: Number(offset - baseOffset) });
    if (n % recordsPerLook === 0 && slices.isOver) await slices.pause();
  }
  return builder.build();
}

/** [DefaultRecordBatch.writeEmptyHeader] */
function emptied({ header }: RecordBatch): Buffer {
  const bytes = Buffer.alloc(batchHeaderBytes);
  writeBatchHeader(bytes, {
    ...header,
    compression: 0,
    hasDeleteHorizon: false,
    baseTimestamp: -1n,
    recordCount: 0,
  });
  return bytes;
}
