import { errorCodes } from '../../protocol/errors.ts';
import type { Handler, RequestOf, ResponseOf } from '../handler.ts';
import { writeMarkers } from '../transactions/writeMarkers.ts';

/**
 * Versions 1-2: 2 the transaction's version (KIP-1228). From coordinators, and from operators who end a
 * transaction that hangs (`kafka-transactions.sh abort`).
 */
export const writeTxnMarkers: Handler<'writeTxnMarkers'> = {
  versions: [1, 2],
  handle: (request, { node, access }) =>
    access.may('alter', 'cluster') || access.may('clusterAction', 'cluster')
      ? writeMarkers(node, request)
      : refused(request),
};

function refused({ markers }: RequestOf<'writeTxnMarkers'>): ResponseOf<'writeTxnMarkers'> {
  const errorCode = errorCodes.CLUSTER_AUTHORIZATION_FAILED;
  return {
    markers: markers.map(({ producerId, topics }) => ({
      producerId,
      topics: topics.map(({ name, partitionIndexes }) => ({
        name,
        partitions: partitionIndexes.map((partitionIndex) => ({ partitionIndex, errorCode })),
      })),
    })),
  };
}
