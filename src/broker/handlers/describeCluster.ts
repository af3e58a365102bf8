import { errorCodes } from '../../protocol/errors.ts';
import { clusterOperations, noAuthorizedOperations } from '../authorizedOperations.ts';
import type { Handler } from '../handler.ts';

const brokerEndpoints = 1;

/** Versions 0-2: 1 endpoint type (KIP-919); 2 fenced brokers (KIP-1073), of which there are none. */
export const describeCluster: Handler<'describeCluster'> = {
  versions: [0, 2],
  handle({ endpointType, includeClusterAuthorizedOperations }, { node, session }) {
    if (endpointType !== brokerEndpoints) {
      return {
        errorCode: errorCodes.MISMATCHED_ENDPOINT_TYPE,
        errorMessage: 'this is a broker; controllers have no listener of their own here',
      };
    }
    return {
      endpointType,
      clusterId: node.cluster.clusterId,
      controllerId: node.id,
      brokers: node.cluster
        .endpoints(session.listener)
        .map(({ id, host, port }) => ({ brokerId: id, host, port })),
      clusterAuthorizedOperations: includeClusterAuthorizedOperations
        ? clusterOperations
        : noAuthorizedOperations,
    };
  },
};
