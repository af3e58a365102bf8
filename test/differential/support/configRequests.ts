import type { RequestInput } from '../../wire/broker/support/rawClient.ts';

export const types = { topic: 2, broker: 4, brokerLogger: 8, group: 32 } as const;
const operations = { set: 0, delete: 1, append: 2, subtract: 3 } as const;
/** Of what a broker was given itself, and of what nobody gave it. */
export const sources = { own: 2, default: 5 } as const;

export type Change = readonly [
  name: string,
  operation: keyof typeof operations,
  value: string | null,
];

export const changing = (
  resourceType: number,
  resourceName: string,
  changes: readonly Change[],
  validateOnly = false,
): RequestInput<'incrementalAlterConfigs'> => {
  const configs = changes.map(([name, operation, value]) => ({
    name,
    configOperation: operations[operation],
    value,
  }));
  return { resources: [{ resourceType, resourceName, configs }], validateOnly };
};

export const describing = (
  resourceType: number,
  resourceName: string,
  configurationKeys: string[] | null,
): RequestInput<'describeConfigs'> => ({
  resources: [{ resourceType, resourceName, configurationKeys }],
  includeSynonyms: true,
});
