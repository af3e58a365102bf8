import {
  type BatchHeader,
  type RecordBatch,
  setBaseOffset,
  setPartitionLeaderEpoch,
} from '../protocol/records/recordBatch.ts';
import type { AppendInfo } from './logTypes.ts';
import type { PendingAppend } from './logWriter.ts';
import { firstOffset } from './producerEntry.ts';
import type { ProducerState } from './producerState.ts';
import type { StagedProducers } from './stagedProducers.ts';
import { StorageError } from './storageError.ts';
import { readTransactionMarker } from './transactionMarker.ts';

/** An append that will go to the disk, or that the log has already. */
interface Decided {
  readonly append: PendingAppend;
  readonly info: AppendInfo;
}

/**
 * Appends that are written together. Offsets are assigned as they are added; until the group is written,
 * nothing outside it has changed.
 */
export class AppendGroup {
  readonly headers: BatchHeader[] = [];
  readonly buffers: Buffer[] = [];
  readonly decided: Decided[] = [];
  readonly producers: StagedProducers;
  readonly #logStartOffset: bigint;
  #nextOffset: bigint;
  #sizeInBytes = 0;

  constructor(producers: ProducerState, offsets: { logStart: bigint; logEnd: bigint }) {
    this.producers = producers.stage();
    this.#logStartOffset = offsets.logStart;
    this.#nextOffset = offsets.logEnd;
  }

  /** What the log's end will be. */
  get nextOffset(): bigint {
    return this.#nextOffset;
  }

  get sizeInBytes(): number {
    return this.#sizeInBytes;
  }

  /** Decides an append: into the group, a duplicate, or an error, which is thrown and changes nothing. */
  add(append: PendingAppend): void {
    const [first] = append.batches;
    if (first !== undefined && append.origin === 'client' && this.#addDuplicate(append, first))
      return;
    const headers =
      append.origin === 'replication'
        ? this.#withGivenOffsets(append)
        : append.batches.map((batch) => this.#withNextOffsets(batch, append.leaderEpoch));
    headers.forEach((header, index) => this.#stage(header, append, index));
    this.headers.push(...headers);
    for (const { bytes } of append.batches) this.buffers.push(bytes);
    this.#sizeInBytes += append.sizeInBytes;
    const last = headers.at(-1);
    if (last !== undefined) this.#nextOffset = last.lastOffset + 1n;
    this.decided.push({ append, info: this.#infoOf(headers) });
  }

  #addDuplicate(append: PendingAppend, { header }: RecordBatch): boolean {
    if (header.producerId < 0n) return false;
    const duplicate = this.producers.findDuplicate(header);
    if (duplicate === undefined) return false;
    const info: AppendInfo = {
      baseOffset: firstOffset(duplicate),
      lastOffset: duplicate.lastOffset,
      maxTimestamp: duplicate.timestamp,
      logAppendTimeMs: duplicate.timestamp,
      logStartOffset: this.#logStartOffset,
      isDuplicate: true,
    };
    this.decided.push({ append, info });
    return true;
  }

  #withNextOffsets({ header, bytes }: RecordBatch, leaderEpoch: number): BatchHeader {
    const baseOffset = this.#nextOffset;
    setBaseOffset(bytes, baseOffset);
    setPartitionLeaderEpoch(bytes, leaderEpoch);
    const lastOffset = baseOffset + BigInt(header.lastOffsetDelta);
    return { ...header, baseOffset, lastOffset, partitionLeaderEpoch: leaderEpoch };
  }

  #withGivenOffsets({ batches }: PendingAppend): BatchHeader[] {
    const headers = batches.map(({ header }) => header);
    const [first] = headers;
    if (first !== undefined && first.baseOffset < this.#nextOffset)
      throw new StorageError(
        'OFFSET_OUT_OF_RANGE',
        `a replicated batch begins at ${first.baseOffset}, before the log end ${this.#nextOffset}`,
      );
    return headers;
  }

  #stage(header: BatchHeader, append: PendingAppend, index: number): void {
    if (header.producerId < 0n) return;
    if (!header.isControl) this.producers.appendData(header, append.origin, append.verification);
    else {
      const batch = append.batches[index];
      const marker = batch && readTransactionMarker(batch, append.transactionVersion);
      if (marker !== undefined) this.producers.appendMarker(header, marker, append.origin);
    }
  }

  #infoOf(headers: readonly BatchHeader[]): AppendInfo {
    const [first] = headers;
    const isAppendTime = first?.timestampType === 'LogAppendTime';
    let maxTimestamp = -1n;
    for (const header of headers)
      if (header.maxTimestamp > maxTimestamp) maxTimestamp = header.maxTimestamp;
    return {
      baseOffset: first?.baseOffset ?? this.#nextOffset,
      lastOffset: headers.at(-1)?.lastOffset ?? this.#nextOffset - 1n,
      maxTimestamp,
      logAppendTimeMs: isAppendTime ? maxTimestamp : -1n,
      logStartOffset: this.#logStartOffset,
      isDuplicate: false,
    };
  }
}
