import { mapInSteps, setInSteps } from '../../base/turns.ts';
import { alterResourceConfigs } from '../alterResourceConfigs.ts';
import { type ConfigChange, namesOf, operationCodes } from '../controller/alterConfigs.ts';
import { resourceTypes } from '../controller/metadataImage.ts';
import type { Handler } from '../handler.ts';

/** Versions 0-2: 2 flexible. What is not named goes back to its default; IncrementalAlterConfigs does not do that. */
export const alterConfigs: Handler<'alterConfigs'> = {
  versions: [0, 2],
  async handle({ resources, validateOnly }, context) {
    const responses = await alterResourceConfigs(context, resources, {
      *changesOf({ resourceType, resourceName, configs }, image) {
        const changes = yield* mapInSteps(configs, ({ name, value }): ConfigChange => {
          return { name, operation: operationCodes.set, value };
        });
        const named = yield* setInSteps(namesOf(changes));
        const present =
          resourceType === resourceTypes.topic
            ? image.topic(resourceName)?.configs
            : image.configsOf(resourceType, resourceName);
        for (const name of present?.keys() ?? []) {
          yield;
          if (named.has(name)) continue;
          changes.push({ name, operation: operationCodes.delete, value: null });
        }
        return changes;
      },
      validateOnly,
      hasLoggers: false,
    });
    return { responses };
  },
};
