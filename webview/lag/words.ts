/** What figures of a lag mean, in words. Nothing here touches the page. */
import { t } from '../../src/base/l10n.ts';
import type {
  Isolation,
  LagPartition,
  LagTime,
  ReadablePartition,
} from '../../src/shared/contracts/lag.ts';
import { groupThousands } from '../../src/shared/numbers.ts';
import { errorWords, formatMoment, formatTimestamp } from '../kit/format.ts';
import { endOf, lostOf } from './model.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const daysPerYear = 365.25;
/** Below, so much of a year is left over that its days say more. */
const fewestYears = 2;

/** `420 ms`, `1.4 s`, `12 s`, `3 min 12 s`, `2 h 5 min`, `3 d 4 h`, `200 d`, `25 years`. */
export function durationWords(ms: number): string {
  if (ms < 1) return t('0 s');
  if (ms < second) return t('{0} ms', Math.round(ms));
  if (ms < 9950) return t('{0} s', (ms / second).toFixed(1));
  // Not `59.6 s` as `60 s`.
  if (ms < 59_500) return t('{0} s', Math.round(ms / second));
  const whole = Math.max(ms, minute);
  if (whole < hour) {
    const [minutes, seconds] = parts(whole, minute, second);
    return t('{0} min {1} s', minutes, seconds);
  }
  if (whole < day) {
    const [hours, minutes] = parts(whole, hour, minute);
    return t('{0} h {1} min', hours, minutes);
  }
  const [days, hours] = parts(whole, day, hour);
  if (days >= fewestYears * daysPerYear) {
    return t('{0} years', groupThousands(Math.floor(days / daysPerYear)));
  }
  if (days >= 100) return t('{0} d', groupThousands(days));
  return t('{0} d {1} h', groupThousands(days), hours);
}

function parts(ms: number, large: number, small: number): [number, number] {
  return [Math.floor(ms / large), Math.floor((ms % large) / small)];
}

/** How long the first unread record has been there at a time: short, and what that figure is. */
export function timeWords(
  time: LagTime,
  atMs: number,
): { readonly short: string; readonly long: string } {
  if (time.kind === 'none') return { short: t('0 s'), long: t('There is no record to read.') };
  if (time.kind === 'unknown') {
    return {
      short: t('unknown'),
      long: t(
        'Not known: there is no commit, or the record at the commit could not be read or has no timestamp.',
      ),
    };
  }
  const { lagMs, isAtLeast } = time;
  const source = {
    history: t(
      'Since the end passed the committed offset, as it was seen here between two samples.',
    ),
    appendTime: t(
      "Since the broker appended the record at the committed offset, by the broker's clock.",
    ),
    createTime: t(
      'Since the timestamp of the record at the committed offset, which its producer set (CreateTime).',
    ),
  }[time.source];
  const duration = durationWords(lagMs);
  const how = lagMs < day ? source : t('{0} That was {1}.', source, formatMoment(atMs - lagMs));
  if (!isAtLeast) return { short: duration, long: how };
  return {
    short: `> ${duration}`,
    long: t(
      '{0} The record that the group stands at is gone: this is the age of the first that is left.',
      how,
    ),
  };
}

/** Offsets a second: whole above 10, else with one digit. */
export function rateWords(rate: number | null): string {
  if (rate === null) return '–';
  return rate >= 10 || rate === 0 ? groupThousands(Math.round(rate)) : rate.toFixed(1);
}

export interface Note {
  readonly kind: 'error' | 'warning' | 'info';
  readonly text: string;
}

/** What there is to know of a partition beside its figures; the worst first. */
export function noteOf(row: LagPartition, isolation: Isolation): Note | undefined {
  if (row.error) return { kind: 'error', text: errorWords(row.error) };
  if (row.commitError) return { kind: 'error', text: errorWords(row.commitError) };
  if (row.committed === null) {
    return {
      kind: 'info',
      text: t('No commit: the group starts where its auto.offset.reset says.'),
    };
  }
  const lost = lostOf(row);
  if (lost > 0n) {
    return {
      kind: 'warning',
      text: t(
        'Retention passed it: up to {0} records are lost to this group. It goes on where its auto.offset.reset says.',
        groupThousands(lost),
      ),
    };
  }
  if (BigInt(row.committed) > BigInt(row.end)) {
    return {
      kind: 'warning',
      text: t(
        'Past the end: the topic was made anew or lost its end. The group goes on where its auto.offset.reset says.',
      ),
    };
  }
  return heldBackNote(row, isolation);
}

function heldBackNote(row: LagPartition, isolation: Isolation): Note | undefined {
  const held = BigInt(row.end) - BigInt(row.stable);
  if (held <= 0n) return undefined;
  const isAtStable = row.committed !== null && BigInt(row.committed) >= BigInt(row.stable);
  const behind = endOf(row, isolation);
  if (isAtStable && behind !== undefined) {
    return {
      kind: 'info',
      text: t(
        'An open transaction holds {0} offsets back: a read_committed consumer gets nothing until it ends.',
        groupThousands(held),
      ),
    };
  }
  return {
    kind: 'info',
    text: t('An open transaction holds the last {0} offsets back.', groupThousands(held)),
  };
}

/** The parts of a lag, in the order in which they are shown. */
export const partNames = [
  'records',
  'unstable',
  'aborted',
  'markers',
  'gaps',
  'lost',
  'unread',
] as const;
export type PartName = (typeof partNames)[number];

export function partWords(name: PartName): { readonly label: string; readonly meaning: string } {
  switch (name) {
    case 'records':
      return {
        label: t('records to read'),
        meaning: t('What a read_committed consumer gets.'),
      };
    case 'unstable':
      return {
        label: t('behind an open transaction'),
        meaning: t('From the last stable offset on: a read_committed consumer waits for its end.'),
      };
    case 'aborted':
      return {
        label: t('aborted'),
        meaning: t('Records of aborted transactions: only a read_uncommitted consumer gets them.'),
      };
    case 'markers':
      return {
        label: t('transaction markers'),
        meaning: t('How transactions ended. They take an offset each, and no consumer gets them.'),
      };
    case 'gaps':
      return {
        label: t('gaps'),
        meaning: t('Offsets without a record, for the most part removed by compaction.'),
      };
    case 'lost':
      return {
        label: t('lost'),
        meaning: t('Before the log start: retention deleted them before the group read them.'),
      };
    case 'unread':
      return {
        label: t('not looked at'),
        meaning: t(
          'The look was cut off at its limit; the other parts are what there is at least.',
        ),
      };
  }
}

/** What the parts come to, in a sentence or two. */
export function explanation(parts: ReadablePartition): string[] {
  const lag = BigInt(parts.end) - BigInt(parts.committed);
  const [records, unread] = [BigInt(parts.records), BigInt(parts.unread)];
  return [
    ...(records === 0n && unread === 0n ? [nothingToRead(parts, lag)] : []),
    ...(records > 0n || unread > 0n ? [somethingToRead(records, lag, unread)] : []),
    ...transactionWords(parts),
  ];
}

function somethingToRead(records: bigint, lag: bigint, unread: bigint): string {
  const [count, of] = [groupThousands(records), groupThousands(lag)];
  if (unread > 0n) {
    return t(
      'Of {0} offsets, at least {1} are records to read; not all were looked at.',
      of,
      count,
    );
  }
  if (records === lag) return t('Every one of the {0} offsets is a record to read.', of);
  return t('Of {0} offsets, {1} are records to read.', of, count);
}

function nothingToRead(parts: ReadablePartition, lag: bigint): string {
  const [markers, unstable] = [BigInt(parts.markers), BigInt(parts.unstable)];
  if (markers === lag && lag === 1n) {
    return t(
      'There is nothing to read: the last offset is a transaction marker. It takes an offset that no consumer gets, so the lag stays 1 until the next record.',
    );
  }
  if (markers === lag) {
    return t(
      'There is nothing to read: all {0} offsets are transaction markers, which no consumer gets.',
      groupThousands(lag),
    );
  }
  if (unstable > 0n) return t('A read_committed consumer has nothing to read now.');
  return t(
    'There is nothing to read: the {0} offsets hold no record that a read_committed consumer gets.',
    groupThousands(lag),
  );
}

function transactionWords({ openTransaction, unstable }: ReadablePartition): string[] {
  if (!openTransaction) return [];
  const { producerId, firstOffset, timestamp } = openTransaction;
  return [
    t(
      'The transaction of producer {0}, open since offset {1} ({2}), holds back {3} offsets.',
      producerId,
      groupThousands(firstOffset),
      formatTimestamp(timestamp).short,
      groupThousands(unstable),
    ),
  ];
}
