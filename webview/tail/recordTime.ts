/** When a record is from, as its row says it: a record of another day than today carries its day. */
import { dayOf, formatTimestamp } from '../kit/format.ts';

export interface RecordTime {
  readonly text: string;
  /** Without the day. */
  readonly clock: string;
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
  return { text: hasDay ? `${day} ${short}` : short, clock: short, hasDay, title: long };
}
