import type { GroupFigures, GroupSummary, TopicLag, TopicSummary } from '../../cluster/model.ts';
import type { ListChoices, SortOrder } from './treeChoices.ts';

/** A folder's rows as a person chose to see them. */
export interface Listing<T> {
  /** In order, favourites first. */
  readonly rows: readonly T[];
  /** Before the filter. */
  readonly total: number;
}

/** What topics are put in order by, as far as it has been read. */
export interface TopicFigures {
  readonly recordCount: (topic: string) => bigint | undefined;
  readonly lag: (topic: string) => TopicLag | undefined;
}

export function listTopics(
  topics: readonly TopicSummary[],
  choices: ListChoices,
  figures: TopicFigures,
): Listing<TopicSummary> {
  const weights: Partial<Record<SortOrder, (topic: TopicSummary) => bigint | undefined>> = {
    records: ({ name }) => figures.recordCount(name),
    lag: ({ name }) => figures.lag(name)?.lag,
    partitions: ({ partitionCount }) => BigInt(partitionCount),
  };
  return list(topics, choices, { name: ({ name }) => name, weight: weights[choices.sort] });
}

export function listGroups(
  groups: readonly GroupSummary[],
  choices: ListChoices,
  figures: (group: string) => GroupFigures | undefined,
): Listing<GroupSummary> {
  const weights: Partial<Record<SortOrder, (group: GroupSummary) => bigint | undefined>> = {
    lag: ({ groupId }) => figures(groupId)?.lag ?? undefined,
    members: ({ groupId }) => {
      const members = figures(groupId)?.memberCount;
      return members === undefined ? undefined : BigInt(members);
    },
  };
  return list(groups, choices, {
    name: ({ groupId }) => groupId,
    weight: weights[choices.sort],
  });
}

interface Traits<T> {
  readonly name: (row: T) => string;
  /** The heavier the sooner, those that have none last; left out: by name alone. */
  readonly weight: ((row: T) => bigint | undefined) | undefined;
}

/** `all` is in order of name. */
function list<T>(
  all: readonly T[],
  { filter, pinned }: ListChoices,
  { name, weight }: Traits<T>,
): Listing<T> {
  const rows = filter ? all.filter((row) => filter.matches(name(row))) : all;
  const sorted = weight ? heaviestFirst(rows, weight) : rows;
  if (pinned.size === 0) return { rows: sorted, total: all.length };
  const isPinned = (row: T): boolean => pinned.has(name(row));
  return {
    rows: [...sorted.filter(isPinned), ...sorted.filter((row) => !isPinned(row))],
    total: all.length,
  };
}

function heaviestFirst<T>(rows: readonly T[], weight: (row: T) => bigint | undefined): T[] {
  return rows
    .map((row) => ({ row, weight: weight(row) }))
    .sort((a, b) => {
      if (a.weight === b.weight) return 0;
      if (a.weight === undefined) return 1;
      if (b.weight === undefined) return -1;
      return a.weight < b.weight ? 1 : -1;
    })
    .map(({ row }) => row);
}
