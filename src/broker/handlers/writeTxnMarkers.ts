import type { Handler } from '../handler.ts';
import { markersRefused } from '../transactions/markerAnswers.ts';
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
      : markersRefused(request.markers, 'CLUSTER_AUTHORIZATION_FAILED'),
};
