import { t } from '../base/l10n.ts';
import { decodeControlRecordKey } from '../protocol/records/controlRecords.ts';
import {
  type BatchHeader,
  batches,
  type RecordBatch,
  verifyBatch,
} from '../protocol/records/recordBatch.ts';
import { type KafkaRecord, readRecords } from '../protocol/records/recordReader.ts';

/** A batch as a reader gives it. Its records are read when they are asked for. */
export interface FetchedBatch {
  readonly header: BatchHeader;
  /** The whole batch as it came: a view of the broker's answer. */
  readonly bytes: Buffer;
  /** Written by the broker, not by an application: how a transaction ended. It has no records for people. */
  readonly isControl: boolean;
  /** Of a transaction that was aborted. Known at read_committed only. */
  readonly isAborted: boolean;
  /**
   * The records from `from` on; left out: from the asked offset, as a fetch from the middle of a batch
   * brings the whole batch. Throws a RecordBatchError where the bytes are damaged.
   */
  records(from?: bigint): Generator<KafkaRecord, void, undefined>;
}

/** What one fetch brought of a partition. */
export interface FetchedPartition {
  readonly partition: number;
  readonly highWatermark: bigint;
  /** -1: the server does not say. */
  readonly lastStableOffset: bigint;
  /** -1: the server does not say. */
  readonly logStartOffset: bigint;
  readonly batches: readonly FetchedBatch[];
  /** Where the next fetch goes on. */
  readonly nextOffset: bigint;
}

export interface AbortedTransaction {
  readonly producerId: bigint;
  readonly firstOffset: bigint;
}

/**
 * The batches in a fetch's records, from `fetchOffset` on. Aborted ones are told by the list that a
 * read_committed fetch brings: from its first offset on a producer's data is aborted, up to its next
 * abort marker. Throws where offsets do not rise: a reader would go round in circles. [Fetch:
 * FetchResponse.abortedTransactions, CompletedFetch.consumeAbortedTransactionsUpTo]
 */
export function readFetchedBatches(
  records: Uint8Array | null,
  fetchOffset: bigint,
  abortedTransactions: readonly AbortedTransaction[] | null,
): FetchedBatch[] {
  const result: FetchedBatch[] = [];
  if (records === null) return result;
  const upcoming = [...(abortedTransactions ?? [])].sort((a, b) =>
    a.firstOffset < b.firstOffset ? -1 : 1,
  );
  let begun = 0;
  const abortedProducers = new Set<bigint>();
  for (const batch of batches(records)) {
    const { header } = batch;
    for (let next = upcoming[begun]; next && next.firstOffset <= header.lastOffset;) {
      abortedProducers.add(next.producerId);
      next = upcoming[++begun];
    }
    if (header.isControl && isAbortMarker(batch)) abortedProducers.delete(header.producerId);
    if (header.lastOffset < fetchOffset) continue;
    const before = result.at(-1)?.header;
    if (header.lastOffset < header.baseOffset || (before && header.baseOffset <= before.lastOffset))
      throw new Error(t('the broker sent a batch at offset {0} out of order', header.baseOffset));
    const isAborted = header.isTransactional && abortedProducers.has(header.producerId);
    result.push(fetchedBatch(batch, fetchOffset, isAborted && !header.isControl));
  }
  return result;
}

function fetchedBatch(batch: RecordBatch, fetchOffset: bigint, isAborted: boolean): FetchedBatch {
  const { header } = batch;
  return {
    header,
    bytes: batch.bytes,
    isControl: header.isControl,
    isAborted,
    *records(from = fetchOffset) {
      verifyBatch(batch);
      for (const record of readRecords(batch)) {
        if (record.offset >= from) yield record;
      }
    },
  };
}

function isAbortMarker(batch: RecordBatch): boolean {
  const [record] = readRecords(batch);
  return record?.key ? decodeControlRecordKey(record.key) === 'abort' : false;
}
