import type { Acl } from './acl.ts';
import {
  aclOperations,
  patternTypes,
  permissions,
  wildcard,
  wildcardPrincipal,
} from './aclCodes.ts';
import type { Action, Client } from './action.ts';
import { hostMatcher } from './hostPattern.ts';

type Wanted = Omit<Action, 'resourceName'>;

/**
 * Whether ACLs allow something on some resource and do not deny it there. An idempotent producer needs no more
 * than to be able to write somewhere (KIP-679). [Authorizer.authorizeByResourceType]
 */
export function mayOnSome(acls: Iterable<Acl>, client: Client, wanted: Wanted): boolean {
  const allowed: Acl[] = [];
  const denied = { literal: new Set<string>(), prefixed: new Set<string>() };
  for (const acl of acls) {
    if (!concerns(acl, client, wanted)) continue;
    const { permissionType, patternType, resourceName } = acl;
    if (permissionType === permissions.allow) allowed.push(acl);
    else if (patternType === patternTypes.prefixed) denied.prefixed.add(resourceName);
    else denied.literal.add(resourceName);
  }
  if (denied.literal.has(wildcard)) return false;
  const deniedLengths = [...new Set(Array.from(denied.prefixed, ({ length }) => length))];
  return allowed.some(({ patternType, resourceName: name }) => {
    const isLiteral = patternType === patternTypes.literal;
    if (isLiteral && name === wildcard) return true;
    if (isLiteral && denied.literal.has(name)) return false;
    return !deniedLengths.some(
      (length) => length <= name.length && denied.prefixed.has(name.slice(0, length)),
    );
  });
}

/** Here one operation does not imply another. */
function concerns(acl: Acl, { principal, host }: Client, wanted: Wanted): boolean {
  return (
    acl.resourceType === wanted.resourceType &&
    (acl.operation === wanted.operation || acl.operation === aclOperations.all) &&
    (acl.principal === principal || acl.principal === wildcardPrincipal) &&
    hostMatcher(acl.host)(host)
  );
}
