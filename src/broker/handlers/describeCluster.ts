import { errorCodes } from '../../protocol/errors.ts';
import type { Handler } from '../handler.ts';
import { clusterOperationsFor } from '../security/authorizer/clusterOperations.ts';

/** [EndpointType] */
const endpoints = { brokers: 1, controllers: 2 } as const;

/** Versions 0-2: 1 endpoint type (KIP-919); 2 fenced brokers (KIP-1073), of which there are none. */
export const describeCluster: Handler<'describeCluster'> = {
  versions: [0, 2],
  handle({ endpointType, includeClusterAuthorizedOperations }, { node, session, access }) {
    if (endpointType === endpoints.controllers) {
      return {
        errorCode: errorCodes.MISMATCHED_ENDPOINT_TYPE,
        errorMessage: 'this is a broker; controllers have no listener of their own here',
      };
    }
    if (endpointType !== endpoints.brokers) {
      return {
        errorCode: errorCodes.UNSUPPORTED_ENDPOINT_TYPE,
        errorMessage: `there is no endpoint type ${endpointType}`,
      };
    }
    return {
      endpointType,
      clusterId: node.cluster.clusterId,
      controllerId: node.id,
      brokers: node.cluster
        .endpoints(session.listener)
        .map(({ id, host, port }) => ({ brokerId: id, host, port })),
      clusterAuthorizedOperations: clusterOperationsFor(access, includeClusterAuthorizedOperations),
    };
  },
};
