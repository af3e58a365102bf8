import type { GroupCoordinator } from '../coordinator/group/groupCoordinator.ts';

/** One broker of the embedded cluster, as its handlers see it. */
export interface BrokerNode {
  readonly id: number;
  readonly groupCoordinator: GroupCoordinator;
}
