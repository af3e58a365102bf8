/** Numbers and counts in words, as every view shows them. */

const grouping = new Intl.NumberFormat('en-US', { useGrouping: true, maximumFractionDigits: 0 });

/** Grouped by thousands, exact for any int64, with a true minus sign: `6,667`, `−3,368`. */
export function grouped(value: bigint | number): string {
  return grouping.format(value).replace('-', '−');
}

/** `1 partition`, `3 partitions`, `20,000 records`. */
export function counted(count: bigint | number, noun: string): string {
  return `${grouped(count)} ${noun}${BigInt(count) === 1n ? '' : 's'}`;
}

/** `1, 2, 3`, or `none`. */
export function listed(values: readonly (number | string)[]): string {
  return values.length ? values.join(', ') : 'none';
}
