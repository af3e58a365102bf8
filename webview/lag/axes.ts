/** What stands at the axes of a chart: steps of which no two are written alike. Nothing here touches the page. */

/** Of seconds. Finer ones would be written as the same second. */
export const timeSteps = [1, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200];

/** Of offsets, which are whole: 1, 2, 5, 10 … up to more than any lag. */
export const valueSteps = Array.from({ length: 19 }, (_, digits) =>
  [1, 2, 5].map((first) => first * 10 ** digits),
).flat();

/** A local time of day. */
export function clockTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
