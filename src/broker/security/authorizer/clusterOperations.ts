import type { Access } from './access.ts';
import { noAuthorizedOperations } from './supportedOperations.ts';

/**
 * Who may not describe the cluster is told that nothing may be done with it.
 * [AuthHelper.computeDescribeClusterResponse]
 */
export function clusterOperationsFor(access: Access, isAsked: boolean): number {
  if (!isAsked) return noAuthorizedOperations;
  return access.may('describe', 'cluster') ? access.operations('cluster') : 0;
}
