import * as v from 'valibot';
import { t } from '../base/l10n.ts';
import type { KafkaRecord } from '../protocol/records/recordReader.ts';
import type { PayloadInput } from '../shared/contracts/produce.ts';
import { encodePayload } from './payloadInput.ts';

/** A record that a file holds. What the file leaves out is null or empty. */
export interface FileRecord {
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: readonly FileHeader[];
  readonly partition: number | null;
  /** Milliseconds since the epoch. */
  readonly timestamp?: bigint;
}

/** A header's key is kept as bytes, since nothing makes producers send UTF-8. */
export interface FileHeader {
  readonly key: Uint8Array;
  readonly value: Uint8Array | null;
}

/** A record, or why a line is none. */
export type ParsedRecord = { readonly record: FileRecord } | { readonly problem: string };

export type FileLine = ParsedRecord & { readonly line: number };

/** A record of a topic that goes into a file. */
export interface ExportedRecord {
  readonly topic: string;
  readonly partition: number;
  readonly record: KafkaRecord;
}

/** Of a longer line no record is made: no topic that people have takes so large a one. */
export const mostLineChars = 64 * 1024 * 1024;

/** The bytes of a field that `inputOf` has understood. */
export function bytesFrom<T>(inputOf: (field: T) => PayloadInput) {
  return v.rawTransform<T, Buffer | null>(({ dataset, addIssue, NEVER }) => {
    const encoded = encodePayload(inputOf(dataset.value));
    if ('bytes' in encoded) return encoded.bytes;
    addIssue({ message: encoded.problem });
    return NEVER;
  });
}

const noTimestamp = (): string => t('is not milliseconds since the epoch');

/** Digits as an int64. */
export const timestampText = v.pipe(
  v.string(),
  v.regex(/^-?\d{1,19}$/, noTimestamp),
  v.transform((digits) => BigInt(digits)),
  v.check((timestamp) => BigInt.asIntN(64, timestamp) === timestamp, noTimestamp),
);
export const timestampNumber = v.pipe(
  v.number(),
  v.safeInteger(noTimestamp),
  v.transform((ms) => BigInt(ms)),
);

/** What is wrong, and where in the line. */
export function problemOf([issue]: readonly [v.BaseIssue<unknown>, ...unknown[]]): string {
  return `${v.getDotPath(issue) ?? t('the line')}: ${issue.message}`;
}
