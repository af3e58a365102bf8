import { type BrokerConfig } from '../config/brokerConfigs.ts';
import { clientMetricsConfigs, clientMetricsProblem } from '../config/clientMetricsConfigs.ts';
import type { ConfigTable } from '../config/configType.ts';
import { groupConfigProblem, groupConfigs } from '../config/ownGroupConfigs.ts';
import {
  type ConfigChange,
  type ConfigPlan,
  type ConfigProblem,
  nextConfigs,
} from './alterConfigs.ts';
import { metadataRecord } from './controller.ts';
import { type MetadataImage, resourceTypes } from './metadataImage.ts';

interface Kind {
  readonly table: ConfigTable;
  readonly problemOf: (
    name: string,
    configs: ReadonlyMap<string, string>,
    broker: BrokerConfig,
  ) => ConfigProblem | undefined;
}

/** What has configs without having to be there: groups, and subscriptions to clients' metrics. */
const kinds: Readonly<Record<number, Kind>> = {
  [resourceTypes.group]: {
    table: groupConfigs,
    problemOf(name, configs, broker) {
      if (name === '') {
        return { error: 'INVALID_REQUEST', message: 'Default group resources are not allowed.' };
      }
      const message = groupConfigProblem(broker, configs);
      return message === undefined ? undefined : { error: 'INVALID_CONFIG', message };
    },
  },
  [resourceTypes.clientMetrics]: {
    table: clientMetricsConfigs,
    problemOf: clientMetricsProblem,
  },
};

/** Decides on changes of the configs of a group or of a subscription; all or none. [ControllerConfigurationValidator] */
export function planOwnConfigs(
  image: MetadataImage,
  { resourceType, resourceName }: { resourceType: number; resourceName: string },
  changes: readonly ConfigChange[],
  broker: BrokerConfig,
): ConfigPlan | undefined {
  const kind = kinds[resourceType];
  if (!kind) return undefined;
  const before = image.configsOf(resourceType, resourceName);
  const next = nextConfigs(before, changes, {
    definitionOf: (name) => (Object.hasOwn(kind.table, name) ? kind.table[name] : undefined),
    defaultOf: (name) => kind.table[name]?.default ?? '',
  });
  const problem = 'error' in next ? next : kind.problemOf(resourceName, next, broker);
  if (problem) return { records: [], ...problem };
  if ('error' in next) throw new Error('a problem is no configs');
  const changed = changes.filter(({ name }) => next.get(name) !== before.get(name));
  const records = changed.map(({ name }) =>
    metadataRecord('config', { resourceType, resourceName, name, value: next.get(name) ?? null }),
  );
  return { records, error: 'NONE', message: null };
}
