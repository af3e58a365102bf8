/** The model of a reset as the page has it: offsets as decimal strings, failures in words. */
import { t } from '../../base/l10n.ts';
import { previewPayload } from '../../codec/payloadPreview.ts';
import { PartitionMap, type TopicPartition } from '../../client/partitionMap.ts';
import type { GroupPosition, GroupPositions } from '../../cluster/offsets/groupPositions.ts';
import type { PlannedOffset } from '../../cluster/offsets/offsetPlan.ts';
import type { RangeFacts } from '../../cluster/offsets/offsetRange.ts';
import type { EarlierOffset, ResetOutcome } from '../../cluster/offsets/offsetReset.ts';
import type { ResetScenario } from '../../cluster/offsets/offsetScenario.ts';
import type { KafkaRecord } from '../../protocol/records/recordReader.ts';
import type {
  GroupPartition,
  GroupSnapshot,
  PlanRow,
  ResetResult,
  ResetScenario as ScenarioMessage,
  TargetFacts,
} from '../../shared/contracts/offsets.ts';
import { problemWords } from './words.ts';

/** The scenario as it is planned; what an earlier reset left is looked up by `load`. */
export async function scenarioOf(
  message: ScenarioMessage,
  load: (id: string) => Promise<readonly EarlierOffset[]>,
): Promise<ResetScenario> {
  switch (message.kind) {
    case 'earliest':
    case 'latest':
    case 'current':
    case 'delete':
    case 'group':
      return message;
    case 'offset':
      return { kind: 'offset', offset: BigInt(message.offset) };
    case 'shift':
      return { kind: 'shift', by: BigInt(message.by) };
    case 'time':
      return { kind: 'time', timestamp: BigInt(message.timestamp) };
    case 'duration':
      return { kind: 'duration', agoMs: BigInt(message.agoMs) };
    case 'offsets':
      return {
        kind: 'offsets',
        offsets: byPartition(message.offsets, ({ offset }) => BigInt(offset)),
      };
    case 'restore':
      return {
        kind: 'restore',
        offsets: byPartition(await load(message.id), ({ offset }) => offset),
      };
  }
}

export function byPartition<P extends TopicPartition, T>(
  items: readonly P[],
  valueOf: (item: P) => T,
): PartitionMap<T> {
  const map = new PartitionMap<T>();
  for (const item of items) map.set(item.topic, item.partition, valueOf(item));
  return map;
}

/** "to earliest", "by −5", for the history and for questions. */
export function scenarioWords(scenario: ScenarioMessage): string {
  switch (scenario.kind) {
    case 'earliest':
    case 'latest':
    case 'current':
      return t('to {0}', scenario.kind);
    case 'delete':
      return t('offsets deleted');
    case 'offset':
      return t('to offset {0}', scenario.offset);
    case 'shift':
      return t('shifted by {0}', scenario.by);
    case 'time':
      return t('to {0}', new Date(Number(scenario.timestamp)).toISOString());
    case 'duration':
      return t('to {0} s ago', Number(scenario.agoMs) / 1000);
    case 'offsets':
      return scenario.file === undefined
        ? t('to given offsets')
        : t('to the offsets of {0}', scenario.file);
    case 'group':
      return t('to where {0} is', scenario.group);
    case 'restore':
      return t('to earlier offsets');
  }
}

export function planRowOf(row: PlannedOffset): PlanRow {
  return {
    topic: row.topic,
    partition: row.partition,
    committed: row.committed?.toString() ?? null,
    end: row.end.toString(),
    target: row.target?.toString() ?? null,
    delta: row.delta?.toString() ?? null,
    effect: row.effect,
    ...(row.warning !== undefined && { warning: row.warning }),
  };
}

export function resultOf({ topic, partition, committed, problem }: ResetOutcome): ResetResult {
  return {
    topic,
    partition,
    committed: committed?.toString() ?? null,
    ...(problem && { error: problemWords(problem) }),
  };
}

export function factsOf(record: KafkaRecord | undefined, range: RangeFacts): TargetFacts {
  const { first, last, count } = range;
  return {
    ...(record && {
      record: {
        offset: record.offset.toString(),
        timestamp: record.timestamp.toString(),
        key: previewPayload(record.key),
        value: previewPayload(record.value),
      },
    }),
    ...(count !== undefined && { count }),
    ...(first && { firstTimestamp: first.timestamp.toString() }),
    ...(last && { lastTimestamp: last.timestamp.toString() }),
  };
}

export function membersOf({ details }: GroupPositions): GroupSnapshot['members'] {
  return details.members.map(({ memberId, clientId, host, assignment }) => ({
    memberId,
    clientId,
    host,
    partitions: assignment.map(({ topic, partition }) => ({ topic, partition })),
  }));
}

export function partitionOf(position: GroupPosition): GroupPartition {
  const { topic, partition, committed, metadata, offsets } = position;
  const known = { topic, partition, committed: committed?.toString() ?? null, metadata };
  if ('problem' in offsets) {
    return { ...known, logStart: '-1', end: '-1', lag: null, error: problemWords(offsets.problem) };
  }
  const { logStart, highWatermark } = offsets.value;
  const lag = committed === null ? null : highWatermark - committed;
  return {
    ...known,
    logStart: logStart.toString(),
    end: highWatermark.toString(),
    lag: lag?.toString() ?? null,
  };
}
