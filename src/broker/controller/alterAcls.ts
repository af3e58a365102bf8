import type { Random } from '../../base/random.ts';
import { randomUuid } from '../../base/uuid.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import { type Acl, aclKey, type AclFilter, matchesFilter } from '../security/authorizer/acl.ts';
import {
  aclOperations,
  aclResources,
  anyCode,
  patternTypes,
  permissions,
} from '../security/authorizer/aclCodes.ts';
import { type AclStore, textLength } from '../security/authorizer/aclStore.ts';
import { hostProblem } from '../security/authorizer/hostPattern.ts';
import { type MetadataDecision, metadataRecord, type NewMetadataRecord } from './controller.ts';

export interface AclOutcome {
  readonly error: ErrorName;
  readonly message: string | null;
}

export interface AclDeletion extends AclOutcome {
  readonly deleted: readonly Acl[];
}

const done = { error: 'NONE', message: null } as const satisfies AclOutcome;
/** Of what is made the words are there, and empty. */
const made = { error: 'NONE', message: '' } as const satisfies AclOutcome;
const invalid = (message: string): AclOutcome => ({ error: 'INVALID_REQUEST', message });

/** ACLs that one request may make or remove. [QuorumController.MAX_RECORDS_PER_USER_OP] */
const maxChangesAtOnce = 10_000;
/** All of them are in memory. Kafka has no such bounds. */
const maxAcls = 100_000;
const maxTextLength = 32 * 2 ** 20;

/** What is there already is not made again, and no error. [AclControlManager.createAcls] */
export function planNewAcls(
  store: AclStore,
  wanted: readonly Acl[],
  random: Random,
): MetadataDecision<readonly AclOutcome[]> {
  const fresh = new Map<string, Acl>();
  const outcomes = wanted.map((acl) => {
    const problem = aclProblem(acl);
    if (problem !== undefined) return invalid(problem);
    if (!store.has(acl)) fresh.set(aclKey(acl), acl);
    return made;
  });
  const excess = excessOf(store, [...fresh.values()]);
  if (excess !== undefined) {
    const refused: AclOutcome = { error: 'POLICY_VIOLATION', message: excess };
    return { records: [], result: wanted.map(() => refused) };
  }
  const records = [...fresh.values()].map((acl) =>
    metadataRecord('accessControlEntry', { id: randomUuid(random), ...acl }),
  );
  return { records, result: outcomes };
}

function excessOf(store: AclStore, fresh: readonly Acl[]): string | undefined {
  if (fresh.length > maxChangesAtOnce) {
    return 'Unable to perform excessively large batch operation.';
  }
  const length = fresh.reduce((sum, acl) => sum + textLength(acl), store.textLength);
  return store.size + fresh.length > maxAcls || length > maxTextLength
    ? `The cluster keeps no more than ${maxAcls} ACLs of ${maxTextLength} characters in all.`
    : undefined;
}

const operationCodes: ReadonlySet<number> = new Set(Object.values(aclOperations));
const resourceCodes: ReadonlySet<number> = new Set(Object.values(aclResources));

/** [AclControlManager.validateNewAcl] */
function aclProblem(acl: Acl): string | undefined {
  const { resourceType, patternType, operation, permissionType } = acl;
  if (!resourceCodes.has(resourceType)) return `Invalid resourceType ${resourceType}`;
  if (patternType !== patternTypes.literal && patternType !== patternTypes.prefixed) {
    return `Invalid patternType ${patternType}`;
  }
  if (!operationCodes.has(operation)) return `Invalid operation ${operation}`;
  if (permissionType !== permissions.deny && permissionType !== permissions.allow) {
    return `Invalid permissionType ${permissionType}`;
  }
  if (!acl.principal.includes(':')) {
    return `Could not parse principal from \`${acl.principal}\` (no colon is present separating the principal type from the principal name)`;
  }
  return hostProblem(acl.host);
}

/** Each filter tells what it deletes, also where an earlier one deletes the same. [AclControlManager.deleteAcls] */
export function planAclDeletion(
  store: AclStore,
  filters: readonly AclFilter[],
): MetadataDecision<readonly AclDeletion[]> {
  const removed = new Set<string>();
  const result = filters.map((filter): AclDeletion => {
    const problem = filterProblem(filter);
    if (problem !== undefined) return { ...invalid(problem), deleted: [] };
    const found = Array.from(store.entries()).filter(([, acl]) => matchesFilter(acl, filter));
    for (const [id] of found) removed.add(id);
    return { ...done, deleted: found.map(([, acl]) => acl) };
  });
  if (removed.size > maxChangesAtOnce) {
    const message = `Cannot remove more than ${maxChangesAtOnce} acls in a single delete operation.`;
    return { records: [], result: filters.map(() => ({ ...invalid(message), deleted: [] })) };
  }
  const records = [...removed].map((id): NewMetadataRecord =>
    metadataRecord('removeAccessControlEntry', { id }),
  );
  return { records, result };
}

/** Numbers that mean nothing here. [AclBindingFilter.isUnknown] */
function filterProblem(filter: AclFilter): string | undefined {
  const { resourceTypeFilter, patternTypeFilter, operation, permissionType } = filter;
  const isPattern =
    (resourceTypeFilter === anyCode || resourceCodes.has(resourceTypeFilter)) &&
    Object.values<number>(patternTypes).includes(patternTypeFilter);
  if (!isPattern) return 'Unknown patternFilter.';
  const isEntry =
    (operation === anyCode || operationCodes.has(operation)) &&
    (permissionType === anyCode || Object.values<number>(permissions).includes(permissionType));
  return isEntry ? undefined : 'Unknown entryFilter.';
}
