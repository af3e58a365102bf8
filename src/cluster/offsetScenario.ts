import { t } from '../base/l10n.ts';
import { listOffsets } from '../client/admin/listOffsets.ts';
import type { KafkaClient } from '../client/kafkaClient.ts';
import { type Outcome, valueOf } from '../client/outcome.ts';
import { PartitionMap, type TopicPartition } from '../client/partitionMap.ts';
import type { ClusterSession } from './clusterSession.ts';
import { committedOn, inOrder, readCommits } from './groupPositions.ts';
import {
  type PartitionPosition,
  type PlannedOffset,
  planOffsets,
  type PlanScenario,
  type RefusedOffset,
} from './offsetPlan.ts';
import { toProblem } from './problems.ts';
import { readOffsets } from './topicReads.ts';

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
    const positions: PartitionPosition[] = [];
    const refused: RefusedOffset[] = [];
    for (const at of [...scope].sort(inOrder)) {
      try {
        const read = offsets.get(at.topic, at.partition);
        const committed = committedOn(commits, at)?.offset ?? null;
        const time = times.get(at.topic, at.partition);
        const offsetForTime = time ? valueOf(time).offset : null;
        if (read && 'value' in read) {
          positions.push({ ...at, committed, ...read.value, offsetForTime });
        } else {
          const reason = read?.problem.message ?? t('the broker did not answer');
          refused.push({ ...at, reason });
        }
      } catch (error) {
        refused.push({ ...at, reason: toProblem(error).message });
      }
    }
    const plan = planOffsets(scenario, positions);
    return { rows: plan.rows, refused: [...refused, ...plan.refused] };
  }, signal);
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
): Promise<PartitionMap<Outcome<{ readonly offset: bigint | null }>>> {
  if (scenario.kind !== 'time') return new PartitionMap();
  const { timestamp } = scenario;
  const queries = scope.map(({ topic, partition }) => ({ topic, partition, timestamp }));
  return listOffsets(client, queries, { signal });
}
