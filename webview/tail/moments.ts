/** Points in time as short as their distance allows. */

const dayMs = 86_400_000;

function pad(value: number, width = 2): string {
  return String(value).padStart(width, '0');
}

/** The local day, as in `2026-11-29`; undefined: it is past what a date can be. */
export function dayOf(epochMs: number): string | undefined {
  const date = new Date(epochMs);
  if (Number.isNaN(date.getTime())) return undefined;
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** In local time, down to what a step of `stepMs` tells apart. */
export function moment(epochMs: number, stepMs: number): string {
  const day = dayOf(epochMs);
  if (day === undefined) return '…';
  if (stepMs >= dayMs) return day;
  const date = new Date(epochMs);
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
  return stepMs < 1000 ? `${time}.${pad(date.getMilliseconds(), 3)}` : time;
}

/** Both ends of a span; with their day where it is not the same day. */
export function momentsOf(fromMs: number, toMs: number, stepMs: number): [string, string] {
  const ends: [string, string] = [moment(fromMs, stepMs), moment(toMs, stepMs)];
  if (stepMs >= dayMs || moment(fromMs, dayMs) === moment(toMs, dayMs)) return ends;
  return [`${moment(fromMs, dayMs)} ${ends[0]}`, `${moment(toMs, dayMs)} ${ends[1]}`];
}
