import {
  compressInBackground,
  compressionId,
  type CompressionType,
  decompressInBackground,
  defaultMaxDecompressedBytes,
} from '../protocol/records/compression.ts';
import {
  batchHeaderBytes,
  readBatchHeader,
  type RecordBatch,
  writeBatchHeader,
} from '../protocol/records/recordBatch.ts';
import type { Slices } from '../base/slices.ts';

/** The batch with its records as they are before compression, made without holding the event loop. */
export async function decompressed(batch: RecordBatch, slices: Slices): Promise<RecordBatch> {
  const { header, bytes } = batch;
  if (header.compression === 'none' || header.recordCount === 0) return batch;
  const records = await decompressInBackground(
    header.compression,
    bytes.subarray(batchHeaderBytes),
    {
      maxBytes: defaultMaxDecompressedBytes,
      pause: () => slices.pause(),
    },
  );
  return {
    ...batch,
    header: { ...header, compression: 'none' },
    bytes: Buffer.concat([bytes.subarray(0, batchHeaderBytes), records]),
  };
}

/** A batch without compression, compressed. */
export async function compressed(batch: Buffer, type: CompressionType): Promise<Buffer> {
  if (type === 'none') return batch;
  const records = await compressInBackground(type, batch.subarray(batchHeaderBytes));
  const bytes = Buffer.concat([Buffer.alloc(batchHeaderBytes), records]);
  writeBatchHeader(bytes, { ...readBatchHeader(batch), compression: compressionId(type) });
  return bytes;
}
