/** A group's lag as the page has it: offsets as decimal strings, failures in words. */
import type { LagPoint } from '../../cluster/lag/lagHistory.ts';
import type { ReadableLag } from '../../cluster/lag/lagReadable.ts';
import type { LagSample, SampledPosition } from '../../cluster/lag/lagSampler.ts';
import type { ClusterProfile, Problem } from '../../cluster/model.ts';
import type {
  LagGroup,
  LagPartition,
  LagPoint as PointMessage,
  LagWatch,
  ReadablePartition,
} from '../../shared/contracts/lag.ts';
import { clusterRefOf, problemWords } from './words.ts';

export interface SampledGroup {
  readonly cluster: ClusterProfile;
  readonly group: string;
  readonly sample: LagSample;
  readonly problem: Problem | undefined;
  readonly watch: LagWatch;
  readonly isAlarmed: boolean;
}

export function lagGroupOf({ cluster, group, sample, problem, ...rest }: SampledGroup): LagGroup {
  return {
    cluster: clusterRefOf(cluster),
    group,
    atMs: sample.atMs,
    state: sample.details.state,
    memberCount: sample.details.members.length,
    partitions: sample.positions.map(lagPartitionOf),
    rates: sample.rates,
    ...rest,
    ...(problem && { problem: problemWords(problem) }),
  };
}

function lagPartitionOf(position: SampledPosition): LagPartition {
  const { topic, partition, committed, commitProblem, offsets, owner, time, rates, served } =
    position;
  const isReadable = 'value' in offsets;
  return {
    topic,
    partition,
    committed: committed?.toString() ?? null,
    ...(commitProblem && { commitError: problemWords(commitProblem) }),
    logStart: isReadable ? offsets.value.logStart.toString() : '-1',
    stable: isReadable ? offsets.value.lastStable.toString() : '-1',
    end: isReadable ? offsets.value.highWatermark.toString() : '-1',
    ...(!isReadable && { error: problemWords(offsets.problem) }),
    ...(owner && {
      member: { memberId: owner.memberId, clientId: owner.clientId, host: owner.host },
    }),
    ...(served !== undefined && { served: served.toString() }),
    time,
    rates,
  };
}

export function pointsOf(points: readonly LagPoint[]): PointMessage[] {
  return points.map(({ atMs, lag, produced, consumed }) => [
    atMs,
    lag?.toString() ?? null,
    produced,
    consumed,
  ]);
}

export function readablePartitionOf(readable: ReadableLag): ReadablePartition {
  const { topic, partition, committed, end, parts, openTransaction } = readable;
  return {
    topic,
    partition,
    committed: committed.toString(),
    end: end.toString(),
    lost: parts.lost.toString(),
    records: parts.records.toString(),
    markers: parts.markers.toString(),
    aborted: parts.aborted.toString(),
    gaps: parts.gaps.toString(),
    unstable: parts.unstable.toString(),
    unread: parts.unread.toString(),
    ...(openTransaction && {
      openTransaction: {
        producerId: openTransaction.producerId.toString(),
        firstOffset: openTransaction.firstOffset.toString(),
        timestamp: openTransaction.timestamp.toString(),
      },
    }),
  };
}
