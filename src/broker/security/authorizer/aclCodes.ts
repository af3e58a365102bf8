/** What can be allowed or denied, in Kafka's numbers. [AclOperation] */
export const aclOperations = {
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
  describeTokens: 14,
  twoPhaseCommit: 15,
} as const;

export type AclOperation = Exclude<keyof typeof aclOperations, 'all'>;

/** What it is allowed on. [ResourceType] */
export const aclResources = {
  topic: 2,
  group: 3,
  cluster: 4,
  transactionalId: 5,
  delegationToken: 6,
  user: 7,
} as const;

export type AclResource = keyof typeof aclResources;

/** [PatternType] */
export const patternTypes = { any: 1, match: 2, literal: 3, prefixed: 4 } as const;

/** [AclPermissionType] */
export const permissions = { deny: 2, allow: 3 } as const;

/** In filters: it does not matter. In every field it has the same number. */
export const anyCode = 1;

/** A number that a newer Kafka may give a meaning. In every field it has the same number. */
export const unknownCode = 0;

/** The one cluster there is. [Resource.CLUSTER_NAME] */
export const clusterName = 'kafka-cluster';

/** Any name, any host. [ResourcePattern.WILDCARD_RESOURCE] */
export const wildcard = '*';
export const wildcardPrincipal = 'User:*';

interface FilterCodes {
  readonly resourceTypeFilter: number;
  readonly patternTypeFilter: number;
  readonly operation: number;
  readonly permissionType: number;
}

/** A filter that means nothing in one of its fields. [DescribeAclsRequest, DeleteAclsRequest] */
export const hasUnknown = (filter: FilterCodes): boolean =>
  [
    filter.resourceTypeFilter,
    filter.patternTypeFilter,
    filter.operation,
    filter.permissionType,
  ].includes(unknownCode);
