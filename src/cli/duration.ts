const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Milliseconds of a duration such as `7d`, `36h` or `1d12h`; undefined where it is none. */
export function parseDurationMs(text: string): number | undefined {
  if (!/^(?:\d{1,9}(?:ms|[smhdw]))+$/.test(text)) return undefined;
  let ms = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|[smhdw])/g)) {
    ms += Number(count) * units[unit as keyof typeof units];
  }
  return ms;
}

/** The same words back, largest unit first: `7d`, `1d12h`, `0s`. */
export function formatDuration(ms: number): string {
  const parts: string[] = [];
  let rest = ms;
  for (const unit of ['d', 'h', 'm', 's', 'ms'] as const) {
    const count = Math.floor(rest / units[unit]);
    if (count > 0) parts.push(`${count}${unit}`);
    rest -= count * units[unit];
  }
  return parts.join('') || '0s';
}
