import { noTimestamp, type RecordBatch } from '../protocol/records/recordBatch.ts';
import { readRecords } from '../protocol/records/recordReader.ts';
import { type LogConfig, longMax } from './logConfig.ts';
import type { ScannedRecord } from './recordScan.ts';

/** Two numbers below it have a sum, and that a difference from now, that a number holds exactly. */
const exactLimit = 2 ** 51;

/**
 * What is wrong with the timestamps of a batch for a topic that keeps them, record by record. Counts in numbers, and as
 * Java does in int64s that wrap only where those would be rounded, as clients that send nanoseconds make them.
 * [LogValidator.validateTimestamp]
 */
export class TimestampRange {
  readonly #batch: RecordBatch;
  readonly #nowMs: number;
  readonly #beforeMaxMs: number;
  readonly #afterMaxMs: number;
  readonly #baseTimestamp: number;
  readonly #isBaseExact: boolean;
  #exactTimestamps: readonly bigint[] | undefined;

  constructor(batch: RecordBatch, config: LogConfig, nowMs: number) {
    const { baseTimestamp, maxTimestamp, timestampType } = batch.header;
    this.#batch = batch;
    this.#nowMs = nowMs;
    this.#beforeMaxMs = config.messageTimestampBeforeMaxMs;
    this.#afterMaxMs = config.messageTimestampAfterMaxMs;
    this.#baseTimestamp = Number(baseTimestamp);
    const isOne = timestampType === 'LogAppendTime';
    this.#isBaseExact = !isOne && Math.abs(this.#baseTimestamp) < exactLimit;
    if (isOne) this.#exactTimestamps = [maxTimestamp];
  }

  /** 'none': the record has no timestamp. */
  check({ index, timestampDelta }: ScannedRecord): 'inside' | 'none' | { readonly fault: string } {
    if (this.#isBaseExact && Math.abs(timestampDelta) < exactLimit) {
      const timestamp = this.#baseTimestamp + timestampDelta;
      if (timestamp === -1) return 'none';
      const ageMs = this.#nowMs - timestamp;
      if (ageMs <= this.#beforeMaxMs && -ageMs <= this.#afterMaxMs) return 'inside';
      return this.#outside(index, BigInt(timestamp));
    }
    const timestamp = this.#exactTimestamp(index);
    if (timestamp === noTimestamp) return 'none';
    const ageMs = wrapped(BigInt(this.#nowMs) - timestamp);
    const isInside =
      ageMs <= int64Of(this.#beforeMaxMs) && wrapped(-ageMs) <= int64Of(this.#afterMaxMs);
    return isInside ? 'inside' : this.#outside(index, timestamp);
  }

  #exactTimestamp(index: number): bigint {
    this.#exactTimestamps ??= Array.from(readRecords(this.#batch), ({ timestamp }) => timestamp);
    return this.#exactTimestamps[index] ?? this.#exactTimestamps[0] ?? noTimestamp;
  }

  #outside(index: number, timestamp: bigint): { readonly fault: string } {
    const now = BigInt(this.#nowMs);
    const earliest = wrapped(now - int64Of(this.#beforeMaxMs));
    const latest = wrapped(now + int64Of(this.#afterMaxMs));
    const fault = `Timestamp ${timestamp} of message with offset ${index} is out of range. The timestamp should be within [${earliest}, ${latest}]`;
    return { fault };
  }
}

const wrapped = (value: bigint): bigint => BigInt.asIntN(64, value);

/** Of a config: `Long.MAX_VALUE` is none that a number holds. */
const int64Of = (value: number): bigint => (value >= longMax ? 2n ** 63n - 1n : BigInt(value));
