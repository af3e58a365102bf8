/** What is typed into the fields of an offset reset, as the contract takes it. */

/** An offset in plain digits; thousands may be grouped, as we show them. */
export function toOffset(text: string): string | undefined {
  const digits = text.trim().replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  if (!/^\d{1,19}$/.test(digits) || BigInt(digits) >= 2n ** 63n) return undefined;
  return BigInt(digits).toString();
}

/** Milliseconds since the epoch of a `datetime-local` field. */
export function toInstant(text: string): string | undefined {
  const epochMs = /^\d{4}-\d\d-\d\dT/.test(text) ? new Date(text).getTime() : NaN;
  return Number.isNaN(epochMs) ? undefined : String(epochMs);
}

/** An instant as a `datetime-local` field takes it, in local time and to the millisecond. */
export function toLocalDateTime(epochMs: number): string {
  const local = new Date(epochMs - new Date(epochMs).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, -1);
}
