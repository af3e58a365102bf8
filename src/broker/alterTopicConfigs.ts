import { errorCodes, type ErrorName } from '../protocol/errors.ts';
import type { BrokerNode } from './brokerNode.ts';
import { topicDefault } from './config/effectiveConfigs.ts';
import type { TopicConfigName } from './config/topicConfigs.ts';
import { type ConfigChange, planTopicConfigs } from './controller/alterConfigs.ts';
import type { NewMetadataRecord } from './controller/controller.ts';
import { type MetadataImage, resourceTypes } from './controller/metadataImage.ts';
import { answerableError } from './partitionLookup.ts';

/** What configs belong to. */
export interface ConfigResource {
  readonly resourceType: number;
  readonly resourceName: string;
}

export interface AlterResult extends ConfigResource {
  readonly errorCode: number;
  readonly errorMessage: string | null;
}

/**
 * Changes the configs of several resources, each by itself all or nothing. Topics only: the configs of a broker
 * are set at its start. [ControllerApis, ConfigurationControlManager]
 */
export async function alterTopicConfigs<R extends ConfigResource>(
  node: BrokerNode,
  resources: readonly R[],
  changesOf: (resource: R, image: MetadataImage) => readonly ConfigChange[],
  validateOnly: boolean,
): Promise<AlterResult[]> {
  const { controller, config } = node.cluster;
  const defaultOf = (name: string): string => topicDefault(config, name as TopicConfigName);
  try {
    return await controller.change((image) => {
      const records: NewMetadataRecord[] = [];
      const result = resources.map((resource) => {
        const refused = refusalOf(resource, resources);
        if (refused) return refused;
        const changes = changesOf(resource, image);
        const plan = planTopicConfigs(image, resource.resourceName, changes, defaultOf);
        if (!validateOnly) records.push(...plan.records);
        return resultOf(resource, plan.error, plan.message);
      });
      return { records, result };
    });
  } catch (error) {
    const name = answerableError(node, 'changing configs', error);
    return resources.map((resource) => resultOf(resource, name, (error as Error).message));
  }
}

function refusalOf(
  resource: ConfigResource,
  all: readonly ConfigResource[],
): AlterResult | undefined {
  const { resourceType, resourceName } = resource;
  const same = all.filter(
    (other) => other.resourceType === resourceType && other.resourceName === resourceName,
  );
  const invalid = (message: string): AlterResult => resultOf(resource, 'INVALID_REQUEST', message);
  if (same.length > 1) return invalid('Each resource must appear at most once.');
  if (resourceType === resourceTypes.topic) return undefined;
  return resourceType === resourceTypes.broker
    ? invalid('The configs of this broker are set at its start (--set name=value).')
    : invalid(`Unexpected resource type ${resourceType}.`);
}

function resultOf(
  { resourceType, resourceName }: ConfigResource,
  error: ErrorName,
  errorMessage: string | null,
): AlterResult {
  return { resourceType, resourceName, errorCode: errorCodes[error], errorMessage };
}
