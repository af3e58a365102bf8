import { anyCode, patternTypes, wildcard } from './aclCodes.ts';

/** What an ACL is about: one resource, or all whose names begin alike. */
export interface ResourcePattern {
  readonly resourceType: number;
  readonly resourceName: string;
  readonly patternType: number;
}

/** Whom it concerns, and what it says. */
export interface AclEntry {
  /** `User:alice` */
  readonly principal: string;
  /** An address, a range of them in CIDR notation (KIP-1276), or `*`. */
  readonly host: string;
  readonly operation: number;
  readonly permissionType: number;
}

export interface Acl extends ResourcePattern, AclEntry {}

/** As DescribeAcls and DeleteAcls ask; null is any. */
export interface AclFilter {
  readonly resourceTypeFilter: number;
  readonly resourceNameFilter: string | null;
  readonly patternTypeFilter: number;
  readonly principalFilter: string | null;
  readonly hostFilter: string | null;
  readonly operation: number;
  readonly permissionType: number;
}

/** The same text for the same ACL. */
export function aclKey(acl: Acl): string {
  const { resourceType, patternType, operation, permissionType } = acl;
  return JSON.stringify([
    ...[resourceType, patternType, operation, permissionType],
    ...[acl.resourceName, acl.principal, acl.host],
  ]);
}

/** [AclBindingFilter.matches] */
export function matchesFilter(acl: Acl, filter: AclFilter): boolean {
  const { principalFilter, hostFilter } = filter;
  return (
    isCode(filter.resourceTypeFilter, acl.resourceType) &&
    isCode(filter.operation, acl.operation) &&
    isCode(filter.permissionType, acl.permissionType) &&
    (principalFilter === null || principalFilter === acl.principal) &&
    (hostFilter === null || hostFilter === acl.host) &&
    matchesPattern(acl, filter)
  );
}

const isCode = (asked: number, code: number): boolean => asked === anyCode || asked === code;

/** MATCH asks for all that would be looked at for a name. [ResourcePatternFilter.matches] */
function matchesPattern(
  { resourceName, patternType }: ResourcePattern,
  { resourceNameFilter: name, patternTypeFilter: asked }: AclFilter,
): boolean {
  const isMatch = asked === patternTypes.match;
  if (!isMatch && !isCode(asked, patternType)) return false;
  if (name === null) return true;
  if (!isMatch) return name === resourceName;
  return patternType === patternTypes.prefixed
    ? name.startsWith(resourceName)
    : name === resourceName || resourceName === wildcard;
}
