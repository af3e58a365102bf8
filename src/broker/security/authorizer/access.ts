import type { Logger } from '../../../base/logger.ts';
import type { ErrorName } from '../../../protocol/errors.ts';
import { RequestError } from '../../requestError.ts';
import {
  type AclOperation,
  aclOperations,
  type AclResource,
  aclResources,
  clusterName,
} from './aclCodes.ts';
import { hostAddress } from './hostPattern.ts';
import type { Client, StandardAuthorizer } from './standardAuthorizer.ts';
import { supportedOperations } from './supportedOperations.ts';

/** What who asks may do. [AuthHelper] */
export interface Access {
  /** There is no authorizer: everybody may do everything. */
  readonly isOpen: boolean;
  /** The cluster is the one resource that needs no name. */
  may(operation: AclOperation, resource: AclResource, name?: string): boolean;
  /** The same for names that come again and again: each is looked up once. */
  filter(operation: AclOperation, resource: AclResource): (name: string) => boolean;
  /** Whether there may be some resource that it may do this with. */
  mayOnSome(operation: AclOperation, resource: AclResource): boolean;
  /** Throws a RequestError, with the error of the resource, for what may not be. */
  require(operation: AclOperation, resource: AclResource, name?: string): void;
  /** All that may be done, as a set of bits. */
  operations(resource: AclResource, name?: string): number;
}

/** Of what was asked for and may not be. [AclEntry.authorizationError] */
const errors: Readonly<Record<AclResource, ErrorName>> = {
  topic: 'TOPIC_AUTHORIZATION_FAILED',
  group: 'GROUP_AUTHORIZATION_FAILED',
  cluster: 'CLUSTER_AUTHORIZATION_FAILED',
  transactionalId: 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED',
  delegationToken: 'DELEGATION_TOKEN_AUTHORIZATION_FAILED',
  user: 'CLUSTER_AUTHORIZATION_FAILED',
};

const always = (): boolean => true;

const openAccess: Access = {
  isOpen: true,
  may: always,
  filter: () => always,
  mayOnSome: always,
  require: () => undefined,
  operations: (resource) => bits(supportedOperations[resource]),
};

/** What a client may do at a broker that has this authorizer, or none. */
export function accessOf(
  authorizer: StandardAuthorizer | undefined,
  { principal, host }: Client,
  logger: Logger,
): Access {
  if (authorizer === undefined) return openAccess;
  return new ClientAccess(authorizer, { principal, host: hostAddress(host) }, logger);
}

class ClientAccess implements Access {
  readonly isOpen = false;
  readonly #authorizer: StandardAuthorizer;
  readonly #client: Client;
  readonly #logger: Logger;

  constructor(authorizer: StandardAuthorizer, client: Client, logger: Logger) {
    this.#logger = logger;
    this.#authorizer = authorizer;
    this.#client = client;
  }

  may(operation: AclOperation, resource: AclResource, name = clusterName): boolean {
    if (this.#isAllowed(operation, resource, name)) return true;
    const { principal, host } = this.#client;
    this.#logger.debug(`${principal} from ${host} may not ${operation} ${resource} ${name}`);
    return false;
  }

  #isAllowed(operation: AclOperation, resource: AclResource, resourceName: string): boolean {
    const action = {
      operation: aclOperations[operation],
      resourceType: aclResources[resource],
      resourceName,
    };
    return this.#authorizer.isAllowed(this.#client, action);
  }

  filter(operation: AclOperation, resource: AclResource): (name: string) => boolean {
    const known = new Map<string, boolean>();
    return (name) => {
      const answer = known.get(name) ?? this.may(operation, resource, name);
      known.set(name, answer);
      return answer;
    };
  }

  mayOnSome(operation: AclOperation, resource: AclResource): boolean {
    const [code, type] = [aclOperations[operation], aclResources[resource]];
    return this.#authorizer.isAllowedOnSome(this.#client, code, type);
  }

  require(operation: AclOperation, resource: AclResource, name?: string): void {
    if (this.may(operation, resource, name)) return;
    const { principal } = this.#client;
    const what = resource === 'cluster' ? 'the cluster' : `the ${resource} ${name ?? ''}`;
    throw new RequestError(
      errors[resource],
      `${principal} needs the operation ${operation} on ${what}, which no ACL allows.`,
    );
  }

  operations(resource: AclResource, name = clusterName): number {
    const supported = supportedOperations[resource];
    return bits(supported.filter((each) => this.#isAllowed(each, resource, name)));
  }
}

const bits = (operations: readonly AclOperation[]): number =>
  operations.reduce((set, operation) => set | (1 << aclOperations[operation]), 0);
