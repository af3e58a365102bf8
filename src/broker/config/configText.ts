// How Kafka reads the text of a config, and writes it again. [ConfigDef.parseType, ConfigDef.convertToString]
import type { ConfigValues } from './configType.ts';

/** Control characters and blanks of ASCII at both ends go; blanks of Unicode stay. [String.trim] */
export const javaTrim = (text: string): string => text.replace(/^[\0- ]+|[\0- ]+$/g, '');

/** The items of a list config: comma-separated, blanks around them dropped. */
export function listItems(value: string): string[] {
  const text = javaTrim(value);
  return text === '' ? [] : text.split(',').map(javaTrim);
}

/**
 * A list after an incremental change. Items are compared as they stand, with the blanks around them, and one of them
 * is taken away at a time. [ConfigurationControlManager.incrementalAlterConfigResource]
 */
export function changedList(list: string, operation: 'append' | 'subtract', value: string): string {
  const items = list.split(',').filter((item) => item !== '');
  for (const item of javaSplit(value)) {
    const place = items.indexOf(item);
    if (operation === 'append' && place === -1) items.push(item);
    if (operation === 'subtract' && place !== -1) items.splice(place, 1);
  }
  return items.join(',');
}

/** Empty strings at the end are dropped, unless there was nothing to split. [String.split] */
function javaSplit(text: string): string[] {
  const items = text.split(',');
  while (text !== '' && items.at(-1) === '') items.pop();
  return items;
}

/** A double config; Java allows it a suffix. [Double.parseDouble] */
export const doubleOf = (text: string): number => Number(javaTrim(text).replace(/[fd]$/i, ''));

/** What DescribeConfigs tells of a valid value: not what was set, but what was read from it. */
export function shownConfig({ type, isReplicas }: ConfigValues, value: string): string {
  switch (type) {
    case 'boolean':
      return javaTrim(value).toLowerCase();
    case 'short':
    case 'int':
    case 'long':
      return BigInt(javaTrim(value).replace(/^\+/, '')).toString();
    case 'double':
      return javaDouble(doubleOf(value));
    case 'list':
      return (isReplicas ? listItems(value) : [...new Set(listItems(value))]).join(',');
    case 'string':
    case 'class':
    case 'password':
      return javaTrim(value);
  }
}

/** [Double.toString] */
function javaDouble(value: number): string {
  const size = Math.abs(value);
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  if (size >= 1e-3 && size < 1e7) return Number.isInteger(value) ? `${value}.0` : String(value);
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  return `${digits.includes('.') ? digits : `${digits}.0`}E${exponent.replace('+', '')}`;
}
