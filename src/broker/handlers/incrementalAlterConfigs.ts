import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { topicDefault } from '../config/effectiveConfigs.ts';
import type { TopicConfigName } from '../config/topicConfigs.ts';
import { planTopicConfigs } from '../controller/alterConfigs.ts';
import type { NewMetadataRecord } from '../controller/controller.ts';
import { resourceTypes } from '../controller/metadataImage.ts';
import type { Handler, RequestOf } from '../handler.ts';

type Resource = RequestOf<'incrementalAlterConfigs'>['resources'][number];

/** Versions 0-1: 1 flexible. Topics only: brokers have no dynamic configs yet. */
export const incrementalAlterConfigs: Handler<'incrementalAlterConfigs'> = {
  versions: [0, 1],
  handle({ resources, validateOnly }, { node }) {
    const { controller, config } = node.cluster;
    return controller.change((image) => {
      const records: NewMetadataRecord[] = [];
      const responses = resources.map((resource) => {
        const { resourceType, resourceName, configs } = resource;
        const problem = problemOf(resource, resources);
        if (problem) return { resourceType, resourceName, ...problem };
        const changes = configs.map(({ name, configOperation: operation, value }) => ({
          name,
          operation,
          value,
        }));
        const plan = planTopicConfigs(image, resourceName, changes, (name) =>
          topicDefault(config, name as TopicConfigName),
        );
        if (!validateOnly) records.push(...plan.records);
        const { error, message: errorMessage } = plan;
        return { resourceType, resourceName, errorCode: errorCodes[error], errorMessage };
      });
      return { records, result: { responses } };
    });
  },
};

function problemOf(
  { resourceType, resourceName }: Resource,
  all: readonly Resource[],
): { errorCode: number; errorMessage: string } | undefined {
  const problem = (error: ErrorName, errorMessage: string) => ({
    errorCode: errorCodes[error],
    errorMessage,
  });
  const same = all.filter(
    (other) => other.resourceType === resourceType && other.resourceName === resourceName,
  );
  if (same.length > 1) return problem('INVALID_REQUEST', 'Each resource must appear at most once.');
  if (resourceType === resourceTypes.topic) return undefined;
  if (resourceType === resourceTypes.broker) {
    return problem('INVALID_REQUEST', 'broker configs cannot be changed while it runs yet');
  }
  return problem('INVALID_REQUEST', `Unexpected resource type ${resourceType}`);
}
