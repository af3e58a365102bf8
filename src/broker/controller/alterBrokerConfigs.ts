import { filterInSteps, mapInSteps, type Steps } from '../../base/turns.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { BrokerConfig } from '../config/brokerConfigs.ts';
import { changedList, listItems, listToLookAt } from '../config/configText.ts';
import { configProblem } from '../config/configType.ts';
import { isDynamic, isFixed } from '../config/dynamicConfigs.ts';
import { assignmentIntervalProblem } from '../config/groupConfigs.ts';
import { connectionsProblem } from '../config/connectionRules.ts';
import { definitionOf, exactDefinitionOf } from '../config/describedConfigs.ts';
import { withoutListener, withoutListenerAndMechanism } from '../config/listenerPrefix.ts';
import { isOfOneBroker, threadsProblem } from '../config/reconfigurable.ts';
import { runningProblem } from '../config/runningBroker.ts';
import {
  type ConfigChange,
  type ConfigPlan,
  isTooLong,
  operationOf,
  tooLong,
} from './alterConfigs.ts';
import { repeated } from '../repeated.ts';
import { metadataRecord } from './controller.ts';
import { hasEligibleReplicas } from './features.ts';
import { type MetadataImage, resourceTypes } from './metadataImage.ts';

interface Problem {
  readonly error: ErrorName;
  readonly message: string;
}

/**
 * What the broker says itself to changes of its configs, or with an empty name of all brokers'. Names that are not
 * known are fine, as Kafka keeps them for plugins. [ConfigAdminManager, DynamicBrokerConfig.validate]
 */
export function* brokerConfigsProblem(
  image: MetadataImage,
  resourceName: string,
  changes: readonly ConfigChange[],
  config: BrokerConfig,
): Steps<Problem | undefined> {
  const next = yield* nextConfigs(image, resourceName, changes, listToLookAt);
  return 'error' in next ? next : yield* problemOf(next, config, resourceName === '');
}

/** Decides on changes that the broker has nothing against; all or none. [ConfigurationControlManager] */
export function* planBrokerConfigs(
  image: MetadataImage,
  resourceName: string,
  changes: readonly ConfigChange[],
): Steps<ConfigPlan> {
  const next = yield* nextConfigs(image, resourceName, changes, changedList);
  if ('error' in next) return { records: [], ...next };
  const long = yield* filterInSteps(changes, ({ name }) => isTooLong(next.get(name)));
  const problem =
    minInsyncProblem(image, resourceName, changes) ?? (long.length > 0 ? tooLong : undefined);
  if (problem) return { records: [], ...problem };
  const resourceType = resourceTypes.broker;
  const records = yield* mapInSteps(changes, ({ name }) => ({
    ...metadataRecord('config', {
      resourceType,
      resourceName,
      name,
      value: next.get(name) ?? null,
    }),
    isBrokerConfig: true as const,
  }));
  return { records, error: 'NONE', message: null };
}

function* nextConfigs(
  image: MetadataImage,
  resourceName: string,
  changes: readonly ConfigChange[],
  listAfter: typeof changedList,
): Steps<ReadonlyMap<string, string> | Problem> {
  const next = new Map(image.configsOf(resourceTypes.broker, resourceName));
  for (const change of changes) {
    yield;
    const problem = applyChange(next, change, listAfter);
    if (problem) return problem;
  }
  return next;
}

function applyChange(
  configs: Map<string, string>,
  { name, operation: code, value: given }: ConfigChange,
  listAfter: typeof changedList,
): Problem | undefined {
  const operation = operationOf(code);
  if (operation === undefined) return invalid(`Unknown operations type ${code}`);
  if (operation === 'delete') {
    configs.delete(name);
    return undefined;
  }
  const value = given ?? '';
  if (operation === 'set') {
    configs.set(name, value);
    return undefined;
  }
  // Kafka knows no lists that a listener has for itself. [ConfigAdminManager.prepareIncrementalConfigs]
  const definition = exactDefinitionOf(name);
  if (definition?.type !== 'list') {
    const message = `Config value ${operation} is not allowed for config key: ${name}`;
    return { error: 'INVALID_CONFIG', message };
  }
  configs.set(name, listAfter(configs.get(name) ?? definition.default ?? '', operation, value));
  return undefined;
}

/** [ConfigurationControlManager.isDisallowedBrokerMinIsrTransition, isDisallowedClusterMinIsrTransition] */
function minInsyncProblem(
  image: MetadataImage,
  resourceName: string,
  changes: readonly ConfigChange[],
): Problem | undefined {
  if (!hasEligibleReplicas(image.features)) return undefined;
  const change = changes.find(({ name }) => name === 'min.insync.replicas');
  const problem = (what: string): Problem => ({
    error: 'INVALID_CONFIG',
    message: `${what} with eligible leader replicas.`,
  });
  if (!change) return undefined;
  if (resourceName !== '') return problem("A broker's own min.insync.replicas cannot be changed");
  const isRemoved = operationOf(change.operation) === 'delete';
  return isRemoved ? problem('min.insync.replicas of all brokers cannot be removed') : undefined;
}

function* problemOf(
  configs: ReadonlyMap<string, string>,
  config: BrokerConfig,
  isOfCluster: boolean,
): Steps<Problem | undefined> {
  const listed = (found: readonly string[], problem: string): Problem | undefined =>
    found.length === 0 ? undefined : invalid(`${problem}: [${found.join(', ')}]`);
  // Kafka goes on with some of what a listener has for itself at once; here listeners stay as they were started.
  const fixed = yield* filterInSteps(configs.keys(), (name) => isFixed(ofListener(name) ?? name));
  const problem =
    listed(fixed, 'Cannot update these configs dynamically') ?? (yield* valueProblem(configs));
  if (problem) return problem;
  const ofOneBroker = isOfCluster ? yield* filterInSteps(configs.keys(), isOfOneBroker) : [];
  // What counts is what the broker will have: its own value may hide that of all.
  const after = afterwards(configs, config, isOfCluster);
  return (
    listed(ofOneBroker, 'A broker has to be named with these configs') ??
    inWords(
      threadsProblem(config, after) ??
        assignmentIntervalProblem(configs, (name) => after.text(name)) ??
        connectionsProblem(config, after) ??
        runningProblem(configs, after),
    )
  );
}

/**
 * The name of what a listener goes by itself; how long clients may be idle is the broker's alone.
 * [SocketServer.Processor]
 */
function ofListener(name: string): string | undefined {
  const own = withoutListenerAndMechanism(name);
  return own === 'connections.max.idle.ms' ? undefined : own;
}

/** The configs of the broker once it has been given these. */
function afterwards(
  configs: ReadonlyMap<string, string>,
  config: BrokerConfig,
  isOfCluster: boolean,
): BrokerConfig {
  const { broker, cluster } = config.dynamic();
  const next = isOfCluster ? { broker, cluster: configs } : { broker: configs, cluster };
  return config.withDynamic(() => next);
}

function* valueProblem(configs: ReadonlyMap<string, string>): Steps<Problem | undefined> {
  for (const [name, value] of configs) {
    yield;
    // Nobody looks at these: their values may stand for others. [DynamicBrokerConfig.resolveVariableConfigs]
    if (name.startsWith('config.providers')) continue;
    const definition = definitionOf(name);
    const problem = definition && configProblem(name, definition, value);
    if (problem) return invalid(problem);
    // A topic's are dropped in silence, and so are a listener's that a running broker does not read.
    // [ConfigDef.ValidList]
    const isRead = isDynamic(withoutListener(name) ?? name);
    if (isRead && definition?.type === 'list' && repeated(listItems(value)).size > 0) {
      return invalid(`The items of ${name} must not be repeated`);
    }
  }
  return undefined;
}

const inWords = (problem: string | undefined): Problem | undefined =>
  problem === undefined ? undefined : invalid(problem);

function invalid(message: string): Problem {
  return { error: 'INVALID_REQUEST', message };
}
