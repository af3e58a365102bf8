/**
 * Where a tail starts and ends, in one line. The host and the panel read it with the same parser.
 *
 *     seek   = start [ (":" | "..") end ] | start ".."
 *     start  = "last" N | "group" NAME | point
 *     end    = point
 *     point  = "earliest" | "beginning" | "latest" | "end" | OFFSET | "@" time
 *     time   = YYYY-MM-DD[THH:MM[:SS[.mmm]][zone]] | milliseconds | "-" duration      (see seekTime.ts)
 *
 * - A colon belongs to a time only where the time's own form has it, between two digits and exactly two
 *   digits (`14:00`, `+09:00`). Any other colon, and `..` always, separates start from end.
 * - After a start that is a time, the end's `@` may be left out: `@-1h:-10m`.
 * - The end is not included, as Kafka's end offsets are not: `6100:6200` is 100 records at most.
 * - `last N` counts on each partition. A group's name is the rest of the line, whatever is in it.
 */
import { t } from '../base/l10n.ts';
import { groupThousands } from './numbers.ts';
import { Scanner, SeekSyntaxError } from './seekScanner.ts';
import { describeDuration, formatDuration, FAR_DATE, formatInstant, readTime } from './seekTime.ts';

export { SeekSyntaxError } from './seekScanner.ts';

/** A place in a log. `ago` is resolved against the clock when the tail starts. */
export type SeekPoint =
  | { readonly kind: 'earliest' | 'latest' }
  | { readonly kind: 'offset'; readonly offset: bigint }
  | { readonly kind: 'time'; readonly epochMs: number }
  | { readonly kind: 'ago'; readonly agoMs: number };

export type SeekStart =
  | SeekPoint
  | { readonly kind: 'last'; readonly count: number }
  | { readonly kind: 'group'; readonly group: string };

export interface Seek {
  readonly start: SeekStart;
  /** Not included. Without it the tail follows. */
  readonly end?: SeekPoint;
}

/** What to offer a person who has typed nothing yet, in the order of how often it is wanted. */
export const seekExamples = (): readonly { readonly text: string; readonly meaning: string }[] => [
  { text: 'latest', meaning: t('only what arrives from now on') },
  { text: 'last 100', meaning: t('the newest 100 of each partition, then follow') },
  { text: 'earliest', meaning: t('everything that is kept, then follow') },
  { text: '@-1h', meaning: t('the last hour, then follow (w, d, h, m, s, or -PT1H)') },
  { text: '@-1h:-10m', meaning: t('from one hour ago to ten minutes ago') },
  { text: '@2026-11-29T14:00', meaning: t('from a local time; add Z or +09:00 for another zone') },
  { text: '6100', meaning: t('from an offset, on every partition') },
  { text: '6100:6200', meaning: t('from an offset up to another, which is left out') },
  { text: 'group billing', meaning: t("from a group's committed offsets") },
];

/** Words that other tools have for the same, as kcat's `-o` and `--from-beginning`: understood, and written as ours. */
export const seekAliases = (): readonly { readonly text: string; readonly meaning: string }[] => [
  { text: 'beginning', meaning: t('the same as {0}', 'earliest') },
  { text: 'end', meaning: t('the same as {0}', 'latest') },
];

const places = new Map<string, 'earliest' | 'latest'>([
  ['earliest', 'earliest'],
  ['beginning', 'earliest'],
  ['latest', 'latest'],
  ['end', 'latest'],
]);

const starts = (): string[] => [
  'earliest',
  'latest',
  'last 100',
  '6100',
  '6100:6200',
  '@-1h',
  t('group NAME'),
];
const points = (): string[] => [
  'earliest',
  'latest',
  t('an offset such as 6200'),
  t('a time such as @-10m'),
];
const INT64_MAX = 2n ** 63n - 1n;
export const seekLengthMax = 1000;

/**
 * Reads a seek expression. Local times are read in this process's time zone.
 * @throws SeekSyntaxError with the position and what would be accepted there.
 */
export function parseSeek(text: string): Seek {
  const scanner = new Scanner(text);
  if (text.length > seekLengthMax) {
    throw new SeekSyntaxError(
      t('this is longer than {0} characters', seekLengthMax),
      seekLengthMax,
      [],
    );
  }
  scanner.skipSpaces();
  const start = readStart(scanner);
  scanner.skipSpaces();
  if (scanner.atEnd()) return { start };
  const open = scanner.take('..');
  if (!open && !scanner.take(':')) {
    throw scanner.problem(t('did not expect {0} here', scanner.quoteNext()), [
      t('the end of the line'),
      t('a colon and where to stop'),
    ]);
  }
  scanner.skipSpaces();
  if (open && scanner.atEnd()) return { start };
  const endPosition = scanner.position;
  const end = readEnd(scanner, start);
  scanner.skipSpaces();
  if (!scanner.atEnd()) {
    throw scanner.problem(t('did not expect {0} after the end of the range', scanner.quoteNext()), [
      t('the end of the line'),
    ]);
  }
  refuseEmptyRange({ start, end }, endPosition);
  return { start, end };
}

function readStart(scanner: Scanner): SeekStart {
  if (scanner.atEnd()) throw scanner.problem(t('say where to start'), starts());
  const position = scanner.position;
  switch (scanner.word()) {
    case 'last':
      return { kind: 'last', count: readCount(scanner) };
    case 'group':
      return { kind: 'group', group: readGroup(scanner) };
    default:
      scanner.position = position;
      return readPoint(scanner, starts());
  }
}

function readEnd(scanner: Scanner, start: SeekStart): SeekPoint {
  if (scanner.atEnd()) {
    throw scanner.problem(t('say where to stop, or leave the colon out to follow'), points());
  }
  const position = scanner.position;
  const word = scanner.word();
  scanner.position = position;
  if (word === 'last' || word === 'group') {
    throw scanner.problem(t('“{0}” says where to start, not where to stop', word), points());
  }
  const isTime = start.kind === 'time' || start.kind === 'ago';
  if (isTime && scanner.match(/-|\d{4}-\d/y, { peek: true })) return readTime(scanner);
  return readPoint(scanner, points());
}

function readPoint(scanner: Scanner, expected: readonly string[]): SeekPoint {
  const position = scanner.position;
  if (scanner.take('@') || scanner.match(FAR_DATE, { peek: true })) return readTime(scanner);
  if (scanner.match(/\d{4}-\d|-PT?\d|-\d+[a-z]/iy, { peek: true })) {
    throw scanner.problem(t('a time begins with @'), [`@${scanner.rest.split(/[\s:]/)[0] ?? ''}`]);
  }
  if (scanner.match(/-\d+/y, { peek: true })) {
    throw scanner.problem(t('an offset is not negative'), [t('last 100 for the newest records')]);
  }
  const word = scanner.word();
  const place = places.get(word);
  if (place) return { kind: place };
  if (word === '') return { kind: 'offset', offset: readOffset(scanner, expected) };
  scanner.position = position;
  throw scanner.problem(t('“{0}” is not a place in a log', word), expected);
}

function readOffset(scanner: Scanner, expected: readonly string[]): bigint {
  const position = scanner.position;
  const [digits] = scanner.match(/\d{1,3}(?:,\d{3})+(?![\d,])|\d+/y) ?? [];
  if (digits === undefined) {
    throw scanner.problem(t('did not expect {0} here', scanner.quoteNext()), expected);
  }
  const offset = BigInt(digits.replaceAll(',', '').slice(0, 400));
  if (offset > INT64_MAX) {
    throw new SeekSyntaxError(t('this is past the largest offset'), position, [
      t('an offset up to {0}', groupThousands(INT64_MAX)),
    ]);
  }
  return offset;
}

function readCount(scanner: Scanner): number {
  scanner.skipSpaces();
  const position = scanner.position;
  const [digits] = scanner.match(/\d{1,3}(?:,\d{3})+(?![\d,])|\d+/y) ?? [];
  const count = Number((digits ?? '').replaceAll(',', ''));
  if (!Number.isSafeInteger(count) || count === 0) {
    throw new SeekSyntaxError(t('say how many records, from 1 up'), position, ['last 100']);
  }
  return count;
}

function readGroup(scanner: Scanner): string {
  const position = scanner.position;
  const group = scanner.rest.trim();
  if (group === '' || !/^\s/.test(scanner.rest)) {
    throw new SeekSyntaxError(t('name the group, after a space'), position, ['group billing']);
  }
  scanner.position += scanner.rest.length;
  return group;
}

function refuseEmptyRange({ start, end }: Required<Seek>, position: number): void {
  const refuse = (why: string): never => {
    throw new SeekSyntaxError(why, position, [t('an end after the start')]);
  };
  if (end.kind === 'earliest') refuse(t('nothing lies before the earliest record'));
  if (start.kind === 'latest' && end.kind === 'latest') refuse(t('nothing lies between the two'));
  if (start.kind === 'offset' && end.kind === 'offset' && end.offset <= start.offset) {
    refuse(t('the end is not after the start, {0}', groupThousands(start.offset)));
  }
  const bothTimes = start.kind === 'time' && end.kind === 'time' && end.epochMs <= start.epochMs;
  const bothAgo = start.kind === 'ago' && end.kind === 'ago' && end.agoMs >= start.agoMs;
  if (bothTimes || bothAgo) refuse(t('the end is not after the start'));
}

/** The same expression in its plainest form; an absolute time carries its zone, so that it means the same anywhere. */
export function formatSeek({ start, end }: Seek): string {
  if (!end) return formatStart(start);
  const separator = start.kind === 'time' || end.kind === 'time' ? '..' : ':';
  return `${formatStart(start)}${separator}${formatStart(end)}`;
}

function formatStart(start: SeekStart): string {
  switch (start.kind) {
    case 'earliest':
    case 'latest':
      return start.kind;
    case 'last':
      return `last ${start.count}`;
    case 'group':
      return `group ${start.group}`;
    case 'offset':
      return start.offset.toString();
    case 'time':
      return `@${formatInstant(start.epochMs)}`;
    case 'ago':
      return `@-${formatDuration(start.agoMs)}`;
  }
}

/** What the expression does, as a sentence for people. */
export function describeSeek({ start, end }: Seek): string {
  const begin = describeStart(start);
  if (!end) return t('{0}, then follow.', begin);
  return end.kind === 'offset'
    ? t('{0} up to {1} (not included).', begin, describePoint(end))
    : t('{0} up to {1}.', begin, describePoint(end));
}

function describeStart(start: SeekStart): string {
  switch (start.kind) {
    case 'last':
      return start.count === 1
        ? t('The newest record of each partition')
        : t('The newest {0} records of each partition', groupThousands(start.count));
    case 'group':
      return t('From the offsets that group {0} has committed', start.group);
    case 'latest':
      return t('From the end of the log');
    case 'earliest':
    case 'offset':
    case 'time':
    case 'ago':
      return t('From {0}', describePoint(start));
  }
}

/** A place in a log, as a part of a sentence. */
export function describePoint(point: SeekPoint): string {
  switch (point.kind) {
    case 'earliest':
      return t('the earliest record kept');
    case 'latest':
      return t('the end of the log as it is now');
    case 'offset':
      return t('offset {0}', groupThousands(point.offset));
    case 'time':
      return formatInstant(point.epochMs);
    case 'ago':
      return t('{0} ago', describeDuration(point.agoMs));
  }
}
