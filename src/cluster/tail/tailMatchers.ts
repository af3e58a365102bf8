import type { Disposable } from '../../base/disposable.ts';
import type { FetchedBatch } from '../../client/fetchedPartition.ts';
import { decompress, defaultMaxDecompressedBytes } from '../../protocol/records/compression.ts';
import { batchHeaderBytes } from '../../protocol/records/recordBatch.ts';
import type { KafkaRecord } from '../../protocol/records/recordReader.ts';
import type { TailFilter } from '../../shared/tailFilter.ts';
import type { ProblemError } from '../problems.ts';
import { requiredLiteral } from '../regexLiteral.ts';
import { fieldText, headerText, type TailDecoders } from './tailDecoders.ts';
import { compileRegex } from '../userRegex.ts';

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
  /** Why the filter as a whole is at its end. */
  readonly problem?: ProblemError | undefined;
  /** A verdict for each, or for the first of them where there is a problem now. */
  match(records: readonly PlacedRecord[]): Verdict[] | Promise<Verdict[]>;
}

/** As many as take a few milliseconds. */
const recordsAtOnce = 500;

/** Lets every record through, as where only a span of time is looked at. */
export const everyRecord: TailMatcher = {
  most: recordsAtOnce,
  match: (records) => records.map(() => true),
  dispose: () => undefined,
};

/** A matcher for text and for regular expressions. Throws a ProblemError for what cannot be read. */
export function plainMatcher(
  filter: Exclude<TailFilter, { kind: 'none' | 'script' }>,
  decoders: TailDecoders,
): TailMatcher {
  const test = filter.kind === 'text' ? textTest(filter.text) : regexTest(filter);
  const { bytesMayMatch } = test;
  const isPlain = (decoders.rewritten?.size ?? 0) === 0;
  return {
    most: recordsAtOnce,
    ...(bytesMayMatch && isPlain && { mayMatch: (batch) => bytesMayMatch(recordBytes(batch)) }),
    match: (records) => records.map(({ record }) => someField(record, decoders, test)),
    dispose: () => undefined,
  };
}

interface TextTest {
  readonly matches: (text: string) => boolean;
  /** Whether bytes that are shown as UTF-8 match. */
  readonly bytesMatch: (bytes: Buffer) => boolean;
  /** False: none of the fields that stand in these bytes matches. Left out: that cannot be told. */
  readonly bytesMayMatch?: (bytes: Buffer) => boolean;
}

/** Capitals are made small on both sides, as JavaScript does it: by Unicode, the same everywhere. */
function textTest(text: string): TextTest {
  const needle = text.toLowerCase();
  const matches = (field: string): boolean => field.toLowerCase().includes(needle);
  const bytesMatch = (bytes: Buffer): boolean => matches(bytes.toString('utf8'));
  if (!isAscii(needle)) return { matches, bytesMatch };
  const holdsNeedle = holderOf(needle);
  return {
    matches,
    bytesMatch: (bytes) => holdsNeedle(bytes) || (holdsOddCapital(bytes) && bytesMatch(bytes)),
    bytesMayMatch: (bytes) => holdsNeedle(bytes) || holdsOddCapital(bytes),
  };
}

/** RE2 takes time in proportion to the text, whatever the expression: nobody's pattern can hang it. */
function regexTest({ pattern, flags }: { pattern: string; flags: string }): TextTest {
  const compiled = compileRegex(pattern, flags);
  const matches = (field: string): boolean => compiled.matcher(field).find();
  const bytesMatch = (bytes: Buffer): boolean => matches(bytes.toString('utf8'));
  const literal = requiredLiteral(pattern);
  if (literal === '') return { matches, bytesMatch };
  if (flags.includes('i')) {
    const holdsLiteral = holderOf(literal.toLowerCase());
    const bytesMayMatch = (bytes: Buffer): boolean => holdsLiteral(bytes) || holdsOddCapital(bytes);
    return {
      matches,
      bytesMatch: (bytes) => bytesMayMatch(bytes) && bytesMatch(bytes),
      bytesMayMatch,
    };
  }
  const has = (field: string): boolean => field.includes(literal) && matches(field);
  const literalBytes = Buffer.from(literal);
  return {
    matches: has,
    bytesMatch: (bytes) => has(bytes.toString('utf8')),
    bytesMayMatch: (bytes) => bytes.includes(literalBytes),
  };
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/**
 * Tells whether bytes hold small ASCII text, in capitals or not. Latin-1 has a character for each byte, and without the
 * flag `u` nothing but a letter of ASCII is the same as one of ASCII where capitals do not matter.
 * [ECMAScript: Canonicalize]
 */
function holderOf(small: string): (bytes: Buffer) => boolean {
  const pattern = new RegExp(small.replace(/[^a-z0-9]/g, '\\$&'), 'i');
  const holds = (bytes: Buffer): boolean => pattern.test(bytes.toString('latin1'));
  const [part = ''] = small.split(/[a-z]+/).sort((a, b) => b.length - a.length);
  if (part === '') return holds;
  // What has no letters stands in the bytes as it is: to look for it makes no text of them.
  const partBytes = Buffer.from(part);
  if (part === small) return (bytes) => bytes.includes(partBytes);
  return (bytes) => bytes.includes(partBytes) && holds(bytes);
}

/** K and İ, which become small letters of ASCII, and ſ, which RE2 takes for an s where capitals do not matter. */
const oddCapitals = ['\u212a', '\u0130', '\u017f'].map((letter) => Buffer.from(letter));

function holdsOddCapital(bytes: Buffer): boolean {
  return oddCapitals.some((letter) => bytes.includes(letter));
}

/** The bytes of a batch's records, in which all keys, values and headers stand as they are. */
function recordBytes({ header, bytes }: FetchedBatch): Buffer {
  const stored = bytes.subarray(batchHeaderBytes);
  const { compression } = header;
  return compression === 'none'
    ? stored
    : decompress(compression, stored, defaultMaxDecompressedBytes);
}

function someField(record: KafkaRecord, decoders: TailDecoders, test: TextTest): boolean {
  const { rewritten } = decoders;
  const fieldHas = (field: 'key' | 'value'): boolean => {
    const bytes = record[field];
    if (bytes === null) return false;
    if (!rewritten?.has(field)) return test.bytesMatch(bytes);
    return test.matches(fieldText(decoders, field, record) ?? '');
  };
  const headerHas = (value: Buffer | null): boolean => {
    if (value === null) return false;
    return rewritten?.has('headers')
      ? test.matches(headerText(decoders, value) ?? '')
      : test.bytesMatch(value);
  };
  return (
    fieldHas('key') ||
    fieldHas('value') ||
    record.headers.some(({ key, value }) => test.bytesMatch(key) || headerHas(value))
  );
}
