import { filterInSteps, mapEachInSteps, mapInSteps, type Steps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { type AclDeletion, planAclDeletion } from '../controller/alterAcls.ts';
import type { Handler, ResponseOf } from '../handler.ts';
import { ClosingError } from '../requestError.ts';
import { hasUnknown } from '../security/authorizer/aclCodes.ts';

/** Versions 1-3: 1 pattern types (KIP-290); 2 flexible; 3 users as resources (KIP-373). [AclApis.handleDeleteAcls] */
export const deleteAcls: Handler<'deleteAcls'> = {
  versions: [1, 3],
  async handle({ filters }, { node, access, inTurns }) {
    const unknown = await inTurns(filterInSteps(filters, hasUnknown));
    if (unknown.length > 0) throw new ClosingError('DeleteAcls has UNKNOWN elements');
    const all = async (error: AclDeletion['error'], message: string) => {
      const refused = mapInSteps(filters, (): AclDeletion => ({ error, message, deleted: [] }));
      return inTurns(answer(await inTurns(refused)));
    };
    if (!access.may('alter', 'cluster')) {
      const message = 'Who deletes ACLs needs the operation alter on the cluster.';
      return all('CLUSTER_AUTHORIZATION_FAILED', message);
    }
    if (access.isOpen) return all('SECURITY_DISABLED', 'No Authorizer is configured.');
    const { controller } = node.cluster;
    const deleted = await controller.change((image) => planAclDeletion(image.acls, filters));
    return inTurns(answer(deleted));
  },
};

function* answer(deletions: readonly AclDeletion[]): Steps<ResponseOf<'deleteAcls'>> {
  const filterResults = yield* mapEachInSteps(
    deletions,
    function* ({ error, message: errorMessage, deleted }) {
      const matchingAcls = yield* mapInSteps(deleted, (acl) => ({
        errorCode: errorCodes.NONE,
        errorMessage: null,
        ...acl,
      }));
      return { errorCode: errorCodes[error], errorMessage, matchingAcls };
    },
  );
  return { filterResults };
}
