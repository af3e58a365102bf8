// How Kafka reads the text of a config. [ConfigDef.parseType]

/** Control characters and blanks of ASCII at both ends go; blanks of Unicode stay. [String.trim] */
export function javaTrim(text: string): string {
  // No pattern: one for the end would begin anew at every blank inside.
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= lastBlank) start++;
  while (end > start && text.charCodeAt(end - 1) <= lastBlank) end--;
  return text.slice(start, end);
}

const lastBlank = 0x20;

/** The items of a list config: comma-separated, blanks around them dropped. */
export function listItems(value: string): string[] {
  const text = javaTrim(value);
  return text === '' ? [] : text.split(',').map(javaTrim);
}

/**
 * A list after an incremental change. Items are compared as they stand, with the blanks around them, and one of them
 * is taken away at a time. [ConfigurationControlManager.incrementalAlterConfigResource]
 */
export function changedList(list: string, operation: ListChange, value: string): string {
  const items = list.split(',').filter((item) => item !== '');
  const given = javaSplit(value, ',');
  if (operation === 'subtract') return withoutEach(items, given).join(',');
  const isThere = new Set(items);
  return [...items, ...new Set(given.filter((item) => !isThere.has(item)))].join(',');
}

/**
 * The list that a broker looks at before the change is made: what is appended twice is there twice, and an empty item
 * stays. [ConfigAdminManager.prepareIncrementalConfigs]
 */
export function listToLookAt(list: string, operation: ListChange, value: string): string {
  const items = list === '' ? [] : javaSplit(list, ',');
  const given = javaSplit(value, ',');
  if (operation === 'subtract') return withoutEach(items, given).join(',');
  const isThere = new Set(items);
  return [...items, ...given.filter((item) => !isThere.has(item))].join(',');
}

type ListChange = 'append' | 'subtract';

/** Without one for each that is taken, the first of them first. */
function withoutEach(items: readonly string[], taken: readonly string[]): string[] {
  const leftToTake = new Map<string, number>();
  for (const item of taken) leftToTake.set(item, (leftToTake.get(item) ?? 0) + 1);
  return items.filter((item) => {
    const left = leftToTake.get(item) ?? 0;
    leftToTake.set(item, left - 1);
    return left <= 0;
  });
}

/** Empty strings at the end are dropped, unless there was nothing to split. [String.split] */
export function javaSplit(text: string, separator: string): string[] {
  const items = text.split(separator);
  while (text !== '' && items.at(-1) === '') items.pop();
  return items;
}

/** True or false; undefined: neither. Java has letters equal that are so in upper case. [String.equalsIgnoreCase] */
export function booleanOf(text: string): boolean | undefined {
  // As nearly all are written, and every request asks for some.
  if (text === 'true') return true;
  if (text === 'false') return false;
  const value = javaTrim(text);
  if (/^true$/iu.test(value)) return true;
  return /^false$/iu.test(value) ? false : undefined;
}

/** Undefined: no whole number, or one of more than twenty digits. Digits of any script do. [Long.parseLong] */
export function wholeNumberOf(text: string): bigint | undefined {
  const [, sign, digits] = /^([+-]?)(\p{Nd}+)$/u.exec(javaTrim(text)) ?? [];
  // Java looks at UTF-16's units: what takes two of them is no digit.
  if (digits === undefined || /[\ud800-\udfff]/.test(digits)) return undefined;
  const ascii = digits.replace(/\P{ASCII}/gu, asciiDigit).replace(/^0+(?=.)/, '');
  if (ascii.length > mostDigits) return undefined;
  return sign === '-' ? -BigInt(ascii) : BigInt(ascii);
}

/** As a name has it: no blanks around it, and no more than an int32. Undefined: none. [Integer.parseInt] */
export function int32Of(text: string): number | undefined {
  const number = javaTrim(text) === text ? Number(wholeNumberOf(text) ?? Number.NaN) : Number.NaN;
  return number === Math.trunc(number) && -(2 ** 31) <= number && number < 2 ** 31
    ? number
    : undefined;
}

/** More than an int64 has. */
const mostDigits = 20;

/** Every script's digits follow each other from zero to nine. */
function asciiDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCharCode(code - value - 1))) value++;
  return String(value);
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?[fd]?$/i;
const hexadecimal = /^([+-]?)0x(?:([\da-f]+)\.?|([\da-f]*)\.([\da-f]+))p([+-]?\d+)[fd]?$/i;

/** Undefined: no number. What is not finite does, NaN too, and so do C's hexadecimals. [Double.valueOf] */
export function doubleOf(text: string): number | undefined {
  const value = javaTrim(text);
  if (/^[+-]?NaN$/.test(value)) return Number.NaN;
  if (decimal.test(value)) return Number(value.replace(/[fd]$/i, ''));
  if (/^[+-]?Infinity$/.test(value)) return Number(value);
  const [, sign, whole, before = '', after = '', exponent] = hexadecimal.exec(value) ?? [];
  if (exponent === undefined) return undefined;
  const significand = Number.parseInt(whole ?? before + after, 16);
  const size = significand && significand * 2 ** (Number(exponent) - 4 * after.length);
  return sign === '-' ? -size : size;
}

/** The value of a config that is known to be a number. */
export function numberOf(text: string): number {
  // As nearly all are written, and every request asks for some. What only JavaScript reads is not known to be a number.
  const plain = Number(text);
  if (!Number.isNaN(plain)) return plain;
  const whole = wholeNumberOf(text);
  // Not through bigint, which has no negative zero: a double has.
  return whole === undefined || whole === 0n ? (doubleOf(text) ?? 0) : Number(whole);
}
