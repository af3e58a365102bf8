import { booleanOf, doubleOf, javaTrim, listItems, wholeNumberOf } from './configText.ts';
import type { ConfigValues } from './configType.ts';

/**
 * What DescribeConfigs tells of a valid value: not what was set, but what was read from it. [ConfigDef.convertToString]
 */
export function shownConfig({ type, isReplicas }: ConfigValues, value: string): string {
  switch (type) {
    case 'boolean':
      return String(booleanOf(value));
    case 'short':
    case 'int':
    case 'long':
      return String(wholeNumberOf(value));
    case 'double':
      return javaDouble(doubleOf(value) ?? Number.NaN);
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
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  if (size >= 1e-3 && size < 1e7) return Number.isInteger(value) ? `${value}.0` : String(value);
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  return `${digits.includes('.') ? digits : `${digits}.0`}E${exponent.replace('+', '')}`;
}
