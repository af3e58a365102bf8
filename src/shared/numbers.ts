/** A whole number grouped by thousands, `-1,234,567`; exact, since digits are only moved about. */
export function groupThousands(whole: string | number | bigint): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ',');
}
