/** The rows of the offsets panel: what the group has, what is planned, what came of it. */
import type { UserError } from '../../src/shared/contracts/common.ts';
import type {
  GroupSnapshot,
  PlanRow,
  ResetResult,
  ResetScenario,
} from '../../src/shared/contracts/offsets.ts';

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

export interface OffsetRow extends TopicPartition {
  /** Null: no commit. Undefined: not known yet. */
  committed: string | null | undefined;
  end: string | undefined;
  lag: string | null | undefined;
  error: UserError | undefined;
  selected: boolean;
  /** The new offset that a person gave this row, whatever the scenario says. */
  edited: string | undefined;
  plan: PlanRow | undefined;
  result: ResetResult | undefined;
}

export function keyOf({ topic, partition }: TopicPartition): string {
  return `${partition}:${topic}`;
}

/**
 * Rows for a group as it is now: of every topic that it has a commit on, all partitions. What a person
 * selected, typed and added stays; plans are of an earlier moment and are dropped, and so are results
 * unless `keepResults`.
 */
export function rowsOf(
  group: GroupSnapshot,
  before: readonly OffsetRow[],
  keepResults: boolean,
): OffsetRow[] {
  const old = new Map(before.map((row) => [keyOf(row), row]));
  const rows = group.partitions.map((partition): OffsetRow => {
    const known = old.get(keyOf(partition));
    const isMissing = partition.error !== undefined;
    return {
      topic: partition.topic,
      partition: partition.partition,
      committed: partition.committed,
      end: isMissing ? undefined : partition.end,
      lag: isMissing ? undefined : partition.lag,
      error: partition.error,
      selected: known?.selected ?? true,
      edited: known?.edited,
      plan: undefined,
      result: keepResults ? known?.result : undefined,
    };
  });
  const present = new Set(rows.map(keyOf));
  const added = before.filter((row) => row.committed === null && !present.has(keyOf(row)));
  rows.push(...added.map((row) => ({ ...row, plan: undefined })));
  const topics = new Set(rows.map((row) => row.topic));
  return group.topics
    .filter(({ name }) => topics.has(name))
    .reduce((all, { name, partitionCount }) => withTopic(all, name, partitionCount), sorted(rows));
}

/** Rows for the partitions of a topic on which the group has no commit. */
export function withTopic(
  rows: readonly OffsetRow[],
  topic: string,
  partitionCount: number,
): OffsetRow[] {
  const present = new Set(rows.map(keyOf));
  const added = Array.from({ length: partitionCount }, (_, partition) => ({ topic, partition }))
    .filter((row) => !present.has(keyOf(row)))
    .map((row) => ({
      ...row,
      committed: null,
      end: undefined,
      lag: null,
      error: undefined,
      selected: true,
      edited: undefined,
      plan: undefined,
      result: undefined,
    }));
  return sorted([...rows, ...added]);
}

function sorted(rows: OffsetRow[]): OffsetRow[] {
  return rows.sort((a, b) =>
    a.topic === b.topic ? a.partition - b.partition : a.topic < b.topic ? -1 : 1,
  );
}

/** What to ask for: the scenario for most rows, and each offset that a person gave for its rows. */
export function planRequests(
  rows: readonly OffsetRow[],
  scenario: ResetScenario | undefined,
): { scenario: ResetScenario; scope: TopicPartition[] }[] {
  const requests = new Map<string, { scenario: ResetScenario; scope: TopicPartition[] }>();
  for (const row of rows) {
    const wanted: ResetScenario | undefined =
      row.edited === undefined ? scenario : { kind: 'offset', offset: row.edited };
    if (!wanted || row.error) continue;
    const key = row.edited ?? 'scenario';
    const request = requests.get(key) ?? { scenario: wanted, scope: [] };
    request.scope.push({ topic: row.topic, partition: row.partition });
    requests.set(key, request);
  }
  return [...requests.values()];
}

/** Puts a plan onto its rows; the figures that it was made from are newer than theirs. */
export function applyPlan(rows: readonly OffsetRow[], plan: readonly PlanRow[]): void {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  for (const planned of plan) {
    const row = byKey.get(keyOf(planned));
    if (!row) continue;
    row.plan = planned;
    row.committed = planned.committed;
    row.end = planned.end;
    row.lag =
      planned.committed === null
        ? null
        : (BigInt(planned.end) - BigInt(planned.committed)).toString();
  }
}

/** Why a reset cannot be done now, in words; undefined where it can. */
export function whyNot(
  group: GroupSnapshot | undefined,
  rows: readonly OffsetRow[],
): string | undefined {
  if (!group) return 'The group is not loaded.';
  if (group.cluster.readOnly) return `${group.cluster.name} is read-only.`;
  if (!group.resettable) return refusal(group);
  const selected = rows.filter((row) => row.selected);
  if (selected.length === 0) return 'No partition is selected.';
  if (!selected.some((row) => row.plan)) return 'Nothing is planned yet.';
  return undefined;
}

function refusal({ members, state }: GroupSnapshot): string {
  if (members.length === 0) return `Kafka refuses while the group is in state ${state}.`;
  const names = [...new Set(members.map((member) => member.clientId || member.memberId))];
  const shown = names.slice(0, 3).join(', ') + (names.length > 3 ? ' and others' : '');
  return `Kafka refuses while the group has members. Stop ${shown} first.`;
}
