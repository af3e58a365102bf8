import { filterInSteps, mapInSteps, type Steps } from '../base/turns.ts';
import { errorCodes, type ErrorName } from '../protocol/errors.ts';
import { int32Of } from './config/configText.ts';
import { topicDefault } from './config/effectiveConfigs.ts';
import type { TopicConfigName } from './config/topicConfigs.ts';
import { brokerConfigsProblem, planBrokerConfigs } from './controller/alterBrokerConfigs.ts';
import { alterLoggers } from './alterLoggers.ts';
import {
  changesProblem,
  type ConfigChange,
  type ConfigPlan,
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
 * Changes the configs of several resources, each by itself all or nothing: what the broker settles by itself, and then
 * what is left, by the controller. [ConfigAdminManager, ConfigurationControlManager]
 */
export async function alterResourceConfigs<R extends ConfigResource>(
  context: RequestContext,
  resources: readonly R[],
  options: AlterOptions<R>,
): Promise<AlterResult[]> {
  const { inTurns } = context;
  const settled = await inTurns(settledByBroker(context, resources, options));
  const rest = await inTurns(filterInSteps(resources, (resource) => !settled.has(resource)));
  const decisionOn = await askController(context, rest, options);
  return inTurns(
    mapInSteps(resources, (resource) =>
      resultOf(resource, settled.get(resource) ?? decisionOn(resource)),
    ),
  );
}

interface Decision {
  readonly error: ErrorName;
  readonly message: string | null;
}

type DecisionOn<R> = (resource: R) => Decision;

const fine: Decision = { error: 'NONE', message: null };
const invalid = (message: string): Decision => ({ error: 'INVALID_REQUEST', message });

function* settledByBroker<R extends ConfigResource>(
  context: RequestContext,
  resources: readonly R[],
  options: AlterOptions<R>,
): Steps<ReadonlyMap<R, Decision>> {
  const settled = new Map<R, Decision>();
  const duplicates = yield* repeatedInSteps(yield* mapInSteps(resources, keyOf));
  for (const resource of resources) {
    yield;
    const decision = duplicates.has(keyOf(resource))
      ? invalid('Each resource must appear at most once.')
      : yield* ofBrokerFirst(context, resource, options);
    if (decision) settled.set(resource, decision);
  }
  return settled;
}

/** Undefined: the controller is to say. [ConfigAdminManager.preprocess] */
function* ofBrokerFirst<R extends ConfigResource>(
  { node, access }: RequestContext,
  resource: R,
  { changesOf, validateOnly, hasLoggers }: AlterOptions<R>,
): Steps<Decision | undefined> {
  const { resourceType, resourceName } = resource;
  const { controller, config, emulation, logger } = node.cluster;
  const changes = yield* changesOf(resource, controller.image);
  const problem = yield* changesProblem(changes);
  if (problem) return problem;
  switch (resourceType) {
    case resourceTypes.brokerLogger:
      if (!hasLoggers) return unknownType(resource);
      return (
        unauthorizedProblem(resource, access) ??
        nodeIdProblem(resourceName, node.id) ??
        alterLoggers(logger, changes, validateOnly) ??
        fine
      );
    case resourceTypes.broker: {
      const refusal =
        unauthorizedProblem(resource, access) ??
        (resourceName === '' ? undefined : nodeIdProblem(resourceName, node.id));
      if (refusal) return refusal;
      // Another server does not look at what it refuses anyway.
      if (emulation?.brokerConfigs) return undefined;
      return yield* brokerConfigsProblem(controller.image, resourceName, changes, config);
    }
    case resourceTypes.topic:
    case resourceTypes.group:
    case resourceTypes.clientMetrics:
      return undefined;
    default:
      return unknownType(resource);
  }
}

async function askController<R extends ConfigResource>(
  context: RequestContext,
  resources: readonly R[],
  options: AlterOptions<R>,
): Promise<DecisionOn<R>> {
  if (resources.length === 0) return () => fine;
  const { node } = context;
  try {
    return await node.cluster.controller.change((image) =>
      decideOnAll(resources, (resource) => ofController(context, image, resource, options)),
    );
  } catch (error) {
    const name = answerableError(node, 'changing configs', error);
    const { message } = error as Error;
    return () => ({ error: name, message });
  }
}

function* decideOnAll<R>(
  resources: readonly R[],
  planOf: (resource: R) => Steps<ConfigPlan>,
): Steps<MetadataDecision<DecisionOn<R>>> {
  const records: NewMetadataRecord[] = [];
  const decisions = new Map<R, Decision>();
  for (const resource of resources) {
    yield;
    const plan = yield* planOf(resource);
    // The controller fails over all that it is asked.
    if (plan.error === 'UNKNOWN_SERVER_ERROR') return { records: [], result: () => failed };
    decisions.set(resource, plan);
    for (const record of plan.records) records.push(record);
  }
  return { records, result: (resource) => decisions.get(resource) ?? failed };
}

const failed: Decision = {
  error: 'UNKNOWN_SERVER_ERROR',
  message: 'Another resource was asked for what is unknown.',
};

/** [ControllerApis.handleIncrementalAlterConfigs, ConfigurationControlManager] */
function* ofController<R extends ConfigResource>(
  { node, access }: RequestContext,
  image: MetadataImage,
  resource: R,
  { changesOf, validateOnly }: AlterOptions<R>,
): Steps<ConfigPlan> {
  const { config, emulation } = node.cluster;
  const { resourceType, resourceName } = resource;
  const unauthorized = unauthorizedProblem(resource, access);
  if (unauthorized) return { records: [], ...unauthorized };
  const changes = yield* changesOf(resource, image);
  const violation = emulation && violationOf(emulation, resource, changes);
  if (violation) return { records: [], ...violation };
  const defaultOf = (name: TopicConfigName): string => topicDefault(config, name);
  const plan =
    resourceType === resourceTypes.broker
      ? yield* planBrokerConfigs(image, resourceName, changes)
      : ((yield* planOwnConfigs(image, resource, changes, config)) ??
        (yield* planTopicConfigs(image, resourceName, keptOf(changes, emulation), defaultOf)));
  return validateOnly ? { ...plan, records: [] } : plan;
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

const unknownType = ({ resourceType }: ConfigResource): Decision =>
  invalid(`Unknown resource type ${resourceType}`);

function unauthorizedProblem(
  resource: ConfigResource,
  access: RequestContext['access'],
): Decision | undefined {
  const error = configAuthorizationError(access, 'alterConfigs', resource);
  return error && { error, message: 'No ACL allows the client to alter these configs.' };
}

/**
 * What is set under the number written otherwise, as +1, is kept, and no broker goes by it.
 * [ConfigAdminManager.validateResourceNameIsCurrentNodeId]
 */
function nodeIdProblem(name: string, nodeId: number): Decision | undefined {
  const id = int32Of(name);
  if (id === undefined) return invalid(`Node id must be an integer, but it is: ${name}`);
  return id === nodeId
    ? undefined
    : invalid(`Unexpected broker id, expected ${nodeId}, but received ${name}`);
}

function resultOf(
  { resourceType, resourceName }: ConfigResource,
  { error, message: errorMessage }: Decision,
): AlterResult {
  return { resourceType, resourceName, errorCode: errorCodes[error], errorMessage };
}
