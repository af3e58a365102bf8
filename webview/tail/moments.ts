/** Points in time as short as their distance allows. */
import { dayOf, timeOf, timeWithMs } from '../kit/format.ts';

const dayMs = 86_400_000;

/** In local time, down to what a step of `stepMs` tells apart. */
export function moment(epochMs: number, stepMs: number): string {
  const date = new Date(epochMs);
  if (Number.isNaN(date.getTime())) return '…';
  if (stepMs >= dayMs) return dayOf(date);
  return stepMs < 1000 ? timeWithMs(date) : timeOf(date);
}

/** Both ends of a span; with their day where it is not the same day. */
export function momentsOf(fromMs: number, toMs: number, stepMs: number): [string, string] {
  const ends: [string, string] = [moment(fromMs, stepMs), moment(toMs, stepMs)];
  if (stepMs >= dayMs || moment(fromMs, dayMs) === moment(toMs, dayMs)) return ends;
  return [`${moment(fromMs, dayMs)} ${ends[0]}`, `${moment(toMs, dayMs)} ${ends[1]}`];
}
