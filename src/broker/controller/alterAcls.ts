import { mapInSteps, type Steps } from '../../base/turns.ts';
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
import { AclCandidates } from './aclCandidates.ts';
import { type MetadataDecision, metadataRecord } from './controller.ts';

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
const tooMany: AclDeletion = {
  ...invalid(`Cannot remove more than ${maxChangesAtOnce} acls in a single delete operation.`),
  deleted: [],
};

/** Of ACLs with filters, which take about a second in all. Kafka has no such bound. */
const maxComparisons = 5_000_000;
const comparisonsAStep = 64;
const tooManyComparisons: AclDeletion = {
  error: 'POLICY_VIOLATION',
  message: `The filters would be compared with ACLs more than ${maxComparisons} times: send fewer of them in a request.`,
  deleted: [],
};

/** All of them are in memory. Kafka has no such bounds. */
const maxAcls = 100_000;
const maxTextLength = 32 * 2 ** 20;

/** What is there already is not made again, and no error. [AclControlManager.createAcls] */
export function* planNewAcls(
  store: AclStore,
  wanted: readonly Acl[],
  random: Random,
): Steps<MetadataDecision<readonly AclOutcome[]>> {
  const fresh = new Map<string, Acl>();
  let length = store.textLength;
  const outcomes: AclOutcome[] = [];
  for (const acl of wanted) {
    yield;
    const problem = aclProblem(acl);
    outcomes.push(problem === undefined ? made : invalid(problem));
    if (problem !== undefined || store.has(acl) || fresh.has(aclKey(acl))) continue;
    fresh.set(aclKey(acl), acl);
    length += textLength(acl);
    const excess = excessOf(fresh.size, store.size + fresh.size, length);
    if (excess !== undefined) return { records: [], result: wanted.map(() => excess) };
  }
  const records = yield* mapInSteps(fresh.values(), (acl) =>
    metadataRecord('accessControlEntry', { id: randomUuid(random), ...acl }),
  );
  return { records, result: outcomes };
}

function excessOf(added: number, count: number, length: number): AclOutcome | undefined {
  const refused = (message: string): AclOutcome => ({ error: 'POLICY_VIOLATION', message });
  if (added > maxChangesAtOnce) {
    return refused('Unable to perform excessively large batch operation.');
  }
  return count > maxAcls || length > maxTextLength
    ? refused(
        `The cluster keeps no more than ${maxAcls} ACLs of ${maxTextLength} characters in all.`,
      )
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
export function* planAclDeletion(
  store: AclStore,
  filters: readonly AclFilter[],
): Steps<MetadataDecision<readonly AclDeletion[]>> {
  const candidates = yield* AclCandidates.of(store, filters);
  const removed = new Set<string>();
  const result: AclDeletion[] = [];
  let told = 0;
  let compared = 0;
  for (const filter of filters) {
    yield;
    const problem = filterProblem(filter);
    const deleted: Acl[] = [];
    for (const [id, acl] of problem === undefined ? candidates.of(filter) : []) {
      if (compared % comparisonsAStep === 0) yield;
      if (++compared > maxComparisons) {
        return { records: [], result: filters.map(() => tooManyComparisons) };
      }
      if (!matchesFilter(acl, filter)) continue;
      removed.add(id);
      deleted.push(acl);
      told++;
      if (removed.size > maxChangesAtOnce || told > maxAcls) {
        return { records: [], result: filters.map(() => tooMany) };
      }
    }
    result.push({ ...(problem === undefined ? done : invalid(problem)), deleted });
  }
  const records = yield* mapInSteps(removed, (id) =>
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
