import type { ClusterProfile } from '../../cluster/model.ts';

export interface OffsetsSubject {
  readonly cluster: ClusterProfile;
  readonly group: string;
}

export function offsetsKey({ cluster, group }: OffsetsSubject): string {
  return JSON.stringify([cluster.id, group]);
}
