import { t } from '../../base/l10n.ts';
import type {
  GroupFigures,
  GroupSummary,
  PartitionRow,
  TopicSummary,
} from '../../cluster/model.ts';
import { colors } from './themeColors.ts';

/** What is the matter with a thing, the worst first. */
export const healths = [
  'offline',
  'underReplicated',
  'pastEnd',
  'lagging',
  'rebalancing',
  'dead',
  'empty',
] as const;
export type Health = (typeof healths)[number];

/** How a state looks. Each has a sign of its own besides its colour, which high contrast takes away. */
export interface HealthLook {
  readonly icon: string;
  readonly color: string;
  /** One or two characters at the row's end; left out where nothing is the matter. */
  readonly badge?: string;
  /** The badge in words. */
  readonly words: () => string;
  /** Whether somebody should do something: counted on the view's icon. */
  readonly isTrouble: boolean;
}

export const healthLooks: Readonly<Record<Health, HealthLook>> = {
  offline: {
    icon: 'error',
    color: colors.bad,
    badge: '✕',
    words: () => t('Offline: a partition has no leader'),
    isTrouble: true,
  },
  underReplicated: {
    icon: 'warning',
    color: colors.warning,
    badge: 'U',
    words: () => t('Under-replicated: replicas are not in sync'),
    isTrouble: true,
  },
  pastEnd: {
    icon: 'warning',
    color: colors.warning,
    badge: '!',
    words: () => t('The commit is past the end of the log'),
    isTrouble: true,
  },
  lagging: {
    icon: 'watch',
    color: colors.warning,
    badge: 'L',
    words: () => t('Lagging: further behind than the setting allows'),
    isTrouble: true,
  },
  rebalancing: {
    icon: 'sync',
    color: colors.busy,
    badge: 'R',
    words: () => t('Rebalancing: partitions are being handed out'),
    isTrouble: false,
  },
  dead: {
    icon: 'circle-slash',
    color: colors.quiet,
    badge: 'D',
    words: () => t('Dead: the group is gone'),
    isTrouble: false,
  },
  empty: {
    icon: 'organization',
    color: colors.quiet,
    words: () => t('Empty: the group has no members'),
    isTrouble: false,
  },
};

export function topicHealth({ offline, underReplicated }: TopicSummary): Health | undefined {
  if (offline > 0) return 'offline';
  return underReplicated > 0 ? 'underReplicated' : undefined;
}

export function partitionHealth(row: Pick<PartitionRow, 'leader' | 'isr' | 'replicas'>) {
  if (row.leader === -1) return 'offline' as const;
  return row.isr.length < row.replicas.length ? ('underReplicated' as const) : undefined;
}

export function lagHealth(isPastEnd: boolean, isLagging: boolean): Health | undefined {
  if (isPastEnd) return 'pastEnd';
  return isLagging ? 'lagging' : undefined;
}

/** States of groups by the protocol that they use; what is not here is in order. */
const groupStates: Readonly<Record<string, Health>> = {
  PreparingRebalance: 'rebalancing',
  CompletingRebalance: 'rebalancing',
  Assigning: 'rebalancing',
  Reconciling: 'rebalancing',
  Empty: 'empty',
  Dead: 'dead',
};

export function groupHealth(
  group: GroupSummary,
  figures: GroupFigures | undefined,
  isLagging: boolean,
): Health | undefined {
  return (
    lagHealth(figures?.isPastEnd ?? false, isLagging) ?? groupStates[figures?.state ?? group.state]
  );
}

/** A threshold of 0 or less: nothing lags. */
export function isLagging(lag: bigint | null | undefined, threshold: number): boolean {
  return typeof lag === 'bigint' && threshold > 0 && lag >= threshold;
}
