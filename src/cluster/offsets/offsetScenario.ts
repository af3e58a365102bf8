import { t } from '../../base/l10n.ts';
import { Slices } from '../../base/slices.ts';
import type { GroupOffsets } from '../../client/admin/groupOffsets.ts';
import type { ListedOffset } from '../../client/admin/listOffsets.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import { type Outcome, valueOf } from '../../client/outcome.ts';
import { inOrder, PartitionMap, type TopicPartition } from '../../client/partitionMap.ts';
import type { ClusterSession } from '../clusterSession.ts';
import { committedOn, readCommits } from './groupPositions.ts';
import type { PartitionOffsets, Readable } from '../model.ts';
import {
  planOffset,
  type PlannedOffset,
  type PlanScenario,
  type RefusedOffset,
} from './offsetPlan.ts';
import { toProblem } from '../problems.ts';
import { listOffsetsAt, readOffsets } from '../topicReads.ts';

/** What a person chooses. Some of it has to be looked up before it can be planned. */
export type ResetScenario =
  | PlanScenario
  /** Milliseconds before now. */
  | { readonly kind: 'duration'; readonly agoMs: bigint }
  /** Where another group is. */
  | { readonly kind: 'group'; readonly group: string };

export interface ResetRequest {
  readonly group: string;
  readonly scenario: ResetScenario;
  readonly scope: readonly TopicPartition[];
}

export interface ResetPlan {
  readonly rows: readonly PlannedOffset[];
  /** Partitions that cannot be part of it, each with why. Kafka's own tool gives up on all for one of these. */
  readonly refused: readonly RefusedOffset[];
}

/** Plans a reset over `scope` with fresh offsets. Changes nothing. */
export function planReset(
  session: ClusterSession,
  request: ResetRequest,
  signal?: AbortSignal,
): Promise<ResetPlan> {
  const { group, scope } = request;
  return session.use(async (client) => {
    const scenario = await lookUp(client, request, signal);
    const [commits, offsets, times] = await Promise.all([
      readCommits(client, group, signal),
      readOffsets(client, scope, { signal }),
      readTimes(client, scenario, scope, signal),
    ]);
    const known = { commits, offsets, times };
    const rows: PlannedOffset[] = [];
    const refused: RefusedOffset[] = [];
    const slices = new Slices(client.clock);
    for (const at of [...scope].sort(inOrder)) {
      if (slices.isOver) await slices.pause();
      const planned = planPartition(scenario, at, known);
      if ('reason' in planned) refused.push(planned);
      else rows.push(planned);
    }
    return { rows, refused };
  }, signal);
}

interface Known {
  readonly commits: GroupOffsets;
  readonly offsets: PartitionMap<Readable<PartitionOffsets>>;
  readonly times: PartitionMap<Outcome<ListedOffset>>;
}

function planPartition(
  scenario: PlanScenario,
  at: TopicPartition,
  { commits, offsets, times }: Known,
): PlannedOffset | RefusedOffset {
  try {
    const read = offsets.get(at.topic, at.partition);
    const committed = committedOn(commits, at)?.offset ?? null;
    const time = times.get(at.topic, at.partition);
    const offsetForTime = time ? valueOf(time).offset : null;
    if (!read || 'problem' in read) {
      return { ...at, reason: read?.problem.message ?? t('the broker did not answer') };
    }
    return planOffset(scenario, { ...at, committed, ...read.value, offsetForTime });
  } catch (error) {
    return { ...at, reason: toProblem(error).message };
  }
}

async function lookUp(
  client: KafkaClient,
  { scenario }: ResetRequest,
  signal?: AbortSignal,
): Promise<PlanScenario> {
  if (scenario.kind === 'duration') {
    return { kind: 'time', timestamp: BigInt(client.clock.nowMs()) - scenario.agoMs };
  }
  if (scenario.kind !== 'group') return scenario;
  const offsets = new PartitionMap<bigint>();
  for (const { topic, partition, value } of await readCommits(client, scenario.group, signal)) {
    if ('value' in value) offsets.set(topic, partition, value.value.offset);
  }
  return { kind: 'offsets', offsets };
}

async function readTimes(
  client: KafkaClient,
  scenario: PlanScenario,
  scope: readonly TopicPartition[],
  signal?: AbortSignal,
): Promise<PartitionMap<Outcome<ListedOffset>>> {
  if (scenario.kind !== 'time') return new PartitionMap();
  return listOffsetsAt(client, scope, { timestamp: scenario.timestamp, signal });
}
