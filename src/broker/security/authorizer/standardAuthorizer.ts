import type { Acl } from './acl.ts';
import { aclOperations, permissions, wildcardPrincipal } from './aclCodes.ts';
import type { AclStore } from './aclStore.ts';
import type { Action, Client } from './action.ts';
import { mayOnSome } from './someResource.ts';

export interface AuthorizerRules {
  /** super.users: they may do everything. */
  readonly superUsers: ReadonlySet<string>;
  /** allow.everyone.if.no.acl.found: what holds for a resource that has no ACL. */
  readonly allowsWithoutAcls: boolean;
}

const { describe, describeConfigs, read, write, alter, alterConfigs } = aclOperations;

/** Who may do one of these may also do what stands before. Only where it is allowed: a denial denies nothing else. */
const implied: ReadonlyMap<number, ReadonlySet<number>> = new Map([
  [describe, new Set<number>([describe, read, write, aclOperations.delete, alter])],
  [describeConfigs, new Set<number>([describeConfigs, alterConfigs])],
]);

/** Decides by the ACLs: a denial beats what is allowed elsewhere. [StandardAuthorizerData] */
export class StandardAuthorizer {
  readonly #rules: AuthorizerRules;
  readonly #acls: () => AclStore;

  constructor(rules: AuthorizerRules, acls: () => AclStore) {
    this.#rules = rules;
    this.#acls = acls;
  }

  isAllowed(client: Client, { operation, resourceType, resourceName }: Action): boolean {
    const { superUsers, allowsWithoutAcls } = this.#rules;
    const { principal, host } = client;
    if (superUsers.has(principal)) return true;
    let hasAcls = false;
    let isAllowed = false;
    for (const pattern of this.#acls().matching(resourceType, resourceName)) {
      hasAcls = true;
      for (const who of [principal, wildcardPrincipal]) {
        for (const { acl, matchesHost } of pattern.get(who)?.values() ?? []) {
          if (!concerns(acl, operation) || !matchesHost(host)) continue;
          if (acl.permissionType === permissions.deny) return false;
          isAllowed = true;
        }
      }
    }
    return isAllowed || (!hasAcls && allowsWithoutAcls);
  }

  /** Whether there may be some resource of the type with which the client may do it. */
  isAllowedOnSome(client: Client, operation: number, resourceType: number): boolean {
    // A name that nobody takes: lets super users through, whatever is denied. [Authorizer.authorizeByResourceType]
    const action = { operation, resourceType, resourceName: 'hardcode' };
    return (
      this.isAllowed(client, action) ||
      mayOnSome(this.#acls().values(), client, { operation, resourceType })
    );
  }
}

function concerns({ operation, permissionType }: Acl, wanted: number): boolean {
  if (operation === wanted || operation === aclOperations.all) return true;
  return permissionType === permissions.allow && (implied.get(wanted)?.has(operation) ?? false);
}
