import { mapEachInSteps, mapInSteps, type Steps } from '../base/turns.ts';
import { errorCodes, type ErrorName } from '../protocol/errors.ts';
import { int32Of } from './config/configText.ts';
import { topicDefault } from './config/effectiveConfigs.ts';
import type { TopicConfigName } from './config/topicConfigs.ts';
import { planBrokerConfigs } from './controller/alterBrokerConfigs.ts';
import { type ConfigChange, operationOf, planTopicConfigs } from './controller/alterConfigs.ts';
import { planOwnConfigs } from './controller/alterOwnConfigs.ts';
import type { MetadataDecision, NewMetadataRecord } from './controller/controller.ts';
import { type MetadataImage, resourceTypes } from './controller/metadataImage.ts';
import type { Emulation } from './emulation/emulation.ts';
import { changedTopicViolation, isKept, type Violation } from './emulation/topicPolicy.ts';
import type { RequestContext } from './handler.ts';
import { answerableError } from './partitionLookup.ts';
import { repeatedInSteps } from './repeated.ts';
import { configAuthorizationError } from './security/authorizer/configAccess.ts';

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
 * Changes the configs of several resources, each by itself all or nothing.
 * [ConfigAdminManager, ConfigurationControlManager]
 */
export async function alterResourceConfigs<R extends ConfigResource>(
  { node, access, inTurns }: RequestContext,
  resources: readonly R[],
  changesOf: (resource: R, image: MetadataImage) => Steps<readonly ConfigChange[]>,
  validateOnly: boolean,
): Promise<AlterResult[]> {
  const { controller, config, emulation } = node.cluster;
  const defaultOf = (name: TopicConfigName): string => topicDefault(config, name);
  try {
    return await controller.change(function* (image): Steps<MetadataDecision<AlterResult[]>> {
      const records: NewMetadataRecord[] = [];
      const keys = yield* mapInSteps(resources, keyOf);
      const duplicates = yield* repeatedInSteps(keys);
      const result = yield* mapEachInSteps(resources, function* (resource) {
        const refused =
          refusalOf(resource, duplicates, node.id) ??
          unauthorized(resource, access) ??
          loggerRefusal(resource);
        if (refused) return refused;
        const { resourceType, resourceName } = resource;
        const changes = yield* changesOf(resource, image);
        const violation = emulation && violationOf(emulation, resource, changes);
        if (violation) return resultOf(resource, violation.error, violation.message);
        const plan =
          (yield* planOwnConfigs(image, resource, changes, config)) ??
          (resourceType === resourceTypes.topic
            ? yield* planTopicConfigs(image, resourceName, keptOf(changes, emulation), defaultOf)
            : yield* planBrokerConfigs(image, resourceName, changes, config));
        if (!validateOnly) for (const record of plan.records) records.push(record);
        return resultOf(resource, plan.error, plan.message);
      });
      if (!result.some(({ errorCode }) => errorCode === errorCodes.UNKNOWN_SERVER_ERROR)) {
        return { records, result };
      }
      return { records: [], result: yield* mapInSteps(result, failedWithOthers) };
    });
  } catch (error) {
    const name = answerableError(node, 'changing configs', error);
    const { message } = error as Error;
    return inTurns(mapInSteps(resources, (resource) => resultOf(resource, name, message)));
  }
}

/** What another server would refuse, where this one behaves as that. */
function violationOf(
  emulation: Emulation,
  { resourceType }: ConfigResource,
  changes: readonly ConfigChange[],
): Violation | undefined {
  if (resourceType === resourceTypes.broker && emulation.brokerConfigs) {
    const message = `${emulation.server} does not let configs of brokers be changed.`;
    return { error: emulation.brokerConfigs, message };
  }
  if (resourceType !== resourceTypes.topic) return undefined;
  const given = changes.filter(({ operation }) => operationOf(operation) !== 'delete');
  const configs = new Map(given.map(({ name, value }) => [name, value ?? '']));
  return changedTopicViolation(emulation, configs);
}

/** Without what another server takes and does not go by. */
function keptOf(
  changes: readonly ConfigChange[],
  emulation: Emulation | undefined,
): readonly ConfigChange[] {
  return emulation ? changes.filter(({ name }) => isKept(emulation, name)) : changes;
}

const keyOf = ({ resourceType, resourceName }: ConfigResource): string =>
  `${resourceType} ${resourceName}`;

function refusalOf(
  resource: ConfigResource,
  duplicates: ReadonlySet<string>,
  nodeId: number,
): AlterResult | undefined {
  const { resourceType, resourceName } = resource;
  const invalid = (message: string): AlterResult => resultOf(resource, 'INVALID_REQUEST', message);
  if (duplicates.has(keyOf(resource))) return invalid('Each resource must appear at most once.');
  switch (resourceType) {
    case resourceTypes.topic:
      return resourceName === '' ? invalid('Default topic resources are not allowed.') : undefined;
    case resourceTypes.broker: {
      const problem = brokerNameProblem(resourceName, nodeId);
      return problem === undefined ? undefined : invalid(problem);
    }
    case resourceTypes.brokerLogger:
    case resourceTypes.group:
    case resourceTypes.clientMetrics:
      return undefined;
    default:
      return invalid(`Unknown resource type ${resourceType}`);
  }
}

/** The controller fails over all resources or none: only what the broker refused before it asked is told apart. */
function failedWithOthers(result: AlterResult): AlterResult {
  const isTheBrokers =
    result.errorCode === errorCodes.INVALID_REQUEST ||
    result.resourceType === resourceTypes.brokerLogger;
  return isTheBrokers
    ? result
    : resultOf(result, 'UNKNOWN_SERVER_ERROR', 'Another resource was asked for what is unknown.');
}

function loggerRefusal(resource: ConfigResource): AlterResult | undefined {
  return resource.resourceType === resourceTypes.brokerLogger
    ? resultOf(resource, 'INVALID_CONFIG', 'The log level of this broker stays as it is.')
    : undefined;
}

function unauthorized(
  resource: ConfigResource,
  access: RequestContext['access'],
): AlterResult | undefined {
  const error = configAuthorizationError(access, 'alterConfigs', resource);
  return error && resultOf(resource, error, 'No ACL allows the client to alter these configs.');
}

/**
 * The empty name stands for all brokers. What is set under the number written otherwise, as +1, is kept, and no broker
 * goes by it. [ConfigAdminManager.validateResourceNameIsCurrentNodeId]
 */
function brokerNameProblem(name: string, nodeId: number): string | undefined {
  if (name === '') return undefined;
  const id = int32Of(name);
  if (id === undefined) return `Node id must be an integer, but it is: ${name}`;
  return id === nodeId
    ? undefined
    : `Unexpected broker id, expected ${nodeId}, but received ${name}`;
}

function resultOf(
  { resourceType, resourceName }: ConfigResource,
  error: ErrorName,
  errorMessage: string | null,
): AlterResult {
  return { resourceType, resourceName, errorCode: errorCodes[error], errorMessage };
}
