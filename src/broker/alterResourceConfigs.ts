import { mapEachInSteps, mapInSteps, type Steps } from '../base/turns.ts';
import { errorCodes, type ErrorName } from '../protocol/errors.ts';
import { int32Of } from './config/configText.ts';
import { topicDefault } from './config/effectiveConfigs.ts';
import type { TopicConfigName } from './config/topicConfigs.ts';
import { planBrokerConfigs } from './controller/alterBrokerConfigs.ts';
import { alterLoggers } from './alterLoggers.ts';
import {
  changesProblem,
  type ConfigChange,
  operationOf,
  planTopicConfigs,
} from './controller/alterConfigs.ts';
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

interface AlterOptions<R> {
  readonly changesOf: (resource: R, image: MetadataImage) => Steps<readonly ConfigChange[]>;
  readonly validateOnly: boolean;
  /** Whether loggers are among the resources that there are. */
  readonly hasLoggers: boolean;
}

/**
 * Changes the configs of several resources, each by itself all or nothing.
 * [ConfigAdminManager, ConfigurationControlManager]
 */
export async function alterResourceConfigs<R extends ConfigResource>(
  { node, access, inTurns }: RequestContext,
  resources: readonly R[],
  { changesOf, validateOnly, hasLoggers }: AlterOptions<R>,
): Promise<AlterResult[]> {
  const { controller, config, emulation, logger } = node.cluster;
  const defaultOf = (name: TopicConfigName): string => topicDefault(config, name);
  try {
    return await controller.change(function* (image): Steps<MetadataDecision<AlterResult[]>> {
      const records: NewMetadataRecord[] = [];
      const keys = yield* mapInSteps(resources, keyOf);
      const duplicates = yield* repeatedInSteps(keys);
      const outcomes = yield* mapEachInSteps(resources, function* (resource): Steps<Outcome> {
        const { resourceType, resourceName } = resource;
        const isBroker = resourceType === resourceTypes.broker;
        const isLogger = resourceType === resourceTypes.brokerLogger;
        const refusal =
          isLogger && !hasLoggers
            ? unknownType(resource)
            : refusalOf(resource, duplicates, node.id);
        if (refusal) return refusedAtOnce(resource, refusal);
        const changes = yield* changesOf(resource, image);
        const problem = yield* changesProblem(changes);
        if (problem) return refusedAtOnce(resource, problem);
        const unauthorized = unauthorizedProblem(resource, access);
        if (isLogger)
          return refusedAtOnce(
            resource,
            unauthorized ?? alterLoggers(logger, changes, validateOnly) ?? fine,
          );
        const violation = emulation && violationOf(emulation, resource, changes);
        const ofBroker =
          isBroker && !violation
            ? yield* planBrokerConfigs(image, resourceName, changes, config)
            : undefined;
        if (ofBroker && ofBroker.error !== 'NONE') return refusedAtOnce(resource, ofBroker);
        if (unauthorized) return decidedOn(resource, unauthorized);
        if (violation) return decidedOn(resource, violation);
        const plan =
          ofBroker ??
          (yield* planOwnConfigs(image, resource, changes, config)) ??
          (yield* planTopicConfigs(image, resourceName, keptOf(changes, emulation), defaultOf));
        if (!validateOnly) for (const record of plan.records) records.push(record);
        return decidedOn(resource, plan);
      });
      const result = outcomes.map((outcome) => outcome.result);
      const hasFailed = outcomes.some(hasFailedUnknown);
      return hasFailed
        ? { records: [], result: yield* mapInSteps(outcomes, failedWithOthers) }
        : { records, result };
    });
  } catch (error) {
    const name = answerableError(node, 'changing configs', error);
    const { message } = error as Error;
    return inTurns(
      mapInSteps(resources, (resource) => resultOf(resource, { error: name, message })),
    );
  }
}

/** What came of one resource, and whether the broker said so before it asked the controller. [ConfigAdminManager.preprocess] */
interface Outcome {
  readonly result: AlterResult;
  readonly isTheBrokers: boolean;
}

interface Decision {
  readonly error: ErrorName;
  readonly message: string | null;
}

const fine: Decision = { error: 'NONE', message: null };

const refusedAtOnce = (resource: ConfigResource, decision: Decision): Outcome => ({
  result: resultOf(resource, decision),
  isTheBrokers: true,
});

const decidedOn = (resource: ConfigResource, decision: Decision): Outcome => ({
  result: resultOf(resource, decision),
  isTheBrokers: false,
});

const hasFailedUnknown = ({ result, isTheBrokers }: Outcome): boolean =>
  !isTheBrokers && result.errorCode === errorCodes.UNKNOWN_SERVER_ERROR;

/** The controller fails over all that it is asked. */
function failedWithOthers({ result, isTheBrokers }: Outcome): AlterResult {
  const message = 'Another resource was asked for what is unknown.';
  return isTheBrokers ? result : resultOf(result, { error: 'UNKNOWN_SERVER_ERROR', message });
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

const unknownType = ({ resourceType }: ConfigResource): Decision => ({
  error: 'INVALID_REQUEST',
  message: `Unknown resource type ${resourceType}`,
});

function refusalOf(
  { resourceType, resourceName }: ConfigResource,
  duplicates: ReadonlySet<string>,
  nodeId: number,
): Decision | undefined {
  const message = duplicates.has(keyOf({ resourceType, resourceName }))
    ? 'Each resource must appear at most once.'
    : typeProblem(resourceType, resourceName, nodeId);
  return message === undefined ? undefined : { error: 'INVALID_REQUEST', message };
}

function typeProblem(type: number, name: string, nodeId: number): string | undefined {
  switch (type) {
    case resourceTypes.broker:
      return name === '' ? undefined : brokerNameProblem(name, nodeId);
    case resourceTypes.brokerLogger:
      return brokerNameProblem(name, nodeId);
    case resourceTypes.topic:
    case resourceTypes.group:
    case resourceTypes.clientMetrics:
      return undefined;
    default:
      return `Unknown resource type ${type}`;
  }
}

function unauthorizedProblem(
  resource: ConfigResource,
  access: RequestContext['access'],
): Decision | undefined {
  const error = configAuthorizationError(access, 'alterConfigs', resource);
  return error && { error, message: 'No ACL allows the client to alter these configs.' };
}

/**
 * The empty name stands for all brokers. What is set under the number written otherwise, as +1, is kept, and no broker
 * goes by it. [ConfigAdminManager.validateResourceNameIsCurrentNodeId]
 */
function brokerNameProblem(name: string, nodeId: number): string | undefined {
  const id = int32Of(name);
  if (id === undefined) return `Node id must be an integer, but it is: ${name}`;
  return id === nodeId
    ? undefined
    : `Unexpected broker id, expected ${nodeId}, but received ${name}`;
}

function resultOf(
  { resourceType, resourceName }: ConfigResource,
  { error, message: errorMessage }: Decision,
): AlterResult {
  return { resourceType, resourceName, errorCode: errorCodes[error], errorMessage };
}
