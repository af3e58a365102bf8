/** When a record is from, as its row says it: a record of another day than today carries its day. */
import { dayOf, formatTimestamp, timeOf } from '../kit/format.ts';

export interface RecordTime {
  readonly text: string;
  /** Where there is little room: to the second, and of another year to the minute. */
  readonly brief: string;
  /** Whether the day is part of the text. */
  readonly hasDay: boolean;
  /** With the zone, and in UTC. */
  readonly title: string;
}

export function recordTime(timestamp: string, nowMs: number): RecordTime {
  const { short, long } = formatTimestamp(timestamp);
  const date = new Date(Number(timestamp));
  const isKnown = timestamp !== '-1' && !Number.isNaN(date.getTime());
  const day = isKnown ? dayOf(date) : undefined;
  const hasDay = day !== undefined && day !== dayOf(new Date(nowMs));
  if (!hasDay) return { text: short, brief: short, hasDay, title: long };
  return { text: `${day} ${short}`, brief: briefly(date, new Date(nowMs)), hasDay, title: long };
}

/** As in `11-29 14:03:07`, or `2001-11-29 14:03`: the day tells records apart where the millisecond does not. */
function briefly(date: Date, now: Date): string {
  return date.getFullYear() === now.getFullYear()
    ? `${dayOf(date).slice('yyyy-'.length)} ${timeOf(date)}`
    : `${dayOf(date)} ${timeOf(date).slice(0, 'hh:mm'.length)}`;
}
