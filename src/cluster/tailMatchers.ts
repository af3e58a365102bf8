import type { Disposable } from '../base/disposable.ts';
import type { FetchedBatch } from '../client/fetchedPartition.ts';
import { decompress, defaultMaxDecompressedBytes } from '../protocol/records/compression.ts';
import { batchHeaderBytes } from '../protocol/records/recordBatch.ts';
import type { KafkaRecord } from '../protocol/records/recordReader.ts';
import type { TailFilter } from '../shared/tailFilter.ts';
import { compileRegex } from './userRegex.ts';

export interface PlacedRecord {
  readonly partition: number;
  readonly record: KafkaRecord;
}

/** Whether a record matches, or why that cannot be said of it. */
export type Verdict = boolean | { readonly failure: string };

/** Judges records, at most `most` at a time. Ends with its filter. */
export interface TailMatcher extends Disposable {
  readonly most: number;
  /** False: none of the batch's records matches. Spares decoding them. */
  mayMatch?(batch: FetchedBatch): boolean;
  /** A verdict for each. Rejects where the filter as a whole is at its end. */
  match(records: readonly PlacedRecord[]): Verdict[] | Promise<Verdict[]>;
}

/** As many as take a few milliseconds. */
const recordsAtOnce = 500;

/** A matcher for text and for regular expressions. Throws a ProblemError for what cannot be read. */
export function plainMatcher(
  filter: Exclude<TailFilter, { kind: 'none' | 'script' }>,
): TailMatcher {
  if (filter.kind === 'regex') return regexMatcher(filter.pattern, filter.flags);
  const isAscii = /^[\x20-\x7e]*$/.test(filter.text);
  return isAscii ? asciiMatcher(filter.text) : unicodeMatcher(filter.text);
}

/**
 * Looks for bytes, whatever the payload is. Latin-1 has a character for each byte, and to make its
 * capitals small makes no letter of ASCII out of anything else.
 */
function asciiMatcher(text: string): TailMatcher {
  const needle = text.toLowerCase();
  const has = (bytes: Buffer): boolean => bytes.toString('latin1').toLowerCase().includes(needle);
  return {
    most: recordsAtOnce,
    mayMatch: (batch) => has(recordBytes(batch)),
    match: (records) => records.map(({ record }) => someField(record, has)),
    dispose: () => undefined,
  };
}

function unicodeMatcher(text: string): TailMatcher {
  const needle = text.toLowerCase();
  const has = (bytes: Buffer): boolean => bytes.toString('utf8').toLowerCase().includes(needle);
  return {
    most: recordsAtOnce,
    match: (records) => records.map(({ record }) => someField(record, has)),
    dispose: () => undefined,
  };
}

function regexMatcher(pattern: string, flags: string): TailMatcher {
  const compiled = compileRegex(pattern, flags);
  return {
    most: recordsAtOnce / 5,
    match: (records) =>
      records.map(({ record }) =>
        someField(record, (bytes) => compiled.matcher(bytes.toString('utf8')).find()),
      ),
    dispose: () => undefined,
  };
}

/** The bytes of a batch's records, in which all keys, values and headers stand as they are. */
function recordBytes({ header, bytes }: FetchedBatch): Buffer {
  const stored = bytes.subarray(batchHeaderBytes);
  const { compression } = header;
  return compression === 'none'
    ? stored
    : decompress(compression, stored, defaultMaxDecompressedBytes);
}

function someField({ key, value, headers }: KafkaRecord, has: (bytes: Buffer) => boolean): boolean {
  if (key && has(key)) return true;
  if (value && has(value)) return true;
  return headers.some((header) => has(header.key) || (header.value !== null && has(header.value)));
}
