import { batches, type BatchHeader, batchSizeAt } from '../protocol/records/recordBatch.ts';
import { RecordBatchError } from '../protocol/records/recordBatchError.ts';
import { readRecords } from '../protocol/records/recordReader.ts';
import { readFully } from './atomicFile.ts';
import type { TimestampedOffset } from './logTypes.ts';
import type { Segment } from './segment.ts';
import type { StorageContext } from './storageContext.ts';

/** What one read takes into memory at most, unless its first batch is larger. */
const maxReadBytes = 8 << 20;
/** Reads that only look for a batch are this small: an index entry is at most one batch and 4 KiB away. */
const searchChunkBytes = 16_384;
const timestampChunkBytes = 65_536;

/** Of a batch's header [DefaultRecordBatch]; reading it all for each of many small batches would show. */
const lastOffsetDeltaAt = 23;

export interface SegmentRead {
  readonly offset: bigint;
  readonly maxBytes: number;
  /** Batches with this offset, or any later one, are left out. */
  readonly limit: bigint;
  readonly minOneBatch: boolean;
}

/** What a read found, and where the next one goes on. */
export interface SegmentReadResult {
  readonly records: Buffer;
  readonly nextOffset: bigint;
  readonly nextPosition: number;
  /** Up to where was looked: past the last whole batch where what comes next did not fit. */
  readonly endPosition: number;
}

/**
 * Reads whole batches from the one that contains `offset`, or the next one where that offset was compacted
 * away. Undefined where the segment has nothing at or past it. `knownPosition` spares the search.
 */
export async function readSegment(
  context: StorageContext,
  segment: Segment,
  read: SegmentRead,
  knownPosition: number | undefined,
): Promise<SegmentReadResult | undefined> {
  const position = knownPosition ?? (await findPosition(segment, read.offset))?.position;
  const available = segment.size - (position ?? segment.size);
  if (position === undefined || available <= 0) return undefined;
  const wanted = Math.min(read.maxBytes, maxReadBytes, available);
  let bytes = await readBytes(context, segment, { position, length: Math.max(wanted, 17) });
  const firstSize = batchSizeAt(bytes) ?? 0;
  if (firstSize > wanted) {
    if (!read.minOneBatch) {
      const endPosition = position + wanted;
      return { records: empty, nextOffset: read.offset, nextPosition: position, endPosition };
    }
    bytes = await readBytes(context, segment, { position, length: firstSize });
  }
  const length = lengthOfBatches(bytes, read.limit);
  const records = bytes.subarray(0, length.bytes);
  const nextOffset = length.nextOffset ?? read.offset;
  const nextPosition = position + length.bytes;
  const isAtLimit = nextOffset >= read.limit;
  const endPosition = isAtLimit ? nextPosition : Math.max(nextPosition, position + wanted);
  return { records, nextOffset, nextPosition, endPosition };
}

/** The batch that contains `offset`, or the first one after it. */
export async function findPosition(
  segment: Segment,
  offset: bigint,
): Promise<FoundBatch | undefined> {
  const { position: from } = (await segment.indexes()).offset.floor(offset);
  return findBatch(segment, { from, chunkBytes: searchChunkBytes }, (h) => h.lastOffset >= offset);
}

interface FoundBatch {
  readonly position: number;
  readonly header: BatchHeader;
}

/** The first batch from a position on that is wanted. Throws a RecordBatchError where it meets damage. */
async function findBatch(
  segment: Segment,
  options: { readonly from: number; readonly chunkBytes: number },
  isWanted: (header: BatchHeader) => boolean,
): Promise<FoundBatch | undefined> {
  let found: FoundBatch | undefined;
  const { fault } = await segment.scan({ ...options, depth: 'headers' }, ({ header, position }) => {
    if (!isWanted(header)) return undefined;
    found = { position, header };
    return false;
  });
  if (fault !== undefined) throw new RecordBatchError('CORRUPT_MESSAGE', fault);
  return found;
}

/** The first record at or past `from` whose timestamp is at least `timestamp` [LogSegment.findOffsetByTimestamp]. */
export async function findByTimestamp(
  context: StorageContext,
  segment: Segment,
  { timestamp, from }: { readonly timestamp: bigint; readonly from: bigint },
): Promise<TimestampedOffset | undefined> {
  const { offset, time } = await segment.indexes();
  const below = time.lastBelow(timestamp).offset;
  let position = offset.floor(below > from ? below : from).position;
  for (;;) {
    const candidate = await findBatch(
      segment,
      { from: position, chunkBytes: timestampChunkBytes },
      (header) => header.maxTimestamp >= timestamp && header.lastOffset >= from,
    );
    if (candidate === undefined) return undefined;
    const { header } = candidate;
    const bytes = await readBytes(context, segment, {
      position: candidate.position,
      length: header.sizeInBytes,
    });
    const found = findInBatch(bytes, { timestamp, from });
    if (found !== undefined) return found;
    position = candidate.position + header.sizeInBytes;
  }
}

function findInBatch(
  bytes: Buffer,
  wanted: { readonly timestamp: bigint; readonly from: bigint },
): TimestampedOffset | undefined {
  const [batch] = batches(bytes);
  if (batch === undefined) return undefined;
  const leaderEpoch = batch.header.partitionLeaderEpoch;
  for (const { offset, timestamp } of readRecords(batch))
    if (offset >= wanted.from && timestamp >= wanted.timestamp)
      return { offset, timestamp, leaderEpoch };
  return undefined;
}

async function readBytes(
  context: StorageContext,
  segment: Segment,
  { position, length }: { readonly position: number; readonly length: number },
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.min(length, segment.size - position));
  const read = await context.handles.use(segment.logPath, (file) =>
    readFully(file, bytes, position),
  );
  return bytes.subarray(0, read);
}

/** How many bytes from the beginning are whole batches below `limit`. */
function lengthOfBatches(
  bytes: Buffer,
  limit: bigint,
): { readonly bytes: number; readonly nextOffset: bigint | undefined } {
  let position = 0;
  let nextOffset: bigint | undefined;
  for (;;) {
    const size = batchSizeAt(bytes, position);
    if (size === undefined || size > bytes.length - position) break;
    const lastOffset =
      bytes.readBigInt64BE(position) + BigInt(bytes.readInt32BE(position + lastOffsetDeltaAt));
    if (lastOffset >= limit) break;
    nextOffset = lastOffset + 1n;
    position += size;
  }
  return { bytes: position, nextOffset };
}

const empty = Buffer.alloc(0);
