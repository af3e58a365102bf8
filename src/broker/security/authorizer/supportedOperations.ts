import type { AclOperation, AclResource } from './aclCodes.ts';

/** "Not asked for", as a set of operations. [MetadataResponse.AUTHORIZED_OPERATIONS_OMITTED] */
export const noAuthorizedOperations = -(2 ** 31);

/** What can be done with each kind of resource. [AclEntry.supportedOperations] */
export const supportedOperations: Readonly<Record<AclResource, readonly AclOperation[]>> = {
  topic: [
    'read',
    'write',
    'create',
    'delete',
    'alter',
    'describe',
    'describeConfigs',
    'alterConfigs',
  ],
  group: ['read', 'delete', 'describe', 'describeConfigs', 'alterConfigs'],
  cluster: [
    'create',
    'alter',
    'describe',
    'clusterAction',
    'describeConfigs',
    'alterConfigs',
    'idempotentWrite',
  ],
  transactionalId: ['describe', 'write', 'twoPhaseCommit'],
  delegationToken: ['describe'],
  user: ['createTokens', 'describeTokens'],
};
