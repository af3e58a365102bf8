import { brokerConfigs } from './brokerConfigs.ts';
import { coarserConfigs } from './coarserConfigs.ts';
import type { ConfigDefinition, ConfigTable } from './configType.ts';
import { hiddenFixedConfigs, hiddenGroupConfigs } from './hiddenConfigs.ts';
import { internalConfigs } from './internalConfigs.ts';
import { withoutListener } from './listenerPrefix.ts';
import { unusedConfig, unusedConfigs } from './unusedConfigs.ts';
import { withoutEffect } from './withoutEffect.ts';

/** Every config of a broker that DescribeConfigs tells of, by name. [AbstractKafkaConfig.CONFIG_DEF] */
export const describedConfigs: ConfigTable = {
  ...Object.fromEntries(Object.entries(brokerConfigs).filter(([name]) => !isInternal(name))),
  ...Object.fromEntries(coarserConfigs),
  ...withoutEffect(unusedConfigs),
};

/** Those that it tells of only once they are set. */
const hiddenConfigs: ConfigTable = {
  ...internalConfigs,
  ...withoutEffect({ ...hiddenGroupConfigs, ...hiddenFixedConfigs }),
};

/** What a config is, also of a single listener; undefined where nobody knows it. [KafkaConfig.configType] */
export function definitionOf(name: string): ConfigDefinition | undefined {
  return exactDefinitionOf(name) ?? exactDefinitionOf(withoutListener(name) ?? '');
}

/** Not of a single listener. */
export function exactDefinitionOf(name: string): ConfigDefinition | undefined {
  if (Object.hasOwn(describedConfigs, name)) return describedConfigs[name];
  return Object.hasOwn(hiddenConfigs, name) ? hiddenConfigs[name] : unusedConfig(name);
}

function isInternal(name: string): boolean {
  return Object.hasOwn(internalConfigs, name);
}
