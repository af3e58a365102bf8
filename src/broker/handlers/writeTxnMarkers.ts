import { mapEachInSteps, mapInSteps, type Steps } from '../../base/turns.ts';
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

function* refused({ markers }: RequestOf<'writeTxnMarkers'>): Steps<ResponseOf<'writeTxnMarkers'>> {
  const errorCode = errorCodes.CLUSTER_AUTHORIZATION_FAILED;
  const answers = yield* mapEachInSteps(markers, function* ({ producerId, topics }) {
    const refusals = yield* mapEachInSteps(topics, function* ({ name, partitionIndexes }) {
      const refusal = (partitionIndex: number) => ({ partitionIndex, errorCode });
      return { name, partitions: yield* mapInSteps(partitionIndexes, refusal) };
    });
    return { producerId, topics: refusals };
  });
  return { markers: answers };
}
