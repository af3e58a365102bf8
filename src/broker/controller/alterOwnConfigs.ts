import { filterInSteps, mapInSteps, type Steps } from '../../base/turns.ts';
import { type BrokerConfig } from '../config/brokerConfigs.ts';
import { clientMetricsProblem } from '../config/clientMetricsConfigs.ts';
import { groupConfigProblem } from '../config/ownGroupConfigs.ts';
import {
  type ConfigChange,
  type ConfigPlan,
  type ConfigProblem,
  nextConfigs,
} from './alterConfigs.ts';
import { metadataRecord } from './controller.ts';
import { type MetadataImage, resourceTypes } from './metadataImage.ts';

type ProblemOf = (
  name: string,
  configs: ReadonlyMap<string, string>,
  broker: BrokerConfig,
) => ConfigProblem | undefined;

/** What has configs without having to be there: groups, and subscriptions to clients' metrics. */
const problems: Readonly<Record<number, ProblemOf>> = {
  [resourceTypes.group](name, configs, broker) {
    if (name === '') {
      return { error: 'INVALID_REQUEST', message: 'Default group resources are not allowed.' };
    }
    const message = groupConfigProblem(broker, configs);
    return message === undefined ? undefined : { error: 'INVALID_CONFIG', message };
  },
  [resourceTypes.clientMetrics]: clientMetricsProblem,
};

/**
 * Decides on changes of the configs of a group or of a subscription; all or none. [ControllerConfigurationValidator]
 */
export function* planOwnConfigs(
  image: MetadataImage,
  { resourceType, resourceName }: { resourceType: number; resourceName: string },
  changes: readonly ConfigChange[],
  broker: BrokerConfig,
): Steps<ConfigPlan | undefined> {
  const problemOf = problems[resourceType];
  if (!problemOf) return undefined;
  const before = image.configsOf(resourceType, resourceName);
  // Of these Kafka's controller knows no types, so that no list can be appended to. [KafkaConfigSchema.isSplittable]
  const next = yield* nextConfigs(before, changes, () => undefined);
  const problem = 'error' in next ? next : problemOf(resourceName, next, broker);
  if (problem) return { records: [], ...problem };
  if ('error' in next) throw new Error('a problem is no configs');
  const isChanged = ({ name }: ConfigChange): boolean => next.get(name) !== before.get(name);
  const changed = yield* filterInSteps(changes, isChanged);
  const records = yield* mapInSteps(changed, ({ name }) =>
    metadataRecord('config', { resourceType, resourceName, name, value: next.get(name) ?? null }),
  );
  return { records, error: 'NONE', message: null };
}
