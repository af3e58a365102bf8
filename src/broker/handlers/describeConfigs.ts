import { mapInSteps, type Steps } from '../../base/turns.ts';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { rootLogger } from '../alterLoggers.ts';
import { int32Of } from '../config/configText.ts';
import {
  brokerEntriesOf,
  clientMetricsEntriesOf,
  clusterEntriesOf,
  type ConfigEntry,
  configEntriesOf,
  groupEntriesOf,
  loggerEntries,
} from '../config/describe.ts';
import { resourceTypes } from '../controller/metadataImage.ts';
import { topicNameProblem } from '../controller/topicNames.ts';
import type { Handler, RequestContext, RequestOf, ResponseOf } from '../handler.ts';
import { configAuthorizationError } from '../security/authorizer/configAccess.ts';

type Resource = RequestOf<'describeConfigs'>['resources'][number];
type Answer = NonNullable<ResponseOf<'describeConfigs'>['results']>[number];

/** Versions 1-4: 1 synonyms (KIP-226); 3 types and documentation (KIP-569); 4 flexible. */
export const describeConfigs: Handler<'describeConfigs'> = {
  versions: [1, 4],
  isReport: () => true,
  *handle(request, context) {
    const { resources } = request;
    const stranger = resources.find(({ resourceType }) => !isResourceType(resourceType));
    if (stranger) return { results: yield* mapInSteps(resources, refusalOver(stranger)) };
    // What is named again is answered again, as Kafka does, but is in memory once.
    const answered = new Map<string, Answer>();
    const { readable, refused } = yield* sorted(resources, context);
    const results = yield* mapInSteps(readable, (resource) => {
      if (!asksForAll(resource)) return answer(resource, request, context);
      const key = `${resource.resourceType} ${resource.resourceName}`;
      const same = answered.get(key) ?? answer(resource, request, context);
      answered.set(key, same);
      return same;
    });
    return { results: results.concat(refused) };
  },
};

/** What may not be read comes last. [ConfigHelper.handleDescribeConfigsRequest] */
function* sorted(
  resources: readonly Resource[],
  { access }: RequestContext,
): Steps<{ readable: Resource[]; refused: Answer[] }> {
  const readable: Resource[] = [];
  const refused: Answer[] = [];
  for (const resource of resources) {
    yield;
    const error = configAuthorizationError(access, 'describeConfigs', resource);
    if (error === undefined) readable.push(resource);
    else refused.push(unauthorized(resource, error));
  }
  return { readable, refused };
}

function unauthorized({ resourceType, resourceName }: Resource, error: ErrorName): Answer {
  const errorMessage = 'No ACL allows the client to describe these configs.';
  return { resourceType, resourceName, errorCode: errorCodes[error], errorMessage };
}

const isResourceType = (type: number): boolean =>
  Object.values<number>(resourceTypes).includes(type);

/** Over one of no type, Kafka refuses all of them. [ConfigHelper.handleDescribeConfigsRequest] */
function refusalOver(stranger: Resource): (resource: Resource) => Answer {
  const errorMessage = `Unexpected resource type ${stranger.resourceType} for resource ${stranger.resourceName}`;
  const errorCode = errorCodes.INVALID_REQUEST;
  return ({ resourceType, resourceName }) => ({
    resourceType,
    resourceName,
    errorCode,
    errorMessage,
  });
}

/** An empty list asks for all of them too. [ConfigHelper.describeConfigs] */
function asksForAll({ configurationKeys }: Resource): boolean {
  return configurationKeys === null || configurationKeys.length === 0;
}

function answer(
  resource: Resource,
  request: RequestOf<'describeConfigs'>,
  context: RequestContext,
): Answer {
  const { resourceType, resourceName, configurationKeys } = resource;
  const found = entriesOf(resource, context);
  if ('error' in found) {
    const { error, message } = found;
    return { resourceType, resourceName, errorCode: errorCodes[error], errorMessage: message };
  }
  const isAll = asksForAll(resource);
  const wanted = found.entries.filter(
    ({ name }) => isAll || configurationKeys?.includes(name) === true,
  );
  return {
    resourceType,
    resourceName,
    errorMessage: '',
    configs: wanted.map((entry) => ({
      ...entry,
      synonyms: request.includeSynonyms ? entry.synonyms : [],
      // Of loggers there is none, and that is told whether or not it was asked for.
      documentation:
        request.includeDocumentation || resourceType === resourceTypes.brokerLogger
          ? entry.documentation
          : null,
    })),
  };
}

type Found = { entries: readonly ConfigEntry[] } | { error: ErrorName; message: string };

function entriesOf({ resourceType, resourceName }: Resource, { node }: RequestContext): Found {
  const { config } = node.cluster;
  if (resourceType === resourceTypes.topic) {
    const problem = topicNameProblem(resourceName);
    if (problem) {
      const message = `Topic name is invalid: ${problem}`;
      return { error: 'INVALID_TOPIC_EXCEPTION', message };
    }
    const topic = node.image.topic(resourceName);
    if (topic) return { entries: configEntriesOf(config, topic.configs) };
    return { error: 'UNKNOWN_TOPIC_OR_PARTITION', message: '' };
  }
  if (resourceType === resourceTypes.broker) {
    const all = node.image.configsOf(resourceTypes.broker, '');
    if (resourceName === '') return { entries: clusterEntriesOf(all) };
    return ofBroker(resourceName, node.id, () => brokerEntriesOf(config));
  }
  if (resourceType === resourceTypes.brokerLogger) {
    return ofBroker(resourceName, node.id, () =>
      loggerEntries(rootLogger, node.cluster.logger.level),
    );
  }
  if (resourceType === resourceTypes.group) {
    const configs = node.image.configsOf(resourceTypes.group, resourceName);
    return named(resourceName, 'Group name', () => groupEntriesOf(config, configs));
  }
  const configs = node.image.configsOf(resourceTypes.clientMetrics, resourceName);
  const what = 'Client metrics subscription name';
  return named(resourceName, what, () => clientMetricsEntriesOf(configs));
}

function named(name: string, what: string, entries: () => readonly ConfigEntry[]): Found {
  if (name !== '') return { entries: entries() };
  return { error: 'INVALID_REQUEST', message: `${what} must not be empty` };
}

function ofBroker(name: string, nodeId: number, entries: () => readonly ConfigEntry[]): Found {
  const id = int32Of(name);
  if (id === nodeId) return { entries: entries() };
  const message =
    id === undefined
      ? `Broker id must be an integer, but it is: ${name}`
      : `Unexpected broker id, expected ${nodeId} or empty string, but received ${name}`;
  return { error: 'INVALID_REQUEST', message };
}
