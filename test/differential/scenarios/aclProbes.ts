// Every API asked by somebody who may do one thing with everything, and nothing else.
import { askAll, stageOf } from '../support/aclProbes.ts';
import type { operations } from '../support/aclRequests.ts';
import { aclOf, clusterName, grant } from '../support/aclRequests.ts';
import type { Run, Scenarios } from '../support/run.ts';
import { users } from '../support/sides.ts';

const asked: readonly (keyof typeof operations)[] = [
  'describe',
  'read',
  'write',
  'create',
  'delete',
  'alter',
  'clusterAction',
  'describeConfigs',
  'alterConfigs',
  'idempotentWrite',
  'all',
];

/** Users of these scenarios: the last ones. */
const userOf = (index: number): string => users.at(-1 - index) ?? '';

const everything = (user: string, operation: keyof typeof operations) => [
  ...(['topic', 'group', 'transactionalId'] as const).map((resource) =>
    aclOf(user, operation, '*', { resource }),
  ),
  aclOf(user, operation, clusterName, { resource: 'cluster' }),
];

export const aclProbeScenarios: Scenarios = {
  async 'to who may do nothing, every API refuses'(run) {
    const stage = await stageOf(run);
    await askAll(run, stage, await run.connectAs(userOf(0)), 'all');
  },
  ...Object.fromEntries(
    asked.map((operation, index) => [
      `who may ${operation}, may do what it needs`,
      async (run: Run) => {
        const user = userOf(index + 1);
        const stage = await stageOf(run);
        await grant(run, everything(user, operation));
        const versions = operation === 'all' ? 'all' : 'ends';
        await askAll(run, stage, await run.connectAs(user), versions);
      },
    ]),
  ),
};
