import { type Steps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { Handler, ResponseOf } from '../handler.ts';
import { ClosingError, RequestError } from '../requestError.ts';
import {
  type Acl,
  type AclEntry,
  type AclFilter,
  matchesFilter,
} from '../security/authorizer/acl.ts';
import { hasUnknown } from '../security/authorizer/aclCodes.ts';

type Resource = NonNullable<ResponseOf<'describeAcls'>['resources']>[number];

/** Versions 1-3: 1 pattern types (KIP-290); 2 flexible; 3 users as resources (KIP-373). [AclApis.handleDescribeAcls] */
export const describeAcls: Handler<'describeAcls'> = {
  versions: [1, 3],
  isReport: () => true,
  *handle(filter, { node, access }) {
    if (hasUnknown(filter)) throw new ClosingError('DescribeAcls has UNKNOWN elements');
    access.require('describe', 'cluster');
    if (access.isOpen) {
      throw new RequestError('SECURITY_DISABLED', 'No Authorizer is configured on the broker');
    }
    const resources = yield* matching([...node.image.acls.values()], filter);
    return { errorCode: errorCodes.NONE, errorMessage: '', resources };
  },
};

/** By pattern. [DescribeAclsResponse.aclsResources] */
function* matching(acls: readonly Acl[], filter: AclFilter): Steps<Resource[]> {
  const resources = new Map<string, Resource & { acls: AclEntry[] }>();
  for (const acl of acls) {
    yield;
    if (!matchesFilter(acl, filter)) continue;
    const { resourceType, resourceName, patternType, ...entry } = acl;
    const key = `${resourceType} ${patternType} ${resourceName}`;
    const resource = resources.get(key) ?? { resourceType, resourceName, patternType, acls: [] };
    resources.set(key, resource);
    resource.acls.push(entry);
  }
  return [...resources.values()];
}
