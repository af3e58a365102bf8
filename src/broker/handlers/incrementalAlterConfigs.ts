import { mapInSteps } from '../../base/turns.ts';
import { alterResourceConfigs } from '../alterResourceConfigs.ts';
import type { Handler } from '../handler.ts';

/** Versions 0-1: 1 flexible. Single values are set, deleted, appended to or subtracted from. [KIP-339] */
export const incrementalAlterConfigs: Handler<'incrementalAlterConfigs'> = {
  versions: [0, 1],
  async handle({ resources, validateOnly }, context) {
    const responses = await alterResourceConfigs(context, resources, {
      changesOf: ({ configs }) =>
        mapInSteps(configs, ({ name, configOperation: operation, value }) => ({
          name,
          operation,
          value,
        })),
      validateOnly,
      hasLoggers: true,
    });
    return { responses };
  },
};
