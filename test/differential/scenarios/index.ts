import type { Scenarios } from '../support/run.ts';
import { clusterScenarios } from './cluster.ts';
import { configScenarios } from './configs.ts';
import { fetchScenarios } from './fetch.ts';
import { groupOffsetScenarios } from './groupOffsets.ts';
import { groupScenarios } from './groups.ts';
import { idempotenceScenarios } from './idempotence.ts';
import { offsetScenarios } from './offsets.ts';
import { produceScenarios } from './produce.ts';
import { topicScenarios } from './topics.ts';

interface Area {
  readonly area: string;
  /** As titles carry them: `[A3]`. */
  readonly rows: string;
  readonly scenarios: Scenarios;
}

export const areas: readonly Area[] = [
  { area: 'the cluster', rows: '[A3]', scenarios: clusterScenarios },
  { area: 'topics', rows: '[A3]', scenarios: topicScenarios },
  { area: 'configs', rows: '[A3]', scenarios: configScenarios },
  { area: 'produce', rows: '[A3]', scenarios: produceScenarios },
  { area: 'idempotence', rows: '[A3] [A6]', scenarios: idempotenceScenarios },
  { area: 'fetch', rows: '[A3]', scenarios: fetchScenarios },
  { area: 'offsets', rows: '[A3]', scenarios: offsetScenarios },
  { area: 'groups', rows: '[A3] [A7]', scenarios: groupScenarios },
  { area: 'offsets of groups', rows: '[A3] [A7]', scenarios: groupOffsetScenarios },
];
