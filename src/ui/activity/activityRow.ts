import { t } from '../../base/l10n.ts';
import { type ActivityEntry, isUndoable } from '../../cluster/activity/activityEntry.ts';
import type { ChangeKind } from '../../cluster/activity/change.ts';
import { colors } from '../trees/themeColors.ts';
import { relativeTime } from './activityTime.ts';
import { amountWords, isRedoOf, rowTitleOf, stateWords, titleOf } from './activityWords.ts';

/** How an entry looks and reads, without the editor's types. */
export interface ActivityRowText {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly iconColor?: string;
  /** What a screen reader says. */
  readonly spoken: string;
  /** Matched by the menus in package.json. */
  readonly context: string;
  readonly hasChildren: boolean;
}

const icons: Readonly<Record<ChangeKind, string>> = {
  createTopic: 'add',
  deleteTopics: 'trash',
  addPartitions: 'split-horizontal',
  setConfig: 'settings-gear',
  resetOffsets: 'history',
  deleteGroup: 'trash',
  removeMembers: 'person',
  produce: 'send',
  replay: 'debug-rerun',
  loadSample: 'beaker',
  startCluster: 'play',
  stopCluster: 'debug-stop',
  clusterFailed: 'error',
  advanceClock: 'watch',
  runMaintenance: 'tools',
  addConnection: 'plug',
  editConnection: 'edit',
  removeConnection: 'debug-disconnect',
  exportRecords: 'export',
  exportOffsets: 'export',
};

const stateIcons: Readonly<
  Partial<Record<ActivityEntry['state'], readonly [icon: string, color: string]>>
> = {
  running: ['loading~spin', colors.busy],
  partly: ['warning', colors.warning],
  failed: ['error', colors.bad],
  cancelled: ['circle-slash', colors.quiet],
  interrupted: ['warning', colors.warning],
};

const retried: ReadonlySet<ChangeKind> = new Set([
  'createTopic',
  'deleteTopics',
  'addPartitions',
  'deleteGroup',
  'loadSample',
  'startCluster',
  'stopCluster',
]);

/** A narrow view cuts the end off: how far it is comes first, or else when it was. The tooltip has all of it. */
function shownFirst(
  state: ActivityEntry['state'],
  { known, when, where }: Readonly<{ known: readonly string[]; when: string; where: string }>,
): string[] {
  return state === 'running' ? [...known, when, where] : [when, ...known, where];
}

/** Whether it can be done once more as it was asked for. */
export function isRetryable({ state, change, undoes }: ActivityEntry): boolean {
  const hasEnded = state === 'failed' || state === 'cancelled' || state === 'interrupted';
  return hasEnded && retried.has(change.kind) && !undoes;
}

export function entryRow(
  entry: ActivityEntry,
  { nowMs, isRunningHere }: { readonly nowMs: number; readonly isRunningHere: boolean },
): ActivityRowText {
  const { state, change, cluster, facts, startedAtMs, endedAtMs, undoneBy } = entry;
  const [label, detail] = rowTitleOf(entry);
  const when = relativeTime(endedAtMs ?? startedAtMs, nowMs);
  const how = [stateWords(entry), amountWords(entry)];
  // How far it is comes first.
  if (state === 'running') how.reverse();
  const known = how.filter((part) => part !== undefined);
  const shown = [detail, ...known].filter((part) => part !== undefined);
  const [icon, iconColor] = stateIcons[state] ?? [icons[change.kind]];
  const flags = [
    isRunningHere && 'cancellable',
    isUndoable(entry) && (isRedoOf(entry) ? 'redoable' : 'undoable'),
    isRetryable(entry) && 'retryable',
  ];
  const undo = isUndoable(entry) ? [isRedoOf(entry) ? t('can be redone') : t('can be undone')] : [];
  return {
    label,
    description: shownFirst(state, { known: shown, when, where: cluster.name }).join(' · '),
    icon: undoneBy === undefined ? icon : 'discard',
    ...(iconColor !== undefined && undoneBy === undefined && { iconColor }),
    spoken: [titleOf(entry), ...known, cluster.name, when, ...undo].join(', '),
    context: ['entry', state, ...flags.filter((flag) => flag !== false)].join(' '),
    hasChildren: (facts.offsets?.length ?? 0) > 0,
  };
}
