import { absentDynamicConfigs } from './absentConfigs.ts';
import { brokerConfigs } from './brokerConfigs.ts';
import { coarserConfigs } from './coarserConfigs.ts';
import type { ConfigDefinition, ConfigTable } from './configType.ts';
import { withoutListener } from './listenerPrefix.ts';
import { unusedConfigs } from './unusedConfigs.ts';

/** Every config of a broker that DescribeConfigs tells of, by name. [AbstractKafkaConfig.CONFIG_DEF] */
export const describedConfigs: ConfigTable = {
  ...brokerConfigs,
  ...Object.fromEntries(coarserConfigs),
  ...Object.fromEntries(
    Object.entries(unusedConfigs).map(([name, definition]) => {
      const documentation = `${definition.documentation} It changes nothing here.`;
      return [name, { ...definition, documentation }];
    }),
  ),
};

/** What a config is, also of a single listener; undefined where nobody knows it. [KafkaConfig.configType] */
export function definitionOf(name: string): ConfigDefinition | undefined {
  return exactly(name) ?? exactly(withoutListener(name) ?? '');
}

function exactly(name: string): ConfigDefinition | undefined {
  if (Object.hasOwn(describedConfigs, name)) return describedConfigs[name];
  const values = Object.hasOwn(absentDynamicConfigs, name) ? absentDynamicConfigs[name] : undefined;
  return values && { ...values, default: null, documentation: '' };
}
