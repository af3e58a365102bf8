// ACLs as scenarios make them.
import type { RequestInput } from '../../wire/broker/support/rawClient.ts';
import type { Run } from './run.ts';

/** Kafka's numbers. [ResourceType, PatternType, AclOperation, AclPermissionType] */
export const resources = { any: 1, topic: 2, group: 3, cluster: 4, transactionalId: 5, user: 7 };
export const patterns = { any: 1, match: 2, literal: 3, prefixed: 4 };
export const operations = {
  any: 1,
  all: 2,
  read: 3,
  write: 4,
  create: 5,
  delete: 6,
  alter: 7,
  describe: 8,
  clusterAction: 9,
  describeConfigs: 10,
  alterConfigs: 11,
  idempotentWrite: 12,
  createTokens: 13,
  twoPhaseCommit: 15,
};
export const permissionTypes = { any: 1, deny: 2, allow: 3 };

export type Creation = NonNullable<RequestInput<'createAcls'>['creations']>[number];
export type Filter = NonNullable<RequestInput<'deleteAcls'>['filters']>[number];

export const clusterName = 'kafka-cluster';

export interface AclOptions {
  readonly resource?: keyof typeof resources;
  readonly pattern?: keyof typeof patterns;
  readonly permission?: keyof typeof permissionTypes;
  readonly host?: string;
}

/** An ACL of a user's, on a topic by its name if nothing else is said. */
export function aclOf(
  user: string,
  operation: keyof typeof operations,
  resourceName: string,
  { resource = 'topic', pattern = 'literal', permission = 'allow', host = '*' }: AclOptions = {},
): Creation {
  return {
    resourceType: resources[resource],
    resourceName,
    resourcePatternType: patterns[pattern],
    principal: `User:${user}`,
    host,
    operation: operations[operation],
    permissionType: permissionTypes[permission],
  };
}

export const filterOf = (principalFilter: string | null, more: Partial<Filter> = {}): Filter => ({
  resourceTypeFilter: resources.any,
  resourceNameFilter: null,
  patternTypeFilter: patterns.any,
  principalFilter,
  hostFilter: null,
  operation: operations.any,
  permissionType: permissionTypes.any,
  ...more,
});

/** Makes ACLs, and waits until the broker goes by them. */
export async function grant(run: Run, creations: readonly Creation[]): Promise<void> {
  const { results } = await run.prepare('createAcls', 3, { creations: [...creations] });
  const failed = results.find(({ errorCode }) => errorCode !== 0);
  if (failed) throw new Error(`no ACL: ${failed.errorCode} ${failed.errorMessage}`);
  for (const [principal = '', own] of Map.groupBy(creations, (each) => each.principal)) {
    await untilShown(run, principal, (keys) => own.every((each) => keys.has(keyOf(each))));
  }
}

/** Takes all ACLs of a user away, and waits until the broker goes by that. */
export async function revoke(run: Run, user: string): Promise<void> {
  const principal = `User:${user}`;
  await run.prepare('deleteAcls', 3, { filters: [filterOf(principal)] });
  await untilShown(run, principal, (keys) => keys.size === 0);
}

const keyOf = (acl: Creation): string =>
  [acl.resourceType, acl.resourcePatternType, acl.resourceName, acl.host].join(' ') +
  ` ${acl.operation} ${acl.permissionType}`;

async function untilShown(
  run: Run,
  principal: string,
  isEnough: (keys: ReadonlySet<string>) => boolean,
): Promise<void> {
  await run.until(['describeAcls', 3, filterOf(principal)], ({ resources: found }) => {
    const keys = found.flatMap(({ acls, patternType: resourcePatternType, ...resource }) =>
      acls.map((acl) => keyOf({ ...resource, ...acl, resourcePatternType })),
    );
    return isEnough(new Set(keys));
  });
}
