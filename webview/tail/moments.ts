/** Points in time as short as their distance allows. */
import type { TimeSpan } from '../../src/shared/contracts/tailQuery.ts';
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

/** Both ends of a span, as exact as its length tells apart. */
export function spanWords({ fromMs, toMs }: TimeSpan): [string, string] {
  const isWhole = (stepMs: number): boolean => fromMs % stepMs === 0 && toMs % stepMs === 0;
  return momentsOf(fromMs, toMs, isWhole(1000) ? 1000 : 1);
}
