import { t } from '../../base/l10n.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The local day: `2026-11-30`. */
export function dayOf(atMs: number): string {
  const at = new Date(atMs);
  return `${at.getFullYear()}-${padded(at.getMonth() + 1)}-${padded(at.getDate())}`;
}

/** The local time of day: `14:03`. */
export function clockTime(atMs: number): string {
  const at = new Date(atMs);
  return `${padded(at.getHours())}:${padded(at.getMinutes())}`;
}

/** To the second: `2026-11-30 14:03:07`. */
export function exactTime(atMs: number): string {
  return `${dayOf(atMs)} ${clockTime(atMs)}:${padded(new Date(atMs).getSeconds())}`;
}

export function dayWords(day: string, nowMs: number): string {
  if (day === dayOf(nowMs)) return t('Today');
  const now = new Date(nowMs);
  // Noon, since a day may have 23 hours.
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1, 12);
  return day === dayOf(yesterday.getTime()) ? t('Yesterday') : day;
}

/** How long ago; the time of day where that was on another day. */
export function relativeTime(atMs: number, nowMs: number): string {
  if (dayOf(atMs) !== dayOf(nowMs)) return clockTime(atMs);
  const agoMs = nowMs - atMs;
  if (agoMs < minuteMs) return t('just now');
  return agoMs < hourMs
    ? t('{0} min ago', Math.floor(agoMs / minuteMs))
    : t('{0} h ago', Math.floor(agoMs / hourMs));
}

function padded(part: number): string {
  return String(part).padStart(2, '0');
}
