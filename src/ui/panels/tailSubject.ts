import type { ClusterProfile } from '../../cluster/model.ts';
import type { TailScope, TimeSpan } from '../../shared/contracts/tailQuery.ts';

export interface TailSubject {
  readonly cluster: ClusterProfile;
  readonly topic: string;
  /** Left out: all of them. */
  readonly partitions?: readonly number[];
  /** A seek expression. */
  readonly from: string;
  /** Nobody has asked for that start: it is one for a new panel, and leaves one that is open where it is. */
  readonly isFresh?: boolean;
  /** Left out: everything, without markers. */
  readonly scope?: TailScope;
  readonly filter?: string;
  /** Left out: rows of any time. */
  readonly within?: TimeSpan | undefined;
  /** A record to open when its row is read. */
  readonly open?: { readonly partition: number; readonly offset: bigint };
}

/** The tab's title; a partition is named where only one of several is shown. */
export function tailTitle(
  { cluster, topic, partitions }: TailSubject,
  partitionCount = Infinity,
): string {
  const part = partitions?.length === 1 && partitionCount > 1 ? `-${partitions[0]}` : '';
  return `${topic}${part} @ ${cluster.name}`;
}

/** All partitions are not the same as each of them named: there may be more tomorrow. */
export function tailKey(
  cluster: ClusterProfile,
  topic: string,
  partitions: readonly number[] | undefined,
): string {
  return JSON.stringify([cluster.id, topic, partitions ?? 'all']);
}

function viewOf({ scope, filter, within }: TailSubject): Partial<TailSubject> {
  return { ...(scope && { scope }), ...(filter !== undefined && { filter }), within };
}

/**
 * What a panel shows once it is asked for anew: another start, by itself, leaves its filter as a seek in the panel
 * does. A record that is to be opened must not be filtered out.
 */
export function reopened(shown: TailSubject, asked: TailSubject): TailSubject {
  // Asked for as it is, and over: as it began, of the partitions that there are now.
  if (asked.isFresh) return { ...asked, ...viewOf(shown), from: shown.from };
  if (asked.open || asked.filter !== undefined || asked.within !== undefined) return asked;
  return { ...viewOf(shown), ...asked };
}
