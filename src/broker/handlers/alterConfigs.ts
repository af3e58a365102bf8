import { alterResourceConfigs } from '../alterResourceConfigs.ts';
import { operationCodes } from '../controller/alterConfigs.ts';
import { resourceTypes } from '../controller/metadataImage.ts';
import type { Handler } from '../handler.ts';

/** Versions 0-2: 2 flexible. What is not named goes back to its default; IncrementalAlterConfigs does not do that. */
export const alterConfigs: Handler<'alterConfigs'> = {
  versions: [0, 2],
  async handle({ resources, validateOnly }, context) {
    const responses = await alterResourceConfigs(
      context,
      resources,
      ({ resourceType, resourceName, configs }, image) => {
        const named = new Set(configs.map(({ name }) => name));
        const present =
          resourceType === resourceTypes.topic
            ? [...(image.topic(resourceName)?.configs.keys() ?? [])]
            : [...image.configsOf(resourceType, resourceName).keys()];
        return [
          ...configs.map(({ name, value }) => ({ name, operation: operationCodes.set, value })),
          ...present
            .filter((name) => !named.has(name))
            .map((name) => ({ name, operation: operationCodes.delete, value: null })),
        ];
      },
      validateOnly,
    );
    return { responses };
  },
};
