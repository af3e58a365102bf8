/** When a record is from, as its row says it: a record of another day than today carries its day. */
import { formatTimestamp } from '../kit/format.ts';
import { dayOf } from './moments.ts';

export interface RecordTime {
  readonly text: string;
  /** Whether the day is part of the text. */
  readonly hasDay: boolean;
  /** With the zone, and in UTC. */
  readonly title: string;
}

export function recordTime(timestamp: string, nowMs: number): RecordTime {
  const { short, long } = formatTimestamp(timestamp);
  const epochMs = Number(timestamp);
  const day = timestamp === '-1' ? undefined : dayOf(epochMs);
  const hasDay = day !== undefined && day !== dayOf(nowMs);
  return { text: hasDay ? `${day} ${short}` : short, hasDay, title: long };
}
