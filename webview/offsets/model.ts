/** The rows of the offsets panel: what the group has, what is planned, what came of it. */
import { t } from '../../src/base/l10n.ts';
import type { UserError } from '../../src/shared/contracts/common.ts';
import type {
  GivenOffset,
  GroupSnapshot,
  PlanRow,
  RefusedRow,
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
  /** Why it has no place in the plan. */
  refusal: string | undefined;
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
      refusal: undefined,
      result: keepResults ? known?.result : undefined,
    };
  });
  const present = new Set(rows.map(keyOf));
  const added = before.filter((row) => row.committed === null && !present.has(keyOf(row)));
  rows.push(
    ...added.map((row) => {
      const result = keepResults ? row.result : undefined;
      return { ...row, plan: undefined, refusal: undefined, result };
    }),
  );
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
      refusal: undefined,
      result: undefined,
    }));
  return sorted([...rows, ...added]);
}

function sorted(rows: OffsetRow[]): OffsetRow[] {
  return rows.sort((a, b) =>
    a.topic === b.topic ? a.partition - b.partition : a.topic < b.topic ? -1 : 1,
  );
}

/** Rows of every topic that a file or an earlier reset names, so that what it says of them is seen. */
export function withOffsets(
  rows: readonly OffsetRow[],
  offsets: readonly GivenOffset[],
  partitionCounts: ReadonlyMap<string, number>,
): OffsetRow[] {
  const topics = new Set(offsets.map(({ topic }) => topic));
  return [...topics].reduce<OffsetRow[]>(
    (all, topic) => withTopic(all, topic, partitionCounts.get(topic) ?? 0),
    [...rows],
  );
}

/** What to ask for: the scenario for most rows, and the offsets that a person gave some of them. */
export function planRequests(
  rows: readonly OffsetRow[],
  scenario: ResetScenario | undefined,
): { scenario: ResetScenario; scope: TopicPartition[] }[] {
  const usable = rows.filter((row) => !row.error);
  const offsets = usable.flatMap(({ topic, partition, edited }) =>
    edited === undefined ? [] : [{ topic, partition, offset: edited }],
  );
  const scope = usable
    .filter((row) => row.edited === undefined)
    .map(({ topic, partition }) => ({ topic, partition }));
  return [
    ...(scenario && scope.length > 0 ? [{ scenario, scope }] : []),
    ...(offsets.length > 0
      ? [
          {
            scenario: { kind: 'offsets', offsets } as const,
            scope: offsets.map(({ topic, partition }) => ({ topic, partition })),
          },
        ]
      : []),
  ];
}

/** Puts a plan onto its rows; the figures that it was made from are newer than theirs. */
export function applyPlan(
  rows: readonly OffsetRow[],
  plan: readonly PlanRow[],
  refused: readonly RefusedRow[] = [],
): void {
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
  for (const refusal of refused) {
    const row = byKey.get(keyOf(refusal));
    if (row) row.refusal = refusal.reason;
  }
}

/** Whether all figures are those that a plan was made from. */
export function isReadByPlan(rows: readonly OffsetRow[]): boolean {
  return rows.length > 0 && rows.every(({ plan, error }) => plan ?? error);
}

/** Puts the results of a reset onto their rows, with the offsets as they were read back. */
export function showResults(rows: readonly OffsetRow[], results: readonly ResetResult[]): void {
  const byKey = new Map(results.map((result) => [keyOf(result), result]));
  for (const row of rows) {
    const result = byKey.get(keyOf(row));
    if (!result) continue;
    row.result = result;
    if (result.error) continue;
    row.committed = result.committed;
    row.lag =
      result.committed === null || row.end === undefined
        ? null
        : (BigInt(row.end) - BigInt(result.committed)).toString();
  }
}

/** Why a reset cannot be done now, in words; undefined where it can. */
export function whyNot(
  group: GroupSnapshot | undefined,
  rows: readonly OffsetRow[],
  { scenario, fault }: { scenario?: ResetScenario | undefined; fault?: string | undefined } = {},
): string | undefined {
  const no = whyNoCommit(group, scenario);
  if (no !== undefined) return no;
  const selected = rows.filter((row) => row.selected);
  if (selected.length === 0) return t('No partition is selected.');
  const plans = selected.flatMap(({ plan }) => plan ?? []);
  if (plans.length === 0) return fault ?? t('Nothing is planned yet.');
  return plans.some(isChange) ? undefined : t('The group is at these offsets already.');
}

/** Why nothing of the group can be changed now, whatever is planned. */
export function whyNoCommit(
  group: GroupSnapshot | undefined,
  scenario?: ResetScenario,
): string | undefined {
  if (!group) return t('The group is not loaded.');
  if (group.cluster.readOnly) return t('{0} is read-only.', group.cluster.name);
  // Kafka deletes commits of an active group too, on topics that no member subscribes to.
  return group.resettable || scenario?.kind === 'delete' ? undefined : refusal(group);
}

/** Whether the group is elsewhere afterwards. */
export function isChange({ committed, target }: PlanRow): boolean {
  return committed !== target;
}

/** Why the group cannot be deleted now, in words; undefined where it can. */
export function whyNotDelete(group: GroupSnapshot | undefined): string | undefined {
  if (!group) return t('The group is not loaded.');
  if (group.cluster.readOnly) return t('{0} is read-only.', group.cluster.name);
  if (group.state === 'Dead') return t('There is no group of this name.');
  return group.resettable ? undefined : refusal(group);
}

function refusal({ members, state }: GroupSnapshot): string {
  if (members.length === 0) return t('Kafka refuses while the group is in state {0}.', state);
  const names = [...new Set(members.map((member) => member.clientId || member.memberId))];
  const few = names.slice(0, 3).join(', ');
  const shown = names.length > 3 ? t('{0} and others', few) : few;
  return t('Kafka refuses while the group has members. Stop {0} first.', shown);
}

export function partitionCounts({ topics }: GroupSnapshot): ReadonlyMap<string, number> {
  return new Map(topics.map(({ name, partitionCount }) => [name, partitionCount]));
}
