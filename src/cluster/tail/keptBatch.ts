/** The batches that a tail keeps: how many rows each makes, and what they are. */
import { t } from '../../base/l10n.ts';
import { errorMessage } from '../../base/logger.ts';
import { type FetchedBatch, readFetchedBatches } from '../../client/fetchedPartition.ts';
import type { KafkaRecord } from '../../protocol/records/recordReader.ts';
import type { TailTransaction } from './tailTransactions.ts';

/** Part of a batch that is to be kept: its records from one offset up to another. */
export interface BatchPart {
  readonly partition: number;
  readonly batch: FetchedBatch;
  readonly from: bigint;
  /** Not included. Null: to its end. */
  readonly to: bigint | null;
  /** Its transaction; its outcome may be known later. */
  readonly transaction?: TailTransaction | undefined;
}

/** Records of a part that follow each other in the tail, where others of it stand elsewhere. */
export interface BatchPiece {
  readonly part: BatchPart;
  /** How many of the part's records are before them. */
  readonly skip: number;
  /** When each of them is from. */
  readonly times: readonly number[];
}

/** Something to say between the records of a partition, such as that some were missed. */
export interface TailNote {
  readonly partition: number;
  readonly offset: bigint;
  readonly text: string;
}

/** A row, or why its batch could not be read: then only its partition and about where it stands are known. */
export type StoredRow =
  | {
      readonly kind: 'record';
      readonly partition: number;
      readonly batch: FetchedBatch;
      readonly record: KafkaRecord;
      readonly transaction: TailTransaction | undefined;
    }
  | {
      readonly kind: 'problem';
      readonly partition: number;
      readonly batch: FetchedBatch;
      readonly problem: string;
    }
  | { readonly kind: 'note'; readonly note: TailNote };

/** What is known of a batch, or of a note, without reading it. */
export interface KeptBatch {
  readonly partition: number;
  /** Of the records from `from` to `to`: so many are skipped, and so many are rows. */
  readonly skip: number;
  readonly rowCount: number;
  /** Where its bytes are; null for a note. Not an object of its own, since there may be a million of these. */
  readonly block: Buffer | null;
  readonly start: number;
  readonly end: number;
  readonly from: bigint;
  readonly to: bigint | null;
  readonly note: TailNote | null;
  readonly transaction: TailTransaction | undefined;
}

/** A record's length, attributes, two deltas, two lengths and a count of headers. */
const leastRecordBytes = 7;
/** More records to a compressed byte than this are counted, not believed. */
const bestCompression = 100;

/** Without decoding where the whole batch is wanted. A batch that cannot be decoded is one row, which says so. */
export function countRows({ batch, from, to }: BatchPart): number {
  const { baseOffset, lastOffset, recordCount } = batch.header;
  const isWhole = from <= baseOffset && (to === null || to > lastOffset);
  if (isWhole && isPlausible(batch)) return recordCount;
  try {
    return countInRange(batch, from, to);
  } catch {
    return 1;
  }
}

/** Whether a batch can hold as many records as it says: a damaged header must not make rows without end. */
function isPlausible({ header }: FetchedBatch): boolean {
  const { recordCount, lastOffsetDelta, compression, sizeInBytes } = header;
  if (recordCount < 0 || recordCount > lastOffsetDelta + 1) return false;
  const most =
    compression === 'none' ? sizeInBytes / leastRecordBytes : sizeInBytes * bestCompression;
  return recordCount <= most;
}

function countInRange(batch: FetchedBatch, from: bigint, to: bigint | null): number {
  let count = 0;
  for (const { offset } of batch.records(from)) {
    if (to === null || offset < to) count++;
  }
  return count;
}

export function batchOf({ block, start, end, from }: KeptBatch): FetchedBatch {
  const [batch] = block ? readFetchedBatches(block.subarray(start, end), from, null) : [];
  if (!batch) throw new Error(t('a batch of the store cannot be found in it'));
  return batch;
}

/** All from `from` to `to`, whether they are skipped or not. */
export function decodeRows(entry: KeptBatch): StoredRow[] {
  const { note, partition, from, to, skip, rowCount, transaction } = entry;
  if (note) return [{ kind: 'note', note }];
  const rows: StoredRow[] = [];
  const batch = batchOf(entry);
  try {
    for (const record of batch.records(from)) {
      if (to !== null && record.offset >= to) continue;
      rows.push({ kind: 'record', partition, batch, record, transaction });
    }
  } catch (error) {
    const problem = errorMessage(error);
    while (rows.length < skip + rowCount) rows.push({ kind: 'problem', partition, batch, problem });
  }
  return rows;
}
