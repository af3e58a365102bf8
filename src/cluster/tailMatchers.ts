import { RE2JS } from 're2js';
import type { Disposable } from '../base/disposable.ts';
import type { FetchedBatch } from '../client/fetchedPartition.ts';
import { decompress, defaultMaxDecompressedBytes } from '../protocol/records/compression.ts';
import { batchHeaderBytes } from '../protocol/records/recordBatch.ts';
import type { KafkaRecord } from '../protocol/records/recordReader.ts';
import { filterLengthMax, type TailFilter } from '../shared/tailFilter.ts';
import { ProblemError } from './problems.ts';

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

const regexFlags: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

/** RE2 takes time in proportion to the text, whatever the expression: nobody's pattern can hang it. */
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

function compileRegex(pattern: string, flags: string): RE2JS {
  if (pattern.length > filterLengthMax) throw new ProblemError('the expression is too long');
  const bits = Object.entries(regexFlags).reduce(
    (sum, [flag, bit]) => (flags.includes(flag) ? sum | bit : sum),
    0,
  );
  try {
    return RE2JS.compile(pattern, bits);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProblemError(
      `This regular expression cannot be read: ${reason}`,
      'The syntax is RE2’s, which has no look-around and no back references.',
    );
  }
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
