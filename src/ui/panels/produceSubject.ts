import type { ClusterProfile } from '../../cluster/model.ts';
import type { FormDraft } from '../../shared/contracts/produce.ts';

export interface ProduceSubject {
  readonly cluster: ClusterProfile;
  readonly topic: string;
  readonly partition: number | null;
  /** What to start from; left out: an empty record. */
  readonly draft?: FormDraft;
}

export type OpenProduce = (subject: ProduceSubject) => void;

/** Opens the tail panel at a record. */
export type ShowRecord = (
  cluster: ClusterProfile,
  record: { readonly topic: string; readonly partition: number; readonly offset: bigint },
) => void;

export function produceKey(cluster: ClusterProfile, topic: string): string {
  return JSON.stringify([cluster.id, topic]);
}
