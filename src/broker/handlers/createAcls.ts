import { mapInSteps, setInSteps, type Steps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { type AclOutcome, planNewAcls } from '../controller/alterAcls.ts';
import type { Handler, RequestOf, ResponseOf } from '../handler.ts';
import { ClosingError } from '../requestError.ts';
import type { Acl } from '../security/authorizer/acl.ts';
import {
  aclResources,
  anyCode,
  clusterName,
  patternTypes,
  unknownCode,
} from '../security/authorizer/aclCodes.ts';

type Creation = RequestOf<'createAcls'>['creations'][number];

/** Versions 1-3: 1 pattern types (KIP-290); 2 flexible; 3 users as resources (KIP-373). [AclApis.handleCreateAcls] */
export const createAcls: Handler<'createAcls'> = {
  versions: [1, 3],
  async handle({ creations }, { node, access, inTurns }) {
    const kinds = await inTurns(setInSteps(kindsOf(creations)));
    if (kinds.has('unknown')) throw new ClosingError('CreateAcls has UNKNOWN elements');
    const all = (outcome: AclOutcome) => inTurns(answer(mapInSteps(creations, () => outcome)));
    if (!access.may('alter', 'cluster')) {
      const message = 'Who makes ACLs needs the operation alter on the cluster.';
      return all({ error: 'CLUSTER_AUTHORIZATION_FAILED', message });
    }
    if (access.isOpen) {
      return all({ error: 'SECURITY_DISABLED', message: 'No Authorizer is configured.' });
    }
    // An ACL is about something: Kafka trips over what only a filter can ask for.
    if (kinds.has('filter')) return all({ error: 'UNKNOWN_SERVER_ERROR', message: null });
    const problems = await inTurns(mapInSteps(creations, nameProblem));
    const { controller, random } = node.cluster;
    const made = await controller.change(function* (image) {
      const valid = yield* mapInSteps(validOf(creations, problems), aclOf);
      return yield* planNewAcls(image.acls, valid, random);
    });
    const outcomes = made.values();
    const outcomeOf = (problem: AclOutcome | undefined): AclOutcome =>
      problem ?? outcomes.next().value ?? { error: 'UNKNOWN_SERVER_ERROR', message: null };
    return inTurns(answer(mapInSteps(problems, outcomeOf)));
  },
};

/** Says of each what it is. */
function* kindsOf(creations: readonly Creation[]): Generator<'unknown' | 'filter' | 'acl'> {
  for (const creation of creations) {
    if (codesOf(creation).includes(unknownCode)) yield 'unknown';
    else yield isFilter(creation) ? 'filter' : 'acl';
  }
}

/** Those that nothing is said against. */
function* validOf(
  creations: readonly Creation[],
  problems: readonly (AclOutcome | undefined)[],
): Generator<Creation> {
  for (const [index, creation] of creations.entries())
    if (problems[index] === undefined) yield creation;
}

const codesOf = (creation: Creation): number[] => [
  creation.resourceType,
  creation.resourcePatternType,
  creation.operation,
  creation.permissionType,
];

/** [ResourcePattern, AccessControlEntry] */
const isFilter = (creation: Creation): boolean =>
  codesOf(creation).includes(anyCode) || creation.resourcePatternType === patternTypes.match;

function nameProblem({ resourceType, resourceName }: Creation): AclOutcome | undefined {
  const invalid = (message: string): AclOutcome => ({ error: 'INVALID_REQUEST', message });
  if (resourceType === aclResources.cluster && resourceName !== clusterName) {
    return invalid(`The only valid name for the CLUSTER resource is ${clusterName}`);
  }
  return resourceName === '' ? invalid('Invalid empty resource name') : undefined;
}

function aclOf({ resourcePatternType: patternType, ...creation }: Creation): Acl {
  return { ...creation, patternType };
}

function* answer(outcomes: Steps<readonly AclOutcome[]>): Steps<ResponseOf<'createAcls'>> {
  const results = yield* mapInSteps(yield* outcomes, ({ error, message: errorMessage }) => ({
    errorCode: errorCodes[error],
    errorMessage,
  }));
  return { results };
}
