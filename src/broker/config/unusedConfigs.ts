import { absentDynamicConfigs, absentFixedNames } from './absentConfigs.ts';
import type { ConfigTable, ConfigValues } from './configType.ts';
import { unusedDynamicConfigs } from './unusedDynamicConfigs.ts';
import { unusedFixedConfigs } from './unusedFixedConfigs.ts';

/** The configs of Apache Kafka's brokers that nothing here goes by, and that are described all the same. */
export const unusedConfigs: ConfigTable = { ...unusedDynamicConfigs, ...unusedFixedConfigs };

/** The values that a config takes which nothing here goes by; undefined: it is none of those. */
export function unusedConfig(name: string): ConfigValues | undefined {
  if (Object.hasOwn(unusedConfigs, name)) return unusedConfigs[name];
  if (Object.hasOwn(absentDynamicConfigs, name)) return absentDynamicConfigs[name];
  return absentFixedNames.has(name) ? { type: 'string' } : undefined;
}
