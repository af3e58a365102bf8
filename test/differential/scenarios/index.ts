import type { Scenarios } from '../support/run.ts';
import { aclEntryScenarios } from './aclEntries.ts';
import { aclProbeScenarios } from './aclProbes.ts';
import { aclRuleScenarios } from './aclRules.ts';
import { aclScenarios } from './acls.ts';
import { adminOrderScenarios } from './adminOrder.ts';
import { administrationScenarios } from './administration.ts';
import { authenticationScenarios } from './authentication.ts';
import { clusterScenarios } from './cluster.ts';
import { configScenarios } from './configs.ts';
import { connectionLimitScenarios } from './connectionLimits.ts';
import { consumerGroupScenarios } from './consumerGroups.ts';
import { cordonedScenarios } from './cordoned.ts';
import { duplicateScenarios } from './duplicates.ts';
import { fetchScenarios } from './fetch.ts';
import { fetchNumberScenarios } from './fetchNumbers.ts';
import { fetchSessionScenarios } from './fetchSessions.ts';
import { groupChangeScenarios } from './groupChanges.ts';
import { groupLogScenarios } from './groupLogs.ts';
import { groupOffsetScenarios } from './groupOffsets.ts';
import { groupScenarios } from './groups.ts';
import { groupStepScenarios } from './groupSteps.ts';
import { configValueScenarios } from './configValues.ts';
import { idempotenceScenarios } from './idempotence.ts';
import { namedAgainScenarios } from './namedAgain.ts';
import { internalConfigScenarios } from './internalConfigs.ts';
import { logCornerScenarios } from './logCorners.ts';
import { lostCoordinatorScenarios } from './lostCoordinators.ts';
import { offsetScenarios } from './offsets.ts';
import { ownConfigScenarios } from './ownConfigs.ts';
import { produceScenarios } from './produce.ts';
import { produceOrderScenarios } from './produceOrder.ts';
import { quotaScenarios, scramScenarios } from './quotasAndUsers.ts';
import { reachedScenarios } from './reached.ts';
import { readNothingScenarios } from './readNothing.ts';
import { recreatedTopicScenarios } from './recreatedTopics.ts';
import { refusedAgainScenarios } from './refusedAgain.ts';
import { resourceScenarios } from './resources.ts';
import { restartedScenarios } from './restarted.ts';
import { telemetryScenarios } from './telemetry.ts';
import { textScenarios } from './text.ts';
import { topicScenarios } from './topics.ts';
import { transactionCornerScenarios } from './transactionCorners.ts';
import { transactionScenarios } from './transactions.ts';
import { unusedConfigScenarios } from './unusedConfigs.ts';

export interface Area {
  readonly area: string;
  /** As titles carry them: `[A3]`. */
  readonly rows: string;
  readonly scenarios: Scenarios;
}

export const areas: readonly Area[] = [
  { area: 'the cluster', rows: '[A3]', scenarios: clusterScenarios },
  { area: 'topics', rows: '[A3]', scenarios: topicScenarios },
  { area: 'configs', rows: '[A3]', scenarios: configScenarios },
  { area: 'configs that change nothing', rows: '[A3]', scenarios: unusedConfigScenarios },
  { area: 'configs of its own', rows: '[A3]', scenarios: internalConfigScenarios },
  { area: 'values of configs', rows: '[A3]', scenarios: configValueScenarios },
  { area: 'text', rows: '[A3]', scenarios: textScenarios },
  { area: 'configs of several resources', rows: '[A3]', scenarios: resourceScenarios },
  { area: 'cordoned log directories', rows: '[A3]', scenarios: cordonedScenarios },
  { area: 'limits on connections', rows: '[A3]', scenarios: connectionLimitScenarios },
  { area: 'produce', rows: '[A3]', scenarios: produceScenarios },
  { area: 'what comes first in produce', rows: '[A3]', scenarios: produceOrderScenarios },
  { area: 'idempotence', rows: '[A3] [A6]', scenarios: idempotenceScenarios },
  { area: 'transactions', rows: '[A3] [A6]', scenarios: transactionScenarios },
  { area: 'corners of transactions', rows: '[A3] [A6]', scenarios: transactionCornerScenarios },
  { area: 'fetch', rows: '[A3]', scenarios: fetchScenarios },
  { area: 'numbers of a fetch', rows: '[A3]', scenarios: fetchNumberScenarios },
  { area: 'topics made again', rows: '[A3]', scenarios: recreatedTopicScenarios },
  { area: 'offsets', rows: '[A3]', scenarios: offsetScenarios },
  { area: 'corners of the log', rows: '[A3]', scenarios: logCornerScenarios },
  { area: 'groups', rows: '[A3] [A7]', scenarios: groupScenarios },
  { area: 'offsets of groups', rows: '[A3] [A7]', scenarios: groupOffsetScenarios },
  { area: 'consumer groups', rows: '[A3] [A7]', scenarios: consumerGroupScenarios },
  { area: 'changes of groups', rows: '[A3] [A7]', scenarios: groupChangeScenarios },
  { area: 'single steps of groups', rows: '[A3] [A7]', scenarios: groupStepScenarios },
  { area: 'members that read nothing new', rows: '[A3] [A7]', scenarios: readNothingScenarios },
  { area: 'logs of groups', rows: '[A3] [A7]', scenarios: groupLogScenarios },
  { area: 'fetch sessions', rows: '[A3]', scenarios: fetchSessionScenarios },
  { area: 'after a restart', rows: '[A3]', scenarios: restartedScenarios },
  { area: 'twice the same', rows: '[A3]', scenarios: duplicateScenarios },
  { area: 'named again', rows: '[A3]', scenarios: namedAgainScenarios },
  { area: 'errors', rows: '[A3] [A6]', scenarios: reachedScenarios },
  { area: 'telemetry and resources', rows: '[A3]', scenarios: telemetryScenarios },
  { area: 'groups and subscriptions', rows: '[A3] [A7]', scenarios: ownConfigScenarios },
  { area: 'administration', rows: '[A3]', scenarios: administrationScenarios },
  { area: 'what comes first', rows: '[A3]', scenarios: adminOrderScenarios },
  { area: 'quotas', rows: '[A3] [A9]', scenarios: quotaScenarios },
  { area: 'SCRAM users', rows: '[A3] [A9]', scenarios: scramScenarios },
  { area: 'ACLs', rows: '[A3] [A9]', scenarios: aclScenarios },
  // Last: it takes every group and every transaction with it.
  { area: 'lost coordinators', rows: '[A3] [A6] [A7]', scenarios: lostCoordinatorScenarios },
];

/** Where ACLs decide about who comes with a name. */
export const securedAreas: readonly Area[] = [
  { area: 'entries', rows: '[A3] [A9]', scenarios: aclEntryScenarios },
  { area: 'what ACLs allow', rows: '[A3] [A9]', scenarios: aclProbeScenarios },
  { area: 'rules of ACLs', rows: '[A3] [A9]', scenarios: aclRuleScenarios },
  { area: 'authentication', rows: '[A3] [A9]', scenarios: authenticationScenarios },
  { area: 'refused again', rows: '[A3] [A9]', scenarios: refusedAgainScenarios },
];
