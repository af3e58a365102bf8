import type { ClusterProfile } from '../../cluster/model.ts';

export interface LagSubject {
  readonly cluster: ClusterProfile;
  readonly group: string;
  /** The topic that it was opened from; the others are not shown at first. */
  readonly topic?: string | undefined;
}

export function lagKey({ cluster, group }: LagSubject): string {
  return JSON.stringify([cluster.id, group]);
}
