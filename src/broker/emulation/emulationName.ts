/**
 * The servers that a cluster can behave as. Apart from their tables, so that the npm package's types need nothing else.
 */
export const emulationNames = [
  'kafka-3.9',
  'redpanda',
  'confluent-cloud',
  'msk-serverless',
] as const;

export type EmulationName = (typeof emulationNames)[number];

export function isEmulationName(name: string): name is EmulationName {
  return (emulationNames as readonly string[]).includes(name);
}
