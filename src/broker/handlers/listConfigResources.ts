import { mapInSteps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { resourceTypes } from '../controller/metadataImage.ts';
import type { Handler, RequestContext } from '../handler.ts';

/** What version 0 asks for, without saying so. */
const onlyClientMetrics = [resourceTypes.clientMetrics];
/** In the order of Kafka's answer. */
const supported: readonly number[] = [
  resourceTypes.group,
  resourceTypes.clientMetrics,
  resourceTypes.brokerLogger,
  resourceTypes.broker,
  resourceTypes.topic,
];

/** Versions 0-1: 0 subscriptions to clients' metrics only; 1 every kind of resource (KIP-1142). */
export const listConfigResources: Handler<'listConfigResources'> = {
  versions: [0, 1],
  isReport: () => true,
  *handle({ resourceTypes: named }, context) {
    context.access.require('describeConfigs', 'cluster');
    const asked = context.apiVersion === 0 ? onlyClientMetrics : named;
    const types = asked.length > 0 ? asked : supported;
    if (types.some((type) => !supported.includes(type))) {
      return { errorCode: errorCodes.UNSUPPORTED_VERSION };
    }
    const told = supported.filter((type) => types.includes(type));
    const lists = yield* mapInSteps(told, (resourceType) =>
      namesOf(resourceType, context).map((resourceName) => ({ resourceName, resourceType })),
    );
    return { configResources: lists.flat() };
  },
};

/** Groups and subscriptions are there by their configs. */
function namesOf(resourceType: number, { node }: RequestContext): string[] {
  switch (resourceType) {
    case resourceTypes.topic:
      return [...node.image.topics.keys()];
    case resourceTypes.broker:
    case resourceTypes.brokerLogger:
      return node.cluster.endpoints().map(({ id }) => String(id));
    default:
      return [...node.image.configured(resourceType).keys()];
  }
}
