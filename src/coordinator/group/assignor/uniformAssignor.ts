import type { Assignment } from '../consumer/assignment.ts';
import type { GroupSpec } from './groupSpec.ts';
import { assignHeterogeneous } from './uniformHeterogeneous.ts';
import { assignHomogeneous } from './uniformHomogeneous.ts';

/** As many partitions for each member as can be, and as few moves as can be. [UniformAssignor] */
export function uniformAssignor(group: GroupSpec): Map<string, Assignment> {
  return group.isHomogeneous ? assignHomogeneous(group) : assignHeterogeneous(group);
}
