import type { ClusterSession } from './clusterSession.ts';
import type { GroupDetails, PartitionOffsets, Problem, Readable } from './model.ts';
import type { PlannedOffset, ResetScenario } from './offsetPlan.ts';

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** A group's commit on a partition, with the partition's offsets. */
export interface GroupPosition extends TopicPartition {
  /** Null: no commit. */
  readonly committed: bigint | null;
  readonly metadata: string;
  readonly leaderEpoch: number;
  readonly offsets: Readable<PartitionOffsets>;
}

export interface GroupPositions {
  /** `state` is Dead where the group does not exist. */
  readonly details: GroupDetails;
  /** Whether Kafka would accept a reset now (Empty or Dead). */
  readonly resettable: boolean;
  readonly positions: readonly GroupPosition[];
}

export interface ResetOutcome extends TopicPartition {
  /** As read back; null where there is none. */
  readonly committed: bigint | null;
  readonly problem?: Problem;
}

/** The group with its commits, and with all partitions of `extraTopics` besides. */
export function loadGroupPositions(
  _session: ClusterSession,
  _group: string,
  _options: { readonly extraTopics?: readonly string[]; readonly signal?: AbortSignal },
): Promise<GroupPositions> {
  return Promise.reject(new Error('not there yet'));
}

/** Plans a reset over `scope` with fresh offsets. Changes nothing. */
export function planReset(
  _session: ClusterSession,
  _request: {
    readonly group: string;
    readonly scenario: ResetScenario;
    readonly scope: readonly TopicPartition[];
  },
  _signal?: AbortSignal,
): Promise<PlannedOffset[]> {
  return Promise.reject(new Error('not there yet'));
}

/** Checks the group's state again, commits the targets keeping each commit's metadata, and reads them back. */
export function applyReset(
  _session: ClusterSession,
  _group: string,
  _rows: readonly {
    readonly topic: string;
    readonly partition: number;
    readonly committed: bigint | null;
    readonly target: bigint;
  }[],
  _signal?: AbortSignal,
): Promise<ResetOutcome[]> {
  return Promise.reject(new Error('not there yet'));
}
